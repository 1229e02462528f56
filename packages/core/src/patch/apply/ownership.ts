/**
 * Who owns what after an object changed. Takes the object before and after and the managers before; others lose what
 * was changed or removed under them (or, when an apply is not forced, that is a conflict). The rules are those of
 * structured-merge-diff's updater.
 */
import { compareBytes } from "../go-format.ts";
import type { Conflict } from "./conflict.ts";
import {
  difference,
  type FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from "./field-set.ts";
import { reconcileWithSchema } from "./field-set-schema.ts";
import type { ManagerFields, Managers } from "./managers.ts";
import { type Comparison, compareTyped } from "./typed-compare.ts";
import { type TypedObject, toVersion, type VersionConverter } from "./typed-object.ts";

/** One change of an object, as ownership sees it. */
export interface Change {
  readonly before: TypedObject;
  readonly after: TypedObject;
  /** Fields that this endpoint never writes; nobody gains or loses them here. */
  readonly ignored: FieldSet;
  readonly converter: VersionConverter | undefined;
}

/** What a change does to the other managers. */
export interface Shift {
  /** The managers after the change, the acting one untouched. */
  readonly managers: Managers;
  /** What changed, in the version of the request. */
  readonly comparison: Comparison;
  /** What others own and the change touches, sorted; nothing when nobody applies, who alone is in conflict with others. */
  readonly conflicts: readonly Conflict[];
}

/** Takes changed and removed fields from every manager but `actor` (undefined for nobody). Managers of unserved versions vanish. */
export function shiftOwnership(managers: Managers, change: Change, actor?: string): Shift {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareIn(change, apiVersion));
    return comparisons.get(apiVersion);
  };
  const comparison = comparisonIn(change.after.apiVersion) as Comparison;
  const conflicts: Conflict[] = [];
  const remaining = new Map<string, ManagerFields>();
  for (const [id, owner] of [...managers].sort(([left], [right]) => compareBytes(left, right))) {
    const changed = id === actor ? undefined : comparisonIn(owner.apiVersion);
    if (changed === undefined && id !== actor) continue;
    const touched = changed && intersection(owner.fields, union(changed.modified, changed.added));
    if (touched !== undefined && actor !== undefined) {
      for (const path of pathsOf(touched)) conflicts.push({ owner, path });
    }
    const fields = changed === undefined ? owner.fields : withoutChanged(owner.fields, changed, touched);
    if (!isEmptySet(fields)) remaining.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return { managers: remaining, comparison, conflicts };
}

/** Managers as the current schemas have them: sets below what is atomic now collapse, unserved versions vanish. */
export function reconcileManagers(
  managers: Managers,
  live: TypedObject,
  converter: VersionConverter | undefined,
): Managers {
  const reconciled = new Map<string, ManagerFields>();
  for (const [id, owner] of managers) {
    const typed = toVersion(live, owner.apiVersion, converter);
    if (typed === undefined) continue;
    const fields = reconcileWithSchema(owner.fields, typed.view);
    reconciled.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return reconciled;
}

function withoutChanged(fields: FieldSet, changed: Comparison, touched: FieldSet | undefined): FieldSet {
  const kept = touched === undefined || isEmptySet(touched) ? fields : difference(fields, touched);
  return difference(kept, changed.removed);
}

function compareIn({ before, after, ignored, converter }: Change, apiVersion: string): Comparison | undefined {
  const left = toVersion(before, apiVersion, converter);
  const right = toVersion(after, apiVersion, converter);
  if (left === undefined || right === undefined) return undefined;
  const { removed, modified, added } = compareTyped(left.object, right.object, right.view);
  return {
    removed: recursiveDifference(removed, ignored),
    modified: recursiveDifference(modified, ignored),
    added: recursiveDifference(added, ignored),
  };
}
