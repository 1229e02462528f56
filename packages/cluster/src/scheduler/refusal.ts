/** Why a node cannot take a pod, in kube-scheduler's words. The filters make them; preemption.ts asks whether it is worth a try. */

/** What one filter has against a node. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** True when the node might do without some of its pods. */
  readonly isResolvable: boolean;
}

/** A refusal that holds whoever leaves the node. */
export function final(reason: string): Refusal {
  return { reasons: [reason], isResolvable: false };
}

/** A refusal because of other pods. */
export function resolvable(reason: string): Refusal {
  return { reasons: [reason], isResolvable: true };
}
