/**
 * The conditions of a status, by the rules every controller follows: one per type, and lastTransitionTime says when the
 * status last flipped, not when it was last written. Lists are never changed in place; where nothing differs the same
 * list comes back, so "did anything change" is a comparison of references.
 */
import type { Condition } from "./object.ts";
import { formatTime } from "./time.ts";

/** A condition to set. The time is taken from the stored one, or from `now`. */
export type ConditionUpdate = Omit<Condition, "lastTransitionTime"> & Partial<Pick<Condition, "lastTransitionTime">>;

/** The conditions with `update` in the place of the one of its type, or at the end. `now` is milliseconds. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: number,
): readonly Condition[] {
  const stored = findCondition(conditions, update.type);
  if (stored === undefined) return [...(conditions ?? []), withTime(update, formatTime(now))];
  const next =
    stored.status === update.status
      ? { ...update, lastTransitionTime: stored.lastTransitionTime }
      : withTime(update, formatTime(now));
  if (isSameCondition(stored, next)) return conditions ?? [];
  return (conditions ?? []).map((condition) => (condition === stored ? next : condition));
}

/** As `setCondition` for several; conditions of other types stay, in their order. */
export function mergeConditions(
  conditions: readonly Condition[] | undefined,
  updates: readonly ConditionUpdate[],
  now: number,
): readonly Condition[] {
  return updates.reduce<readonly Condition[]>((merged, update) => setCondition(merged, update, now), conditions ?? []);
}

/** The conditions without the one of `type`. */
export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return findCondition(conditions, type) === undefined
    ? conditions
    : conditions.filter((condition) => condition.type !== type);
}

/** The condition of `type`. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** True when the condition is there and "True". */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** True when the condition is there and "False". */
export function isConditionFalse(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "False";
}

function withTime(update: ConditionUpdate, time: string): Condition {
  return { ...update, lastTransitionTime: update.lastTransitionTime ?? time };
}

function isSameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
