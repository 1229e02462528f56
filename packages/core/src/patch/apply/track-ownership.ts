/**
 * Tracking of owners on creates, updates and patches: the writing manager owns what it changed or added, others lose that.
 * The API server calls `trackFieldOwnership` with the stored object and the one about to be stored.
 */

import { deepEqual } from "../../meta/deep.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { isApiError } from "../../protocol/status.ts";
import { difference, isEmptySet, setsEqual, union } from "./field-set.ts";
import {
  capUpdateManagers,
  decodeManagers,
  encodeManagers,
  entryOf,
  identityOf,
  type Managers,
  withManager,
} from "./managers.ts";
import { neverOwned } from "./never-owned.ts";
import { fieldsOfNewObject } from "./new-object-fields.ts";
import { managedFieldsOf, withManagedFields } from "./object-managed-fields.ts";
import { reconcileManagers, shiftOwnership } from "./ownership.ts";
import { emptyObjectLike, ignoredFields, managerOf, type OwnershipOptions, typedIn } from "./ownership-request.ts";
import { resourceView } from "./type-view.ts";
import { validateTyped } from "./typed-validate.ts";

/** A create, update or patch. */
export interface TrackOptions extends OwnershipOptions {
  /** The stored object; undefined on create. */
  readonly before: JsonObject | undefined;
  /** The object about to be stored, defaulted. */
  readonly after: JsonObject;
}

/**
 * Records who owns what after a create, update or patch and returns the object to store. Never fails: an object that does
 * not fit its schema is stored without managedFields.
 */
export function trackFieldOwnership(options: TrackOptions): JsonObject {
  const { after, before = emptyObjectLike(after, options) } = options;
  const managers = managersOfUpdate(before, after, options.subresource ?? "");
  const plain = withManagedFields(after, undefined);
  const ignored = namesOf(options.resetFields ?? []);
  if (options.before === undefined && managers.size === 0 && ignored !== undefined) {
    return withManagedFields(plain, ownersOfNew(plain, ignored, options));
  }
  // Whoever emptied the list wants no tracking: it begins again with the next apply.
  const isTracked = managers.size > 0 || uidOf(before) === "";
  // Nobody owns the list itself, so neither side shows it: it is as large as many an object, and would be walked through.
  const unlisted = withManagedFields(before, undefined);
  const next = isTracked ? updateOrForget(unlisted, plain, { options, managers }) : managers;
  const entries = encodeManagers(next);
  return withManagedFields(reusable(before, after, entries) ? before : plain, entries);
}

/** The one owner of a new object. */
function ownersOfNew(
  object: JsonObject,
  ignored: ReadonlySet<string>,
  options: OwnershipOptions,
): readonly JsonObject[] | undefined {
  const view = resourceView(options.schema);
  if (validateTyped(object, view, { allowDuplicates: true }).length > 0) return undefined;
  const fieldsV1 = fieldsOfNewObject(object, view, { ignored, empty: emptyObjectLike(object, options) });
  return fieldsV1 && [entryOf({ ...managerOf(options, "Update"), time: options.now }, fieldsV1)];
}

/** The fields at the top that a write leaves alone; undefined when there are some further down. */
function namesOf(paths: readonly (readonly string[])[]): ReadonlySet<string> | undefined {
  return paths.every((path) => path.length === 1) ? new Set(paths.map(([name]) => name ?? "")) : undefined;
}

function updateOrForget(before: JsonObject, after: JsonObject, input: UpdateInput): Managers {
  try {
    return updateManagers(before, after, input);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return new Map();
  }
}

/** A write, and the managers before it. */
export interface UpdateInput {
  readonly options: OwnershipOptions;
  readonly managers: Managers;
}

/** The managers after an update. Throws an `ApiError` when an object does not fit the schema. */
export function updateManagers(before: JsonObject, after: JsonObject, { options, managers }: UpdateInput): Managers {
  const { converter } = options;
  const rule = { duplicates: true, to: " to smd typed" };
  const change = {
    before: typedIn(before, options, { ...rule, what: "failed to convert live object" }),
    after: typedIn(after, options, { ...rule, what: "failed to convert new object", known: before }),
    ignored: ignoredFields(options),
    converter,
  };
  const owners = reconcileManagers(managers, change.before, converter);
  const { managers: others, comparison } = shiftOwnership(owners, change);
  const gained = difference(union(comparison.modified, comparison.added), neverOwned);
  if (isEmptySet(gained)) return capUpdateManagers(others);
  const self = managerOf(options, "Update");
  const previous = others.get(identityOf(self));
  const sum = previous === undefined ? gained : union(gained, previous.fields);
  // Mostly a manager owned before what it changes: then its set stays the one that is known, and encoded, already.
  const original = owners.get(identityOf(self))?.fields;
  const fields = original !== undefined && setsEqual(original, sum) ? original : sum;
  return capUpdateManagers(withManager(others, { ...self, time: options.now, fields }, previous));
}

/** An update may write managedFields itself, may reset them, and otherwise keeps those of the stored object. */
function managersOfUpdate(before: JsonObject, after: JsonObject, subresource: string): Managers {
  const written = managedFieldsOf(after);
  // A client that read, changed and wrote the object sends the entries back as they were: keep those already decoded.
  if (subresource === "" && !deepEqual(written, managedFieldsOf(before))) {
    if (isReset(written)) return new Map();
    const managers = decodeOrNothing(written);
    if (managers.size > 0) return managers;
  }
  return decodeOrNothing(managedFieldsOf(before));
}

/** The managers that managedFields tell; none when nobody can read them. */
export function decodeOrNothing(managedFields: Json | undefined): Managers {
  try {
    return decodeManagers(managedFields);
  } catch {
    return new Map(); // As in Kubernetes: entries that nobody can read are dropped, the write goes on.
  }
}

/** An empty list, or a list with one empty entry. */
function isReset(managedFields: Json | undefined): boolean {
  if (!isJsonArray(managedFields)) return false;
  const [first] = managedFields;
  return first === undefined || (managedFields.length === 1 && isJsonObject(first) && Object.keys(first).length === 0);
}

/** True when the update changes nothing at all, so that the stored object can be returned. */
function reusable(before: JsonObject, after: JsonObject, entries: readonly JsonObject[] | undefined): boolean {
  const kept = managedFieldsOf(before);
  if (entries === undefined || !isJsonArray(kept) || kept.length !== entries.length) return false;
  if (!entries.every((entry, index) => entry === kept[index])) return false;
  return deepEqual(withManagedFields(after, undefined), withManagedFields(before, undefined));
}

function uidOf(object: JsonObject): string {
  const metadata = object["metadata"];
  return isJsonObject(metadata) ? String(metadata["uid"] ?? "") : "";
}
