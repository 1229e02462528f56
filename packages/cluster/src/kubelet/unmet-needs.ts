/**
 * What a pod needs that is not there: ConfigMaps and Secrets that its containers' environment or its volumes name. Pure;
 * kubelet.ts holds the pod back until they are there. The messages are in a kubelet's words.
 */
import type { Container, EnvVar, Pod, Volume } from "@kubewright/api/core/v1";

/** A kind of object that pods take values from. */
export type SourceKind = "configmap" | "secret";

/** The keys of an object that is there; undefined when it is not. */
export type FindKeys = (kind: SourceKind, name: string) => ReadonlySet<string> | undefined;

/** What is missing. */
export interface UnmetNeeds {
  /** Volumes that cannot be mounted: no container of the pod can be made. */
  readonly volumes: readonly { readonly volume: string; readonly problem: string }[];
  /** Problems of containers that cannot be configured, by name. */
  readonly containers: ReadonlyMap<string, string>;
}

/** The needs of `pod` that are not met. */
export function unmetNeeds(pod: Pod, find: FindKeys): UnmetNeeds {
  const { volumes = [], containers = [], initContainers = [] } = pod.spec ?? {};
  const namespace = pod.metadata?.namespace ?? "";
  const problems = [...initContainers, ...containers].flatMap((container): [string, string][] => {
    const problem = environmentProblem(container, namespace, find);
    return problem === undefined ? [] : [[container.name, problem]];
  });
  return {
    volumes: volumes.flatMap((volume) => {
      const problem = volumeProblem(volume, find);
      return problem === undefined ? [] : [{ volume: volume.name, problem }];
    }),
    containers: new Map(problems),
  };
}

interface Reference {
  readonly kind: SourceKind;
  readonly name: string | undefined;
  readonly optional: boolean | undefined;
  /** Only this key is needed. @default all there are */
  readonly key?: string;
}

function environmentProblem(container: Container, namespace: string, find: FindKeys): string | undefined {
  const whole = (container.envFrom ?? []).flatMap(({ configMapRef, secretRef }) => [
    ...(configMapRef === undefined ? [] : [reference("configmap", configMapRef)]),
    ...(secretRef === undefined ? [] : [reference("secret", secretRef)]),
  ]);
  const single = (container.env ?? []).flatMap(keyReferences);
  return firstProblem([...whole, ...single], namespace, find);
}

function keyReferences({ valueFrom }: EnvVar): readonly Reference[] {
  const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  return [
    ...(configMapKeyRef === undefined
      ? []
      : [{ ...reference("configmap", configMapKeyRef), key: configMapKeyRef.key }]),
    ...(secretKeyRef === undefined ? [] : [{ ...reference("secret", secretKeyRef), key: secretKeyRef.key }]),
  ];
}

function volumeProblem({ configMap, secret, projected }: Volume, find: FindKeys): string | undefined {
  const sources = (projected?.sources ?? []).flatMap((source) => [
    ...(source.configMap === undefined ? [] : [reference("configmap", source.configMap)]),
    ...(source.secret === undefined ? [] : [reference("secret", source.secret)]),
  ]);
  const own = [
    ...(configMap === undefined ? [] : [reference("configmap", configMap)]),
    ...(secret === undefined ? [] : [reference("secret", { name: secret.secretName, optional: secret.optional })]),
  ];
  return firstProblem([...own, ...sources], "", find);
}

function reference(
  kind: SourceKind,
  { name, optional }: { readonly name?: string | undefined; readonly optional?: boolean | undefined },
): Reference {
  return { kind, name, optional };
}

function firstProblem(references: readonly Reference[], namespace: string, find: FindKeys): string | undefined {
  for (const { kind, name = "", optional, key } of references) {
    if (optional) continue;
    const keys = find(kind, name);
    if (keys === undefined) return `${kind} ${JSON.stringify(name)} not found`;
    if (key === undefined || keys.has(key)) continue;
    return `couldn't find key ${key} in ${kind === "secret" ? "Secret" : "ConfigMap"} ${namespace}/${name}`;
  }
  return undefined;
}
