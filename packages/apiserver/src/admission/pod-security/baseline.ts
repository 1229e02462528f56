/** The checks of the Pod Security Standard "baseline", as of its latest version, in Kubernetes' words. Pure functions. */
import type { Pod, PodSpec } from "@kubewright/api/core/v1";
import { type Check, containersOf, joinQuoted, plural, type SecuredContainer, settersOf } from "./check.ts";

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

const SYSCTLS = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

/** `container "a" must not …`, for the containers that do. */
function forbidContainers(
  spec: PodSpec,
  isBad: (container: SecuredContainer) => boolean,
  detail: string,
): string | undefined {
  const names = containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name);
  return names.length === 0 ? undefined : `${plural("container", names)} ${joinQuoted(names)} ${detail}`;
}

function hostNamespaces({ spec = { containers: [] } }: Pod): string | undefined {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  return used.length === 0 ? undefined : used.map((field) => `${field}=true`).join(", ");
}

function hostPaths({ spec = { containers: [] } }: Pod): string | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath != null).map(({ name }) => name);
  return names.length === 0 ? undefined : `${plural("volume", names)} ${joinQuoted(names)}`;
}

function hostPorts({ spec = { containers: [] } }: Pod): string | undefined {
  const bad = containersOf(spec).filter(({ ports = [] }) => (ports ?? []).some(({ hostPort = 0 }) => hostPort !== 0));
  if (bad.length === 0) return undefined;
  const ports = new Set(
    bad.flatMap(({ ports: own = [] }) => own.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))),
  );
  const names = bad.map(({ name }) => name);
  const verb = names.length === 1 ? "uses" : "use";
  return `${plural("container", names)} ${joinQuoted(names)} ${verb} ${plural("hostPort", [...ports])} ${[...ports].sort().join(", ")}`;
}

function privileged({ spec = { containers: [] } }: Pod): string | undefined {
  const isBad = ({ securityContext }: SecuredContainer): boolean => securityContext?.privileged === true;
  return forbidContainers(spec, isBad, "must not set securityContext.privileged=true");
}

function capabilities({ spec = { containers: [] } }: Pod): string | undefined {
  const added = ({ securityContext }: SecuredContainer): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !CAPABILITIES.has(name));
  const values = [...new Set(containersOf(spec).flatMap(added))].sort();
  const detail = `must not include ${joinQuoted(values)} in securityContext.capabilities.add`;
  return forbidContainers(spec, (container) => added(container).length > 0, detail);
}

function procMount({ spec = { containers: [] } }: Pod): string | undefined {
  if (spec.hostUsers === false) return undefined;
  const mountOf = ({ securityContext }: SecuredContainer): string => securityContext?.procMount ?? "Default";
  const values = [...new Set(containersOf(spec).map(mountOf))].filter((value) => value !== "Default").sort();
  const isBad = (container: SecuredContainer): boolean => mountOf(container) !== "Default";
  return forbidContainers(spec, isBad, `must not set securityContext.procMount to ${joinQuoted(values)}`);
}

function seccomp({ spec = { containers: [] } }: Pod): string | undefined {
  const isBad = (context: SecuredContainer["securityContext"]): boolean =>
    context?.seccompProfile?.type === "Unconfined";
  const setters = settersOf(spec, isBad);
  return setters === undefined
    ? undefined
    : `${setters} must not set securityContext.seccompProfile.type to "Unconfined"`;
}

function sysctls({ spec = { containers: [] } }: Pod): string | undefined {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !SYSCTLS.has(name));
  return names.length === 0 ? undefined : names.join(", ");
}

function hostProcess({ spec = { containers: [] } }: Pod): string | undefined {
  const isBad = (context: SecuredContainer["securityContext"]): boolean =>
    context?.windowsOptions?.hostProcess === true;
  const setters = settersOf(spec, isBad);
  return setters === undefined ? undefined : `${setters} must not set securityContext.windowsOptions.hostProcess=true`;
}

/** The checks in the order in which they are told. */
export const baselineChecks: readonly Check[] = [
  { reason: "non-default capabilities", find: capabilities, replacedBy: "unrestricted capabilities" },
  { reason: "host namespaces", find: hostNamespaces },
  { reason: "hostPath volumes", find: hostPaths },
  { reason: "hostPort", find: hostPorts },
  { reason: "privileged", find: privileged },
  { reason: "procMount", find: procMount },
  { reason: "seccompProfile", find: seccomp, replacedBy: "seccompProfile" },
  { reason: "forbidden sysctls", find: sysctls },
  { reason: "hostProcess", find: hostProcess },
];
