/** An object with the version and type it stands in, and the way to other versions of it. */
import type { JsonObject } from "../../meta/json.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { patchFailed } from "../patch-error.ts";
import { resourceView, type TypeView } from "./type-view.ts";
import { formatProblems, validateTyped } from "./typed-validate.ts";

/** An object in one of its kind's versions. */
export interface TypedObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly view: TypeView;
}

/** Converts objects between the served versions of one kind. */
export interface VersionConverter {
  /** The object in another version, with that version's schema; undefined when that version is not served. */
  convert(
    object: JsonObject,
    apiVersion: string,
  ): { readonly object: JsonObject; readonly schema: StructuralSchema } | undefined;
}

/**
 * The object in another version; undefined when that version is not served. Throws an `ApiError` when the converted object
 * does not fit its schema; duplicate keys, which only a stored object may have, do not survive a conversion either.
 */
export function toVersion(
  typed: TypedObject,
  apiVersion: string,
  converter: VersionConverter | undefined,
): TypedObject | undefined {
  if (typed.apiVersion === apiVersion) return typed;
  const converted = converter?.convert(typed.object, apiVersion);
  if (converted === undefined) return undefined;
  const view = resourceView(converted.schema);
  const problems = validateTyped(converted.object, view, { allowDuplicates: false });
  if (problems.length > 0) throw patchFailed(formatProblems(problems));
  return { object: converted.object, apiVersion, view };
}
