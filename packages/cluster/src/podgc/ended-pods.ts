/**
 * Counts pods that ended and finds those that are too many: evicted ones first, then the oldest. controller.ts tells it of
 * every change and removes what it finds. Nothing is sorted while there are few.
 */
import { Pod } from "@kubewright/api/core/v1";
import type { CacheReader } from "@kubewright/runtime";
import { isPodFinished } from "../workload/pod-state.ts";

/** The pods that ended and are still there. */
export class EndedPods {
  readonly #max: number;
  readonly #uids = new Set<string>();
  #surplus: ReadonlySet<string> = new Set();

  /** `max`: how many may be left; 0 for any number. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Takes the newest state of a pod; true when there are too many now. */
  note(pod: Pod, isGone: boolean): boolean {
    const uid = pod.metadata?.uid ?? "";
    if (isGone) this.#uids.delete(uid);
    else if (isPodFinished(pod)) this.#uids.add(uid);
    return this.#hasTooMany;
  }

  /** Those that have to go. */
  surplus(cache: CacheReader): readonly Pod[] {
    if (!this.#hasTooMany) return [];
    const ended = cache.list(Pod).filter(isPodFinished).toSorted(compareWorth);
    const surplus = ended.slice(0, Math.max(0, ended.length - this.#max));
    this.#surplus = new Set(surplus.map(({ metadata }) => metadata?.uid ?? ""));
    return surplus;
  }

  /** True when the pod was found to have to go. */
  isSurplus({ metadata }: Pod): boolean {
    return this.#surplus.has(metadata?.uid ?? "");
  }

  get #hasTooMany(): boolean {
    return this.#max > 0 && this.#uids.size > this.#max;
  }
}

function compareWorth(left: Pod, right: Pod): number {
  const key = ({ metadata, status }: Pod): string =>
    `${status?.reason === "Evicted" ? 0 : 1} ${metadata?.creationTimestamp ?? ""} ${metadata?.name ?? ""}`;
  const [first, second] = [key(left), key(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}
