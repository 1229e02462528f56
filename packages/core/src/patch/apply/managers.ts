/**
 * The managers of an object: `metadata.managedFields` decoded, by identity. An Apply manager is known by name and
 * subresource, an Update manager also by apiVersion. Entries that did not change are written back as they were.
 */

import { deepEqual } from "../../meta/deep.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { stringifyJson } from "../../meta/json-text.ts";
import { compareBytes, goQuote } from "../go-format.ts";
import { emptyFieldSet, type FieldSet, isEmptySet, setsEqual, union } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";

/** What one manager owns. */
export interface ManagerFields {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, in seconds; absent when the manager never changed the object. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Managers by identity. */
export type Managers = ReadonlyMap<string, ManagerFields>;

/** More Update managers than these are merged into one. */
export const UPDATE_MANAGERS_MAX = 10;

/** The identity of a manager: its entry as compact JSON without time and fields. Conflicts are sorted by it. */
export function identityOf({
  manager,
  operation,
  apiVersion,
  subresource,
}: Omit<ManagerFields, "fields" | "time">): string {
  return stringifyJson({
    ...(manager === "" ? {} : { manager }),
    operation,
    ...(operation === "Apply" ? {} : { apiVersion }),
    ...(subresource === "" ? {} : { subresource }),
  });
}

/** Decodes managedFields. Throws an `Error` that says which rule an entry breaks. */
export function decodeManagers(managedFields: Json | undefined): Managers {
  const managers = new Map<string, ManagerFields>();
  if (!isJsonArray(managedFields)) return managers;
  for (const [index, entry] of managedFields.entries()) {
    const decoded = decodeOnce(isJsonObject(entry) ? entry : {}, index);
    managers.set(identityOf(decoded), decoded);
  }
  return managers;
}

/** Encodes managers, sorted as Kubernetes sorts them; undefined when there are none. */
export function encodeManagers(managers: Managers): readonly JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map(encodeEntry);
}

/** Merges the oldest Update managers into "ancient-changes", one per version, until ten are left. */
export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= UPDATE_MANAGERS_MAX) return managers;
  updaters.sort(
    ([leftId, left], [rightId, right]) => secondsOf(left) - secondsOf(right) || compareBytes(leftId, rightId),
  );
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let excess = updaters.length - UPDATE_MANAGERS_MAX;
  for (const [id, updater] of updaters) {
    if (excess <= 0) break;
    const first = firstOfVersion.get(updater.apiVersion);
    firstOfVersion.set(updater.apiVersion, first ?? id);
    if (first === undefined) continue;
    mergeIntoBucket(capped, { id, updater, first });
    excess--;
  }
  return capped;
}

/** Sets one manager's fields; keeps the record when nothing about it changed, drops it when it owns nothing. */
export function withManager(managers: Managers, owner: ManagerFields, previous: ManagerFields | undefined): Managers {
  const id = identityOf(owner);
  const result = new Map(managers);
  if (isEmptySet(owner.fields)) result.delete(id);
  else result.set(id, previous !== undefined && isSameOwner(previous, owner) ? previous : keepFields(previous, owner));
  return result;
}

/** Managers and their entries know each other, so that neither is made twice. */
const entries = new WeakMap<ManagerFields, JsonObject>();
const records = new WeakMap<JsonObject, ManagerFields>();

function decodeOnce(entry: JsonObject, index: number): ManagerFields {
  const known = records.get(entry);
  if (known !== undefined) return known;
  const record = decodeEntry(entry, index);
  const canonical = encodeEntry(record);
  entries.set(record, deepEqual(canonical, entry) ? entry : canonical);
  records.set(entry, record);
  return record;
}

function mergeIntoBucket(
  managers: Map<string, ManagerFields>,
  { id, updater, first }: { readonly id: string; readonly updater: ManagerFields; readonly first: string },
): void {
  const name = { ...updater, manager: "ancient-changes", subresource: "" };
  const bucket = identityOf(name);
  const collected = managers.get(bucket) ?? (managers.get(first) as ManagerFields);
  if (!managers.has(bucket)) managers.delete(first);
  managers.set(bucket, { ...name, fields: union(updater.fields, collected.fields) });
  managers.delete(id);
}

function isSameOwner(previous: ManagerFields, owner: ManagerFields): boolean {
  const sameEntry = previous.time === owner.time && previous.apiVersion === owner.apiVersion;
  return sameEntry && setsEqual(previous.fields, owner.fields);
}

function keepFields(previous: ManagerFields | undefined, owner: ManagerFields): ManagerFields {
  return previous !== undefined && setsEqual(previous.fields, owner.fields)
    ? { ...owner, fields: previous.fields }
    : owner;
}

function decodeEntry(entry: JsonObject, index: number): ManagerFields {
  const operation = entry["operation"];
  if (operation !== "Apply" && operation !== "Update") throw new Error("operation must be `Apply` or `Update`");
  const apiVersion = textOf(entry["apiVersion"]);
  if (apiVersion === "") throw new Error("apiVersion must not be empty");
  const fieldsType = textOf(entry["fieldsType"]);
  if (fieldsType === "") throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new Error(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  }
  const { fieldsV1 } = entry;
  return {
    manager: textOf(entry["manager"]),
    operation,
    apiVersion,
    subresource: textOf(entry["subresource"]),
    time: typeof entry["time"] === "string" ? entry["time"] : undefined,
    fields: isJsonObject(fieldsV1) ? decodeFields(fieldsV1) : emptyFieldSet,
  };
}

function encodeEntry(record: ManagerFields): JsonObject {
  const known = entries.get(record);
  if (known !== undefined) return known;
  const entry = entryOf(record, encodeFields(record.fields));
  entries.set(record, entry);
  records.set(entry, record);
  return entry;
}

/** The entry of a manager that owns `fieldsV1`. */
export function entryOf(
  { manager, operation, apiVersion, subresource, time }: Omit<ManagerFields, "fields">,
  fieldsV1: JsonObject,
): JsonObject {
  return {
    ...(manager === "" ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1,
    ...(subresource === "" ? {} : { subresource }),
  };
}

function compareManagers(left: ManagerFields, right: ManagerFields): number {
  return (
    compareBytes(left.operation, right.operation) ||
    secondsOf(left) - secondsOf(right) ||
    compareBytes(left.manager, right.manager) ||
    compareBytes(left.apiVersion, right.apiVersion) ||
    compareBytes(left.subresource, right.subresource)
  );
}

function secondsOf({ time }: ManagerFields): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
