/** Deep equality of JSON values: order of keys is irrelevant, order of lists is not; absent and `undefined` are one. */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";

/** True when both are the same JSON value. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) return isJsonArray(right) && listsEqual(left, right);
  if (isJsonObject(left)) return isJsonObject(right) && objectsEqual(left, right);
  return false;
}

function listsEqual(left: readonly Json[], right: readonly Json[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (!jsonEqual(left[index], right[index])) return false;
  return true;
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  const keys = definedKeys(left);
  if (keys.length !== definedKeys(right).length) return false;
  return keys.every((key) => jsonEqual(left[key], getKey(right, key)));
}

function definedKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}
