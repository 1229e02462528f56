/** The checks that the Pod Security Standard "restricted" adds to "baseline". Pure functions. */
import type { Pod, Volume } from "@kubewright/api/core/v1";
import { procMount, seccomp } from "./baseline.ts";
import {
  type Check,
  containersOf,
  distinct,
  hasOwnUsers,
  joinQuoted,
  named,
  namesOf,
  plural,
  type SecuredContainer,
  settersOf,
  type Violation,
} from "./check.ts";

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

type Find = (pod: Pod) => Violation | undefined;

/** Pods for Windows cannot set what the check asks for. */
function exceptWindows(find: Find): Find {
  return (pod) => (pod.spec?.os?.name === "windows" ? undefined : find(pod));
}

/** Pods with users of their own may do as they like inside. */
function exceptOwnUsers(find: Find): Find {
  return (pod) => (hasOwnUsers(pod) ? undefined : find(pod));
}

function escalation(pod: Pod): Violation | undefined {
  const names = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${named(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities(pod: Pod): Violation | undefined {
  const addedBy = ({ securityContext }: SecuredContainer): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const keeping = namesOf(pod, ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes("ALL"));
  const adding = namesOf(pod, (container) => addedBy(container).length > 0);
  const added = joinQuoted(distinct(containersOf(pod).flatMap(addedBy)));
  const details = [
    keeping.length === 0 ? [] : `${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`,
    adding.length === 0 ? [] : `${named(adding)} must not include ${added} in securityContext.capabilities.add`,
  ].flat();
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function volumes({ spec }: Pod): Violation | undefined {
  const typeOf = (volume: Volume): string => Object.keys(volume).find((key) => key !== "name") ?? "unknown";
  const bad = ((spec?.volumes ?? []) as readonly Volume[]).filter((volume) => !VOLUME_TYPES.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = distinct(bad.map(typeOf));
  const verb = names.length === 1 ? "uses" : "use";
  return {
    reason: "restricted volume types",
    detail: `${plural("volume", names)} ${joinQuoted(names)} ${verb} ${plural("restricted volume type", types)} ${joinQuoted(types)}`,
  };
}

function nonRoot(pod: Pod): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const setters = settersOf(pod, (context) => context?.runAsNonRoot === false);
  if (setters !== undefined) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec?.securityContext?.runAsNonRoot === true) return undefined;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot == null);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named(silent)} must set securityContext.runAsNonRoot=true` };
}

function user(pod: Pod): Violation | undefined {
  const setters = settersOf(pod, (context) => context?.runAsUser === 0);
  return setters === undefined ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}

function seccompProfile(pod: Pod): Violation | undefined {
  const bad = seccomp(pod);
  if (bad !== undefined) return bad;
  if (pod.spec?.securityContext?.seccompProfile != null) return undefined;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile == null);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${named(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

/** The checks. */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { since: 8, find: escalation },
      { since: 25, find: exceptWindows(escalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    replaces: "capabilities_baseline",
    versions: [
      { since: 22, find: capabilities },
      { since: 25, find: exceptWindows(capabilities) },
    ],
  },
  { id: "procMount_restricted", replaces: "procMount", versions: [{ since: 35, find: procMount }] },
  { id: "restrictedVolumes", replaces: "hostPathVolumes", versions: [{ since: 0, find: volumes }] },
  {
    id: "runAsNonRoot",
    versions: [
      { since: 0, find: nonRoot },
      { since: 35, find: exceptOwnUsers(nonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { since: 23, find: user },
      { since: 35, find: exceptOwnUsers(user) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    replaces: "seccompProfile_baseline",
    versions: [
      { since: 19, find: seccompProfile },
      { since: 25, find: exceptWindows(seccompProfile) },
    ],
  },
];
