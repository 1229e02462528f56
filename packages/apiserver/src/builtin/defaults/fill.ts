/** The small steps that default rules are written in. All return the same object when nothing was missing. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, type MutableJsonObject } from "@kubewright/core/meta";

/** Sets the fields that are absent or empty text. */
export function fill(struct: JsonObject, defaults: JsonObject): JsonObject {
  return fillWhere(struct, defaults, (value) => value === undefined || value === null || value === "");
}

/** Sets the fields that are absent, empty text or 0: fields that are no pointers in Go. */
export function fillZero(struct: JsonObject, defaults: JsonObject): JsonObject {
  return fillWhere(struct, defaults, (value) => value === undefined || value === null || value === "" || value === 0);
}

/** Sets keys of a map that are absent. */
export function fillKeys(map: Json | undefined, from: Json | undefined): JsonObject {
  return { ...objectOf(from), ...objectOf(map) };
}

/** A field changed by a function of its value (an absent object counts as {}). */
export function change(
  struct: JsonObject,
  field: string,
  changed: (value: JsonObject) => JsonObject | undefined,
): JsonObject {
  const before = objectOf(struct[field]);
  const after = changed(before);
  return after === before ? struct : withField(struct, field, after);
}

/** The struct with another value of a field of its type: cheaper than a literal whose key is not written out. */
export function withField(struct: JsonObject, field: string, value: Json | undefined): JsonObject {
  const changed: MutableJsonObject = { ...struct };
  changed[field] = value;
  return changed;
}

/** A JSON object, or {} for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A list of JSON objects, or [] for anything else. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** True for objects with at least one key and lists with at least one item. */
export function hasContent(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function fillWhere(
  struct: JsonObject,
  defaults: JsonObject,
  isMissing: (value: Json | undefined) => boolean,
): JsonObject {
  let filled: MutableJsonObject | undefined;
  for (const name in defaults) {
    if (!isMissing(struct[name])) continue;
    filled ??= { ...struct };
    filled[name] = defaults[name];
  }
  return filled ?? struct;
}
