/**
 * One step of a field path, as text, exactly as FieldsV1 writes it: `f:name` (field), `k:{"name":"x"}` (list item by
 * its keys), `v:"x"` (item of a set), `i:0` (index). Texts are canonical (sorted keys, compact JSON), so equal steps are
 * equal strings and sets of steps are plain `Set`s.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { parseJson, stringifyJson } from "../../meta/json-text.ts";
import { compareBytes, goFormat, goJson, goQuote } from "../go-format.ts";

/** A canonical path step. */
export type PathElement = string;

/** The step to a field of an object. */
export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name);
  if (known !== undefined) return known;
  const element = `f:${name}`;
  if (fieldElements.size < REMEMBERED_MAX) fieldElements.set(name, element);
  return element;
}

/** Few names make up nearly all paths: those are joined, and keys of items parsed, once. */
const REMEMBERED_MAX = 5000;
const fieldElements = new Map<string, PathElement>();
const parsedKeys = new Map<PathElement, Members>();

type Members = readonly (readonly [string, Json])[];

/** The step to a list item with these key fields; `keys` must be sorted by name. */
export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  const members = keys.map(([name, value]) => `${goJson(name)}:${goJson(value)}`);
  return `k:{${members.join(",")}}`;
}

/** The step to an item of a set. */
export function valueElement(value: Json): PathElement {
  return `v:${goJson(value)}`;
}

/** Reads a key of FieldsV1: its canonical step, undefined for kinds of steps nobody knows. Throws on malformed text. */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error("key must be 2 characters long:");
  if (text[1] !== ":") throw new Error(`missing colon: ${text}`);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return valueElement(parseJson(text.slice(2)));
    case "k":
      return parseKeyElement(text);
    case "i":
      if (!/^[+-]?\d+$/.test(text.slice(2))) throw new Error(`${goQuote(text)} holds no index`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

/** The order of steps: fields, keys, values, indices; each by its content. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left.charCodeAt(0) === FIELD && right.charCodeAt(0) === FIELD) return compareBytes(left, right);
  const kinds = kindOrder.indexOf(left[0] ?? "") - kindOrder.indexOf(right[0] ?? "");
  if (kinds !== 0 || left === right) return kinds;
  switch (left[0]) {
    case "k":
      return compareKeys(keysOf(left), keysOf(right));
    case "v":
      return compareValues(parseJson(left.slice(2)), parseJson(right.slice(2)));
    case "i":
      return Number(left.slice(2)) - Number(right.slice(2));
    default:
      return compareBytes(left, right);
  }
}

/** A step as conflicts print it: `.spec`, `[name="x"]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case "k": {
      const keys = keysOf(element).map(([name, value]) => `${name}=${formatValue(value)}`);
      return `[${keys.join(",")}]`;
    }
    case "v":
      return `[=${formatValue(parseJson(content))}]`;
    case "i":
      return `[${content}]`;
    default:
      return `.${content}`;
  }
}

/** A whole path as conflicts print it. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join("");
}

/** The field name of a field step; undefined for other steps. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

const kindOrder = "fkvi";
const FIELD = 0x66;

function parseKeyElement(text: string): PathElement {
  const value = parseJson(text.slice(2));
  if (!isJsonObject(value)) throw new Error(`${goQuote(text)} holds no keys`);
  return keyElement(sortedMembers(value));
}

function keysOf(element: PathElement): Members {
  const known = parsedKeys.get(element);
  if (known !== undefined) return known;
  const keys = sortedMembers(parseJson(element.slice(2)) as JsonObject);
  if (parsedKeys.size < REMEMBERED_MAX) parsedKeys.set(element, keys);
  return keys;
}

function sortedMembers(object: JsonObject): (readonly [string, Json])[] {
  const members = Object.keys(object).map((key) => [key, object[key] ?? null] as const);
  return members.sort((left, right) => compareBytes(left[0], right[0]));
}

function compareKeys(left: Members, right: Members): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareBytes(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers before strings before booleans before everything else, as structured-merge-diff sorts. */
function compareValues(left: Json, right: Json): number {
  const kinds = valueRank(left) - valueRank(right);
  if (kinds !== 0) return kinds;
  if (typeof left === "string" && typeof right === "string") return compareBytes(left, right);
  if (valueRank(left) > 2) return compareBytes(stringifyJson(left), stringifyJson(right));
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}

function valueRank(value: Json): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  return typeof value === "boolean" ? 2 : value === null ? 4 : 3;
}

function formatValue(value: Json): string {
  if (typeof value === "string") return goQuote(value);
  if (isJsonArray(value)) return `[${value.map(formatValue).join(",")}]`;
  if (!isJsonObject(value)) return value === null ? "null" : goFormat(value);
  return sortedMembers(value)
    .map(([name, member]) => `${name}=${formatValue(member)}`)
    .join("");
}
