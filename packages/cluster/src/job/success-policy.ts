/** Whether an Indexed Job has succeeded early, by its `successPolicy`. Pure. */
import type { Job, SuccessPolicyRule } from "@kubewright/api/batch/v1";
import { parseIndexes } from "./indexes.ts";

/** Which rule is met, in the words of the Job's condition; undefined when none is. */
export function matchSuccessPolicy(job: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const rules = job.spec?.successPolicy?.rules ?? [];
  const met = rules.findIndex((rule) => isMet(rule, succeeded, job.spec?.completions ?? 0));
  return met === -1 ? undefined : `Matched rules at index ${met}`;
}

function isMet(rule: SuccessPolicyRule, succeeded: ReadonlySet<number>, completions: number): boolean {
  const { succeededIndexes, succeededCount = Number.POSITIVE_INFINITY } = rule;
  if (succeededIndexes === undefined) return succeeded.size >= succeededCount;
  const wanted = parseIndexes(succeededIndexes, completions);
  const reached = [...wanted].filter((index) => succeeded.has(index)).length;
  return wanted.size > 0 && (reached === wanted.size || reached >= succeededCount);
}
