/**
 * The conditions of an object whose work is done in one step: Ready and Degraded are opposites, and nothing progresses in
 * between. For `reconcile` controllers; those that wait for a Deployment have rollout-conditions.ts.
 */
import type { ConditionInput } from "../controller/define-controller.ts";

/** A reason for programs and a message for people. */
export interface ConditionText {
  readonly reason: string;
  readonly message: string;
}

/**
 * Ready, Progressing and Degraded: as `fine` says, or as `problem` does where there is one.
 * @example conditions: readyConditions({ reason: "Scheduled", message: "the schedules are followed" }, problem)
 */
export function readyConditions(fine: ConditionText, problem?: ConditionText): ConditionInput[] {
  const isFine = problem === undefined;
  return [
    { type: "Ready", status: isFine ? "True" : "False", ...(problem ?? fine) },
    { type: "Progressing", status: "False", ...(problem ?? fine) },
    {
      type: "Degraded",
      status: isFine ? "False" : "True",
      ...(problem ?? { reason: "AsExpected", message: "nothing is wrong" }),
    },
  ];
}
