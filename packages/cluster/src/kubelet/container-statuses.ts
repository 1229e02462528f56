/** The statuses of a simulated pod's containers, from their moments (container-moments.ts), for pod-lifecycle.ts. Pure. */
import type { Container, ContainerStatus, Pod } from "@kubewright/api/core/v1";
import type { Timed } from "./pod-conditions.ts";

/** What the status says of each container. */
export function statuses(pod: Pod, timed: readonly Timed[]): ContainerStatus[] {
  return timed.map(({ container, moment }) => {
    const runs = moment.state.waiting === undefined || moment.restartCount > 0;
    return {
      name: container.name,
      image: container.image ?? "",
      imageID: runs ? `simulated://${container.image ?? ""}` : "",
      ...(runs ? { containerID: `simulated://${pod.metadata?.uid}/${container.name}/${moment.restartCount}` } : {}),
      state: moment.state,
      lastState: moment.lastState,
      ready: moment.ready,
      started: moment.started,
      restartCount: moment.restartCount,
      ...(runs ? grantedResources(container) : {}),
    };
  });
}

/** A simulated node grants what a container asks for, at once, also when that changes while it runs. */
function grantedResources({ resources = {} }: Container): Pick<ContainerStatus, "allocatedResources" | "resources"> {
  const { requests, limits } = resources;
  if (requests === undefined && limits === undefined) return {};
  return {
    ...(requests === undefined ? {} : { allocatedResources: requests }),
    resources: { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) },
  };
}
