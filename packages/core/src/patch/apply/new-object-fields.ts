/**
 * The fields that whoever creates an object owns: all of them. The same as comparing the object with nothing (typed-compare.ts)
 * and encoding what was added (fields-v1.ts), but straight from the value to FieldsV1: creates are the commonest write, and
 * need no sets.
 */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "../../meta/json.ts";
import { compareBytes } from "../go-format.ts";
import { validListElement } from "./list-element.ts";
import { isNeverOwned } from "./never-owned.ts";
import { compareElements, fieldElement, type PathElement } from "./path-element.ts";
import { type ListView, type MapView, shapeOf, type TypeView } from "./type-view.ts";

/** FieldsV1 of a new object, which must fit the type; undefined when there is nothing to own. */
export function fieldsOfNewObject(
  object: JsonObject,
  view: TypeView,
  ignored: ReadonlySet<string>,
): JsonObject | undefined {
  const fields: MutableJsonObject = {};
  for (const name of sortedNames(object)) {
    if (ignored.has(name)) continue;
    const value = object[name] ?? null;
    const type = view.map?.field(name) ?? {};
    if (name === "metadata" && isJsonObject(value)) {
      const owned = metadataFields(value, type);
      if (owned !== undefined) fields["f:metadata"] = owned;
    } else if (!isNeverOwned([name])) {
      setKey(fields, fieldElement(name), nodeOf(value, type));
    }
  }
  return isEmpty(fields) ? undefined : fields;
}

function metadataFields(metadata: JsonObject, view: TypeView): JsonObject | undefined {
  const fields: MutableJsonObject = {};
  for (const name of sortedNames(metadata)) {
    if (isNeverOwned(["metadata", name])) continue;
    setKey(fields, fieldElement(name), nodeOf(metadata[name] ?? null, view.map?.field(name) ?? {}));
  }
  return isEmpty(fields) ? undefined : fields;
}

/** What stands for a value: `{}` for a leaf, else its parts after a "." for itself. */
function nodeOf(value: Json, view: TypeView): JsonObject {
  if (typeof value !== "object") return {};
  const shape = shapeOf(view, value);
  if (shape?.kind === "map" && !shape.map.atomic && isJsonObject(value)) return mapNode(value, shape.map);
  if (shape?.kind === "list" && !shape.list.atomic && isJsonArray(value)) return listNode(value, shape.list);
  return {};
}

function mapNode(object: JsonObject, map: MapView): JsonObject {
  const names = sortedNames(object);
  const node: MutableJsonObject = {};
  if (names.length > 0) node["."] = {};
  for (const name of names) setKey(node, fieldElement(name), nodeOf(object[name] ?? null, map.field(name) ?? {}));
  return node;
}

/** Items that stand twice are one field, without a view of what is below. */
function listNode(items: readonly Json[], list: ListView): JsonObject {
  const nodes = new Map<PathElement, JsonObject>();
  for (const item of items) {
    const element = validListElement(list, item);
    if (element !== undefined) nodes.set(element, nodes.has(element) ? {} : nodeOf(item, list.element()));
  }
  const node: MutableJsonObject = {};
  if (nodes.size > 0) node["."] = {};
  for (const element of [...nodes.keys()].sort(compareElements)) setKey(node, element, nodes.get(element));
  return node;
}

function sortedNames(object: JsonObject): string[] {
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  return names.sort(compareBytes);
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
