/** What a kubelet tells in events between two statuses of a pod, in its words. Pure; kubelet.ts records them. */
import type { ContainerStatus, Pod, PodStatus } from "@kubewright/api/core/v1";
import { podWords, pullProblem } from "./waiting-words.ts";

/** Something to tell about a pod. */
export interface PodEvent {
  readonly type: "normal" | "warning";
  readonly reason: string;
  readonly note: string;
  /** Which container of the pod it is about. */
  readonly fieldPath: string;
}

/** What happened to `pod` until it had the status `now`. */
export function eventsOf(pod: Pod, now: PodStatus): PodEvent[] {
  const before = allStatuses(pod.status);
  return allStatuses(now).flatMap((container) => {
    const previous = before.find(({ name }) => name === container.name);
    const events = containerEvents(container, previous, pod);
    if (events.length === 0) return [];
    const fieldPath = pathOfContainer(pod, container.name);
    return events.map((event) => ({ ...event, fieldPath }));
  });
}

/** "spec.containers{app}". */
export function pathOfContainer({ spec }: Pod, name: string): string {
  const isInit = spec?.initContainers?.some((container) => container.name === name) ?? false;
  return `spec.${isInit ? "initContainers" : "containers"}{${name}}`;
}

type Told = Omit<PodEvent, "fieldPath">;

function allStatuses(status: PodStatus | undefined): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function containerEvents(container: ContainerStatus, previous: ContainerStatus | undefined, pod: Pod): Told[] {
  const { name, image, state } = container;
  if (hasStarted(container, previous)) {
    return [
      normal("Pulled", `Container image ${JSON.stringify(image)} already present on machine`),
      normal("Created", "Container created"),
      normal("Started", "Container started"),
      ...(isProbedUnready(container, pod) ? [warning("Unhealthy", "Readiness probe failed: simulated")] : []),
    ];
  }
  const { reason, message } = state?.waiting ?? {};
  if (reason === previous?.state?.waiting?.reason) return [];
  switch (reason) {
    case "CreateContainerConfigError":
      return [warning("Failed", `Error: ${message}`)];
    case "InvalidImageName":
      return [warning("InspectFailed", message ?? ""), warning("Failed", "Error: InvalidImageName")];
    case "ErrImagePull":
      return [
        normal("Pulling", `Pulling image ${JSON.stringify(image)}`),
        warning("Failed", `Failed to pull image ${JSON.stringify(image)}: ${pullProblem(container)}`),
        warning("Failed", "Error: ErrImagePull"),
      ];
    case "ImagePullBackOff":
      return [
        normal("BackOff", `Back-off pulling image ${JSON.stringify(image)}`),
        warning("Failed", "Error: ImagePullBackOff"),
      ];
    case "CrashLoopBackOff":
      return [warning("BackOff", `Back-off restarting failed container ${name} in pod ${podWords(pod)}`)];
    default:
      return [];
  }
}

function hasStarted({ state, containerID }: ContainerStatus, previous: ContainerStatus | undefined): boolean {
  if (containerID === undefined || state?.waiting !== undefined) return false;
  return containerID !== previous?.containerID || previous.state?.waiting !== undefined;
}

/** Runs, is not ready yet, and has a probe that finds out. */
function isProbedUnready({ name, state, ready }: ContainerStatus, { spec }: Pod): boolean {
  const probe = spec?.containers.find((container) => container.name === name)?.readinessProbe;
  return state?.running !== undefined && !ready && probe !== undefined;
}

function normal(reason: string, note: string): Told {
  return { type: "normal", reason, note };
}

function warning(reason: string, note: string): Told {
  return { type: "warning", reason, note };
}
