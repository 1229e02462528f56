/** Which step leads to a list item: its keys (with the schema's defaults for absent ones), or its value in a set. */
import { getKey, isJsonArray, isJsonObject, type Json } from "../../meta/json.ts";
import { compareBytes, goQuote } from "../go-format.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListView } from "./type-view.ts";

/** The step to an item of an associative list, or why there is none. */
export function listElement(list: ListView, item: Json): { element: PathElement } | { problem: string } {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListView, item: Json): { element: PathElement } | { problem: string } {
  if (item === null) return { problem: "associative list with keys may not have a null element" };
  if (!isJsonObject(item)) return { problem: "associative list with keys may not have non-map elements" };
  const keys: [string, Json][] = [];
  for (const name of list.keys) {
    const own = getKey(item, name);
    const value = own === undefined ? (list.element().map?.defaultOf(name) ?? list.zeroKeys?.get(name)) : own;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return { element: keyElement(keys.sort((left, right) => compareBytes(left[0], right[0]))) };
  const names = `[${list.keys.map(goQuote).join(" ")}]`;
  return {
    problem: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  };
}

function setElement(item: Json): { element: PathElement } | { problem: string } {
  if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  if (isJsonArray(item)) return { problem: "not supported: associative list with lists as elements" };
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  return { element: valueElement(item) };
}

/** The step to an item of a list that was validated before. */
export function validListElement(list: ListView, item: Json): PathElement | undefined {
  const result = listElement(list, item);
  return "element" in result ? result.element : undefined;
}
