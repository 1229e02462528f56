/**
 * Which containers wait for ConfigMaps, Secrets or claims, and since when they wait no more. kubelet.ts asks at each look at a pod;
 * pod-lifecycle.ts lets nothing start before its time. A pod is forgotten with its end.
 */
import type { Pod } from "@kubewright/api/core/v1";
import { cannotMount, type UnmetNeeds } from "./unmet-needs.ts";

/** Remembers what is held back. */
export class Holds {
  readonly #byPod = new Map<string, Map<string, number>>();

  /** Until when each container of the pod is held back, given what it needs at `now`. */
  update(pod: Pod, needs: UnmetNeeds, now: number): ReadonlyMap<string, number> {
    const uid = pod.metadata?.uid ?? "";
    const holds = this.#byPod.get(uid) ?? new Map<string, number>();
    for (const { name } of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
      const isHeld = cannotMount(needs) || needs.containers.has(name);
      if (isHeld && !hasStarted(pod, name)) holds.set(name, Number.POSITIVE_INFINITY);
      else if (holds.get(name) === Number.POSITIVE_INFINITY) holds.set(name, now);
    }
    if (holds.size > 0) this.#byPod.set(uid, holds);
    return holds;
  }

  /** Forgets a pod. */
  release(uid: string): void {
    this.#byPod.delete(uid);
  }
}

/** What runs keeps running: its values were read when it started. */
function hasStarted({ status }: Pod, name: string): boolean {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const { state, lastState } = statuses.find((each) => each.name === name) ?? {};
  return Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
}
