/**
 * What every write tells about itself, and what follows from that alone: its manager, the fields that it leaves alone, and
 * the objects it brings, checked against the schema. Used by server-side-apply.ts and track-ownership.ts.
 */
import type { JsonObject } from "../../meta/json.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { patchFailed } from "../patch-error.ts";
import { emptyFieldSet, type FieldSet, fieldSetOf } from "./field-set.ts";
import type { ManagerFields } from "./managers.ts";
import { fieldElement } from "./path-element.ts";
import { resourceView } from "./type-view.ts";
import type { TypedObject, VersionConverter } from "./typed-object.ts";
import { describeObject, formatProblems, validateTyped } from "./typed-validate.ts";

/** What both kinds of writes need to know. */
export interface OwnershipOptions {
  /** The group and version of the request, in which all objects here stand. */
  readonly apiVersion: string;
  /** The field manager; "unknown" stands in for an empty one. */
  readonly manager: string;
  /** The schema of the kind in the request's version. */
  readonly schema: StructuralSchema;
  /** The current time, RFC 3339 in seconds. */
  readonly now: string;
  /** The subresource written through. @default "" */
  readonly subresource?: string;
  /** Fields that this endpoint does not write, such as `[["status"]]`; nobody owns them by this write. @default [] */
  readonly resetFields?: readonly (readonly string[])[];
  /** An object of the kind with nothing in it, as the server writes it: Go writes structs that are empty. @default no fields */
  readonly empty?: JsonObject;
  /** Converts to the versions in which other managers wrote; without it their entries vanish. */
  readonly converter?: VersionConverter;
}

/** How an object is checked, and what its failure is called. */
export interface TypingRule {
  /** Whether keys may stand twice in a list, as they may in stored objects. */
  readonly duplicates: boolean;
  readonly what: string;
  readonly to?: string;
  /** An object that fits; parts that both share fit, too. @default none */
  readonly known?: JsonObject;
}

/** The object with its type. Throws a 500 `ApiError` when it does not fit. */
export function typedIn(
  object: JsonObject,
  { schema, apiVersion }: OwnershipOptions,
  { duplicates, what, to = "", known }: TypingRule,
): TypedObject {
  const view = resourceView(schema);
  const problems =
    duplicates && fitting.get(object) === schema
      ? []
      : validateTyped(object, view, { allowDuplicates: duplicates, fitting: known });
  if (duplicates && problems.length === 0) fitting.set(object, schema);
  if (problems.length === 0) return { object, apiVersion, view };
  throw patchFailed(`${what} (${describeObject(object)})${to}: ${formatProblems(problems)}`);
}

/** Stored objects that are known to fit a schema: they are looked at once, however often they are written. */
const fitting = new WeakMap<JsonObject, StructuralSchema>();

/** The manager of the write, owning nothing yet. */
export function managerOf(
  { manager, apiVersion, subresource = "" }: OwnershipOptions,
  operation: "Apply" | "Update",
): ManagerFields {
  const name = manager === "" ? "unknown" : manager;
  return { manager: name, operation, apiVersion, subresource, time: undefined, fields: emptyFieldSet };
}

/** The fields that the write leaves alone. */
export function ignoredFields({ resetFields = [] }: OwnershipOptions): FieldSet {
  return resetFields.length === 0 ? emptyFieldSet : fieldSetOf(resetFields.map((path) => path.map(fieldElement)));
}

/** An object of the same kind with nothing in it: what was there before a create. */
export function emptyObjectLike(object: JsonObject, { empty }: OwnershipOptions): JsonObject {
  if (empty !== undefined) return empty;
  const { apiVersion, kind } = object;
  return { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
}
