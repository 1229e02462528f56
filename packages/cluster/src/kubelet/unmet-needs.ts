/**
 * What a pod needs that is not there: ConfigMaps and Secrets that its containers' environment or its volumes name, and claims that
 * are missing or not bound. Pure; kubelet.ts holds the pod back until they are there. The messages are in a kubelet's words.
 */
import type { Container, EnvVar, PersistentVolumeClaim, Pod, Volume } from "@kubewright/api/core/v1";
import { claimOf, whyNotFor } from "../storage/consumers.ts";
import { CLAIM_PROTECTION } from "../storage/names.ts";

/** A kind of object that pods take values from. */
export type SourceKind = "configmap" | "secret";

/** The keys of an object that is there; undefined when it is not. */
export type FindKeys = (kind: SourceKind, name: string) => ReadonlySet<string> | undefined;

/** What there is. */
export interface Sources {
  readonly find: FindKeys;
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
}

/** What is missing. */
export interface UnmetNeeds {
  /** Volumes that cannot be mounted: no container of the pod can be made. */
  readonly volumes: readonly UnmetVolume[];
  /** Volumes of claims that cannot be used: the same, in other words. */
  readonly claims: readonly UnmetVolume[];
  /** Problems of containers that cannot be configured, by name. */
  readonly containers: ReadonlyMap<string, string>;
}

/** A volume and what is wrong with it. */
export interface UnmetVolume {
  readonly volume: string;
  readonly problem: string;
}

/** The needs of `pod` that are not met. */
export function unmetNeeds(pod: Pod, { find, claim }: Sources): UnmetNeeds {
  const { volumes = [], containers = [], initContainers = [] } = pod.spec ?? {};
  const namespace = pod.metadata?.namespace ?? "";
  const problems = [...initContainers, ...containers].flatMap((container): [string, string][] => {
    const problem = environmentProblem(container, namespace, find);
    return problem === undefined ? [] : [[container.name, problem]];
  });
  const unmet = (problemOf: (volume: Volume) => string | undefined): readonly UnmetVolume[] =>
    volumes.flatMap((volume) => {
      const problem = problemOf(volume);
      return problem === undefined || !isMounted(pod, volume.name) ? [] : [{ volume: volume.name, problem }];
    });
  return {
    volumes: unmet((volume) => volumeProblem(volume, find)),
    claims: unmet((volume) => claimProblem(pod, volume, claim)),
    containers: new Map(problems),
  };
}

/** True when a volume keeps all containers from being made. */
export function cannotMount({ volumes, claims }: UnmetNeeds): boolean {
  return volumes.length > 0 || claims.length > 0;
}

/** Kubelets leave volumes alone that no container uses. */
function isMounted({ spec }: Pod, volume: string): boolean {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(
    ({ volumeMounts = [], volumeDevices = [] }) =>
      [...volumeMounts, ...volumeDevices].some(({ name }) => name === volume),
  );
}

function claimProblem(pod: Pod, volume: Volume, find: Sources["claim"]): string | undefined {
  const name = claimOf(pod, volume);
  if (name === undefined) return undefined;
  const claim = find(name);
  const problem =
    claim === undefined
      ? `failed to fetch PVC from API server: persistentvolumeclaims ${JSON.stringify(name)} not found`
      : unusable(claim);
  if (problem !== undefined) return `error processing PVC ${pod.metadata?.namespace}/${name}: ${problem}`;
  return claim === undefined || volume.ephemeral === undefined ? undefined : whyNotFor(pod, claim);
}

function unusable({ metadata, spec, status }: PersistentVolumeClaim): string | undefined {
  const isProtected = metadata?.finalizers?.includes(CLAIM_PROTECTION) === true;
  if (metadata?.deletionTimestamp !== undefined && !isProtected) return "PVC is being deleted";
  if (status?.phase !== "Bound") return "PVC is not bound";
  return spec?.volumeName ? undefined : "PVC has empty pvc.Spec.VolumeName";
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
