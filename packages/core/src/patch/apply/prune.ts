/**
 * Removes what a manager applied last time and does not apply any more, unless somebody else owns it. First everything
 * of last time goes, then comes back what anyone owns now, and then what was never this manager's.
 */
import type { JsonObject } from "../../meta/json.ts";
import { difference, type FieldSet, intersection, isSubset, union } from "./field-set.ts";
import { withNamedFields } from "./field-set-schema.ts";
import type { ManagerFields, Managers } from "./managers.ts";
import { fieldsOf } from "./typed-fields.ts";
import { type TypedObject, toVersion, type VersionConverter } from "./typed-object.ts";
import { removeFields } from "./typed-remove.ts";

/** What pruning looks at. */
export interface PruneInput {
  /** The live object with the configuration laid over it. */
  readonly merged: TypedObject;
  /** All managers, the applying one with its new fields. */
  readonly managers: Managers;
  /** What the applying manager owned before. */
  readonly last: ManagerFields | undefined;
  /** What it owns now. */
  readonly next: FieldSet;
  readonly converter: VersionConverter | undefined;
}

/** The merged object without what the manager dropped. */
export function prune({ merged, managers, last, next, converter }: PruneInput): TypedObject {
  if (last === undefined) return merged;
  // The common case: the same fields are applied again, so there is nothing to drop.
  if (last.apiVersion === merged.apiVersion && isSubset(last.fields, next)) return merged;
  const base = toVersion(merged, last.apiVersion, converter);
  if (base === undefined) return merged;
  const removed = without(base, withNamedFields(last.fields, base.view));
  const owned = addBackOwned({ merged: base, pruned: removed }, managers, converter);
  const kept = addBackDangling(base, owned, { last, converter });
  return toVersion(kept, merged.apiVersion, converter) ?? merged;
}

interface Pruning {
  readonly merged: TypedObject;
  readonly pruned: TypedObject;
}

function addBackOwned(start: Pruning, managers: Managers, converter: VersionConverter | undefined): TypedObject {
  const byVersion = new Map<string, FieldSet>();
  // The version that was pruned comes first: another one might not convert without what it gets back.
  byVersion.set(start.pruned.apiVersion, { members: new Set(), children: new Map() });
  for (const { apiVersion, fields } of managers.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? { members: new Set(), children: new Map() }, fields));
  }
  let { merged, pruned } = start;
  for (const [apiVersion, owned] of byVersion) {
    const whole = toVersion(merged, apiVersion, converter);
    const rest = toVersion(pruned, apiVersion, converter);
    if (whole === undefined || rest === undefined) continue;
    const keep = union(namedFieldsOf(rest), withNamedFields(owned, whole.view));
    merged = whole;
    pruned = without(whole, difference(namedFieldsOf(whole), keep));
  }
  return pruned;
}

/** Only what the manager itself owned may go; everything else that went with it comes back. */
function addBackDangling(
  merged: TypedObject,
  pruned: TypedObject,
  { last, converter }: { readonly last: ManagerFields; readonly converter: VersionConverter | undefined },
): TypedObject {
  const rest = toVersion(pruned, last.apiVersion, converter);
  if (rest === undefined) return merged;
  const gone = difference(namedFieldsOf(merged), withNamedFields(fieldsOf(rest.object, rest.view), merged.view));
  return without(merged, intersection(gone, withNamedFields(last.fields, merged.view)));
}

function namedFieldsOf({ object, view }: TypedObject): FieldSet {
  return withNamedFields(fieldsOf(object, view), view);
}

function without(typed: TypedObject, fields: FieldSet): TypedObject {
  const object = removeFields(typed.object, fields, typed.view);
  return object === typed.object ? typed : { ...typed, object: (object ?? {}) as JsonObject };
}
