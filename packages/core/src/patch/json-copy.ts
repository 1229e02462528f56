/** Deep copies of JSON values that are counted, so that "copy" operations cannot blow a document up without limit. */
import { isJsonArray, isJsonObject, type Json, type MutableJsonObject, setKey } from "../meta/json.ts";

/** A copy that shares no container with `value`. */
export function copyJson(value: Json): Json {
  if (isJsonArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child !== undefined) setKey(copy, key, copyJson(child));
  }
  return copy;
}

/** The number of bytes of `value` as compact JSON in UTF-8. */
export function jsonByteLength(value: Json): number {
  if (typeof value === "string") return utf8Length(JSON.stringify(value));
  if (isJsonArray(value)) return 2 + Math.max(0, value.length - 1) + sum(value.map(jsonByteLength));
  if (!isJsonObject(value)) return String(value).length;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  const members = keys.map((key) => utf8Length(JSON.stringify(key)) + 1 + jsonByteLength(value[key] ?? null));
  return 2 + Math.max(0, keys.length - 1) + sum(members);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
