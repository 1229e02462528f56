/** The checks of the Pod Security Standard "baseline", in Kubernetes' words. Pure functions; what they say of hosts is in hosts.ts. */
import type { Pod, SELinuxOptions } from "@kubewright/api/core/v1";
import {
  type Check,
  containersOf,
  contextsOf,
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
import { hostNamespaces, hostPaths, hostPorts, hostProcess, probedHosts } from "./hosts.ts";

const CAPABILITIES = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

const SYSCTLS_1_0 = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_1_27 = [...SYSCTLS_1_0, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

const SELINUX_TYPES_1_0 = ["", "container_t", "container_init_t", "container_kvm_t"];
const SELINUX_TYPES_1_31 = [...SELINUX_TYPES_1_0, "container_engine_t"];

const APPARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP_ANNOTATION = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER_ANNOTATION = "container.seccomp.security.alpha.kubernetes.io/";

function appArmor(pod: Pod): Violation | undefined {
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && !["RuntimeDefault", "Localhost"].includes(type);
  const setters = settersOf(pod, (context) => isBad(context?.appArmorProfile?.type));
  const annotations = annotationsOf(pod)
    .filter(([name, value]) => name.startsWith(APPARMOR_ANNOTATION) && !isAllowedAppArmor(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .sort();
  const types = contextsOf(pod).flatMap(({ appArmorProfile }) => appArmorProfile?.type ?? []);
  const values = [...distinct(types.filter(isBad)), ...annotations];
  if (values.length === 0) return undefined;
  const sources = [setters ?? [], annotations.length === 0 ? [] : plural("annotation", annotations)].flat();
  return {
    reason: plural("forbidden AppArmor profile", values),
    detail: `${sources.join(" and ")} must not set AppArmor profile type to ${joinQuoted(values)}`,
  };
}

function isAllowedAppArmor(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

function annotationsOf({ metadata }: Pod): readonly (readonly [string, string])[] {
  return Object.entries((metadata?.annotations ?? {}) as Readonly<Record<string, string>>);
}

function capabilities(pod: Pod): Violation | undefined {
  const added = ({ securityContext }: SecuredContainer): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !CAPABILITIES.has(name));
  const names = namesOf(pod, (container) => added(container).length > 0);
  if (names.length === 0) return undefined;
  const values = joinQuoted(distinct(containersOf(pod).flatMap(added)));
  return {
    reason: "non-default capabilities",
    detail: `${named(names)} must not include ${values} in securityContext.capabilities.add`,
  };
}

function privileged(pod: Pod): Violation | undefined {
  const names = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${named(names)} must not set securityContext.privileged=true` };
}

/** The check of "restricted", too, where it knows no exception. */
export function procMount(pod: Pod): Violation | undefined {
  const mountOf = ({ securityContext }: SecuredContainer): string => securityContext?.procMount ?? "Default";
  const names = namesOf(pod, (container) => mountOf(container) !== "Default");
  if (names.length === 0) return undefined;
  const values = distinct(containersOf(pod).map(mountOf)).filter((value) => value !== "Default");
  return {
    reason: "procMount",
    detail: `${named(names)} must not set securityContext.procMount to ${joinQuoted(values)}`,
  };
}

function seccompAnnotations(pod: Pod): Violation | undefined {
  const names = new Set([
    SECCOMP_ANNOTATION,
    ...containersOf(pod).map(({ name }) => `${SECCOMP_CONTAINER_ANNOTATION}${name}`),
  ]);
  const bad = annotationsOf(pod)
    .filter(([name, value]) => names.has(name) && !/^(?:runtime\/default|docker\/default|localhost\/.*)$/s.test(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .sort();
  if (bad.length === 0) return undefined;
  return { reason: "seccompProfile", detail: `forbidden ${plural("annotation", bad)} ${bad.join(", ")}` };
}

/** Whoever sets a profile that is none; the check of "restricted" begins with it. */
export function seccomp(pod: Pod): Violation | undefined {
  const isBad = (type: string | undefined): boolean =>
    type !== undefined && !["RuntimeDefault", "Localhost"].includes(type);
  const setters = settersOf(pod, (context) => isBad(context?.seccompProfile?.type));
  if (setters === undefined) return undefined;
  const types = contextsOf(pod).flatMap(({ seccompProfile }) => seccompProfile?.type ?? []);
  const values = joinQuoted(distinct(types.filter(isBad)));
  return {
    reason: "seccompProfile",
    detail: `${setters} must not set securityContext.seccompProfile.type to ${values}`,
  };
}

function seLinux(allowed: readonly string[]): (pod: Pod) => Violation | undefined {
  const hasBadType = ({ type = "" }: SELinuxOptions): boolean => !allowed.includes(type);
  const isSet = (value: string | undefined): boolean => (value ?? "") !== "";
  const isBad = (options: SELinuxOptions): boolean => hasBadType(options) || isSet(options.user) || isSet(options.role);
  return (pod) => {
    const setters = settersOf(pod, (context) => context?.seLinuxOptions != null && isBad(context.seLinuxOptions));
    if (setters === undefined) return undefined;
    const options = contextsOf(pod).flatMap(({ seLinuxOptions }) => seLinuxOptions ?? []);
    const types = distinct(options.filter(hasBadType).map(({ type = "" }) => type));
    const bad = [
      types.length === 0 ? [] : `${plural("type", types)} ${joinQuoted(types)}`,
      options.some(({ user }) => isSet(user)) ? "user may not be set" : [],
      options.some(({ role }) => isSet(role)) ? "role may not be set" : [],
    ].flat();
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${bad.join("; ")}`;
    return { reason: "seLinuxOptions", detail };
  };
}

function sysctls(allowed: readonly string[]): (pod: Pod) => Violation | undefined {
  return ({ spec }) => {
    const used = (spec?.securityContext?.sysctls ?? []).map(({ name }) => name);
    const bad = used.filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
}

/** The checks. */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", versions: [{ since: 0, find: appArmor }] },
  { id: "capabilities_baseline", versions: [{ since: 0, find: capabilities }] },
  { id: "hostNamespaces", versions: [{ since: 0, find: hostNamespaces }] },
  { id: "hostPathVolumes", versions: [{ since: 0, find: hostPaths }] },
  { id: "hostPorts", versions: [{ since: 0, find: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", versions: [{ since: 34, find: probedHosts }] },
  { id: "privileged", versions: [{ since: 0, find: privileged }] },
  {
    id: "procMount",
    versions: [
      { since: 0, find: procMount },
      { since: 35, find: (pod) => (hasOwnUsers(pod) ? undefined : procMount(pod)) },
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      { since: 0, find: seLinux(SELINUX_TYPES_1_0) },
      { since: 31, find: seLinux(SELINUX_TYPES_1_31) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      { since: 0, find: seccompAnnotations },
      { since: 19, find: seccomp },
    ],
  },
  {
    id: "sysctls",
    versions: [
      { since: 0, find: sysctls(SYSCTLS_1_0) },
      { since: 27, find: sysctls(SYSCTLS_1_27) },
      { since: 29, find: sysctls(SYSCTLS_1_29) },
      { since: 32, find: sysctls(SYSCTLS_1_32) },
    ],
  },
  { id: "windowsHostProcess", versions: [{ since: 0, find: hostProcess }] },
];
