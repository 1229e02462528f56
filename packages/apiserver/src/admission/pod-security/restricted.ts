/** The checks that the Pod Security Standard "restricted" adds to "baseline", as of its latest version. Pure functions. */
import type { Pod, PodSpec, Volume } from "@kubewright/api/core/v1";
import { type Check, containersOf, joinQuoted, plural, settersOf } from "./check.ts";

const VOLUME_TYPES = new Set([
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

const NONE: PodSpec = { containers: [] };

function named(names: readonly string[]): string {
  return `${plural("container", names)} ${joinQuoted(names)}`;
}

function isWindows({ spec = NONE }: Pod): boolean {
  return spec.os?.name === "windows";
}

function escalation(pod: Pod): string | undefined {
  if (isWindows(pod)) return undefined;
  const bad = containersOf(pod.spec ?? NONE).filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  return `${named(bad.map(({ name }) => name))} must set securityContext.allowPrivilegeEscalation=false`;
}

function capabilities(pod: Pod): string | undefined {
  if (isWindows(pod)) return undefined;
  const containers = containersOf(pod.spec ?? NONE);
  const keeping = containers.filter(({ securityContext }) => !securityContext?.capabilities?.drop?.includes("ALL"));
  const addedBy = (container: (typeof containers)[number]): readonly string[] =>
    (container.securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const adding = containers.filter((container) => addedBy(container).length > 0);
  const added = [...new Set(adding.flatMap(addedBy))].sort();
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${named(keeping.map(({ name }) => name))} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${named(adding.map(({ name }) => name))} must not include ${joinQuoted(added)} in securityContext.capabilities.add`,
        ]),
  ];
  return details.length === 0 ? undefined : details.join("; ");
}

function volumes({ spec = NONE }: Pod): string | undefined {
  const typeOf = (volume: Volume): string => Object.keys(volume).find((key) => key !== "name") ?? "unknown";
  const bad = ((spec.volumes ?? []) as readonly Volume[]).filter((volume) => !VOLUME_TYPES.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = [...new Set(bad.map(typeOf))].sort();
  const verb = names.length === 1 ? "uses" : "use";
  return `${plural("volume", names)} ${joinQuoted(names)} ${verb} ${plural("restricted volume type", types)} ${joinQuoted(types)}`;
}

function nonRoot({ spec = NONE }: Pod): string | undefined {
  if (spec.hostUsers === false) return undefined;
  const setters = settersOf(spec, (context) => context?.runAsNonRoot === false);
  if (setters !== undefined) return `${setters} must not set securityContext.runAsNonRoot=false`;
  if (spec.securityContext?.runAsNonRoot === true) return undefined;
  const silent = containersOf(spec).filter(({ securityContext }) => securityContext?.runAsNonRoot == null);
  if (silent.length === 0) return undefined;
  return `pod or ${named(silent.map(({ name }) => name))} must set securityContext.runAsNonRoot=true`;
}

function user({ spec = NONE }: Pod): string | undefined {
  if (spec.hostUsers === false) return undefined;
  const setters = settersOf(spec, (context) => context?.runAsUser === 0);
  return setters === undefined ? undefined : `${setters} must not set runAsUser=0`;
}

function seccomp(pod: Pod): string | undefined {
  if (isWindows(pod)) return undefined;
  const { spec = NONE } = pod;
  const isAllowed = (type: string | undefined): boolean => type === "RuntimeDefault" || type === "Localhost";
  const bad = settersOf(spec, (context) => context?.seccompProfile != null && !isAllowed(context.seccompProfile.type));
  if (bad !== undefined) return `${bad} must not set securityContext.seccompProfile.type to "Unconfined"`;
  if (isAllowed(spec.securityContext?.seccompProfile?.type)) return undefined;
  const silent = containersOf(spec).filter(({ securityContext }) => securityContext?.seccompProfile == null);
  if (silent.length === 0) return undefined;
  const names = named(silent.map(({ name }) => name));
  return `pod or ${names} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
}

/** The checks in the order in which they are told. */
export const restrictedChecks: readonly Check[] = [
  { reason: "allowPrivilegeEscalation != false", find: escalation },
  { reason: "unrestricted capabilities", find: capabilities },
  { reason: "restricted volume types", find: volumes },
  { reason: "runAsNonRoot != true", find: nonRoot },
  { reason: "runAsUser=0", find: user },
  { reason: "seccompProfile", find: seccomp },
];
