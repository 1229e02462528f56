/**
 * Owners after several writes in a row, told at once: a server that works them out late calls it with what it remembers.
 * Writes of one manager are joined: what each of them changed is found, and applied to all managers in one step. Always
 * holds: the result is that of `trackFieldOwnership`, write by write, which also does what cannot be joined.
 */
import type { JsonObject } from "../../meta/json.ts";
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  isEmptySet,
  recursiveDifference,
  setsEqual,
  union,
} from "./field-set.ts";
import {
  encodeManagers,
  identityOf,
  type ManagerFields,
  type Managers,
  UPDATE_MANAGERS_MAX,
  withManager,
} from "./managers.ts";
import { neverOwned } from "./never-owned.ts";
import { managedFieldsOf, withManagedFields } from "./object-managed-fields.ts";
import { reconcileManagers } from "./ownership.ts";
import { ignoredFields, managerOf } from "./ownership-request.ts";
import { decodeOrNothing, type TrackOptions, trackFieldOwnership } from "./track-ownership.ts";
import { resourceView } from "./type-view.ts";
import { compareTyped } from "./typed-compare.ts";
import { validateTyped } from "./typed-validate.ts";

type Entries = readonly JsonObject[] | undefined;

/**
 * The managedFields after `writes` of one object, oldest first, that had those of `entries` before them. The objects of the
 * writes do not tell them.
 */
export function trackWrites(entries: Entries, writes: readonly TrackOptions[]): Entries {
  let told = entries;
  for (let start = 0, end = 0; start < writes.length; start = end) {
    const first = writes[start] as TrackOptions;
    while (end < writes.length && isSameWriter(first, writes[end] as TrackOptions)) end++;
    const run = writes.slice(start, end);
    told = joined(told, run) ?? run.reduce(trackWrite, told);
  }
  return told;
}

function isSameWriter(left: TrackOptions, right: TrackOptions): boolean {
  return (
    left.manager === right.manager &&
    left.subresource === right.subresource &&
    left.apiVersion === right.apiVersion &&
    left.schema === right.schema
  );
}

function trackWrite(entries: Entries, write: TrackOptions): Entries {
  const before = write.before && withManagedFields(write.before, entries);
  return managedFieldsOf(trackFieldOwnership({ ...write, before })) as Entries;
}

/** What several writes of one manager did. */
interface JoinedChange {
  /** What the manager owns by them. */
  readonly gained: FieldSet;
  /** What they changed, added or removed: nobody owns it by an earlier write. */
  readonly touched: FieldSet;
  /** When something was last gained; undefined when nothing was. */
  readonly time: string | undefined;
}

/** Undefined when the writes have to be looked at one by one. */
function joined(entries: Entries, run: readonly TrackOptions[]): Entries {
  const [first] = run;
  if (first?.before === undefined || run.length === 1 || first.converter !== undefined) return undefined;
  const managers = decodeOrNothing(entries);
  // With more of them, old ones are merged after each write.
  if (managers.size === 0 || managers.size >= UPDATE_MANAGERS_MAX) return undefined;
  const change = joinChanges(run);
  if (change === undefined) return undefined;
  const live = { object: first.before, apiVersion: first.apiVersion, view: resourceView(first.schema) };
  const owners = reconcileManagers(managers, live, undefined);
  const kept = without(owners, change.touched);
  if (kept.size === 0) return undefined; // Tracking would have ended where nobody owned anything.
  return encodeManagers(withGains(owners, kept, { ...change, by: managerOf(first, "Update") }));
}

function without(managers: Managers, touched: FieldSet): Managers {
  const kept = new Map<string, ManagerFields>();
  for (const [id, owner] of managers) {
    const fields = difference(owner.fields, touched);
    if (!isEmptySet(fields)) kept.set(id, fields === owner.fields ? owner : { ...owner, fields });
  }
  return kept;
}

function withGains(
  before: Managers,
  kept: Managers,
  { gained, time, by }: JoinedChange & { readonly by: ManagerFields },
): Managers {
  if (time === undefined) return kept;
  const previous = kept.get(identityOf(by));
  const sum = previous === undefined ? gained : union(gained, previous.fields);
  const original = before.get(identityOf(by))?.fields;
  const fields = original !== undefined && setsEqual(original, sum) ? original : sum;
  return withManager(kept, { ...by, time, fields }, previous);
}

/** Undefined when an object does not fit its schema. */
function joinChanges(run: readonly TrackOptions[]): JoinedChange | undefined {
  const first = run[0] as TrackOptions;
  const view = resourceView(first.schema);
  const ignored = ignoredFields(first);
  let [gained, touched]: FieldSet[] = [emptyFieldSet, emptyFieldSet];
  let [time, fitting]: [string | undefined, JsonObject | undefined] = [undefined, undefined];
  for (const { before = {}, after, now } of run) {
    if (validateTyped(before, view, { allowDuplicates: true, fitting }).length > 0) return undefined;
    if (validateTyped(after, view, { allowDuplicates: true, fitting: before }).length > 0) return undefined;
    fitting = after;
    const { modified, added, removed } = compareTyped(before, after, view);
    const taken = recursiveDifference(union(modified, added), ignored);
    const changed = union(taken, recursiveDifference(removed, ignored));
    const own = difference(taken, neverOwned);
    if (!isEmptySet(own)) time = now;
    gained = union(own, difference(gained as FieldSet, changed));
    touched = union(touched as FieldSet, changed);
  }
  return { gained: gained as FieldSet, touched: touched as FieldSet, time };
}
