/** Those checks of the Pod Security Standard "baseline" that keep pods from their node: its namespaces, paths, ports, processes. */
import type { LifecycleHandler, Pod, Probe } from "@kubewright/api/core/v1";
import {
  containersOf,
  distinct,
  joinQuoted,
  named,
  namesOf,
  plural,
  type SecuredContainer,
  settersOf,
  type Violation,
} from "./check.ts";

/** Namespaces of the node. */
export function hostNamespaces({ spec }: Pod): Violation | undefined {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec?.[field] === true);
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((field) => `${field}=true`).join(", ") };
}

/** Directories of the node. */
export function hostPaths({ spec }: Pod): Violation | undefined {
  const names = (spec?.volumes ?? []).filter(({ hostPath }) => hostPath != null).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", names)} ${joinQuoted(names)}` };
}

/** Ports of the node. */
export function hostPorts(pod: Pod): Violation | undefined {
  const portsOf = ({ ports }: SecuredContainer): readonly string[] =>
    (ports ?? []).flatMap(({ hostPort }) => ((hostPort ?? 0) === 0 ? [] : String(hostPort)));
  const names = namesOf(pod, (container) => portsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = distinct(containersOf(pod).flatMap(portsOf));
  return {
    reason: "hostPort",
    detail: `${named(names)} ${use(names)} ${plural("hostPort", ports)} ${ports.join(", ")}`,
  };
}

/** Other hosts than the pod's own, in probes and hooks. */
export function probedHosts(pod: Pod): Violation | undefined {
  const names = distinct(namesOf(pod, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = distinct(containersOf(pod).flatMap(hostsOf));
  const reason = "probe or lifecycle host";
  return { reason, detail: `${named(names)} ${use(names)} ${plural(reason, hosts)} ${joinQuoted(hosts)}` };
}

function hostsOf(container: SecuredContainer): readonly string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers: readonly (Probe | LifecycleHandler | null | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  const hosts = handlers.flatMap((handler) => [handler?.httpGet?.host ?? "", handler?.tcpSocket?.host ?? ""]);
  return hosts.filter((host) => host !== "");
}

/** Processes of a Windows node. */
export function hostProcess(pod: Pod): Violation | undefined {
  const setters = settersOf(pod, (context) => context?.windowsOptions?.hostProcess === true);
  if (setters === undefined) return undefined;
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
}

function use(names: readonly string[]): string {
  return names.length === 1 ? "uses" : "use";
}
