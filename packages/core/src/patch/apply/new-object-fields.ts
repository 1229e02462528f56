/**
 * The fields that whoever creates an object owns: all of them. The same as comparing the object with nothing (typed-compare.ts)
 * and encoding what was added (fields-v1.ts), but straight from the value to FieldsV1: creates are the commonest write, and
 * need no sets.
 */
import { deepEqual } from "../../meta/deep.ts";
import {
  getKey,
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

/** What a new object is compared with. */
export interface NewObjectOptions {
  /** Fields at the top that the write leaves alone. */
  readonly ignored: ReadonlySet<string>;
  /** The kind's object with nothing in it: what is there already is nobody's. */
  readonly empty: JsonObject;
}

/** FieldsV1 of a new object, which must fit the type; undefined when there is nothing to own. */
export function fieldsOfNewObject(
  object: JsonObject,
  view: TypeView,
  { ignored, empty }: NewObjectOptions,
): JsonObject | undefined {
  const fields: MutableJsonObject = {};
  for (const name of sortedNames(object)) {
    if (ignored.has(name)) continue;
    const value = object[name] ?? null;
    const type = view.map?.field(name) ?? {};
    const owned =
      name === "metadata" && isJsonObject(value)
        ? metadataFields(value, type)
        : isNeverOwned([name])
          ? undefined
          : changedNode(value, type, empty[name]);
    if (owned !== undefined) setKey(fields, fieldElement(name), owned);
  }
  return isEmpty(fields) ? undefined : fields;
}

/** What stands for a value in the place of an empty one; undefined when it is that. */
function changedNode(value: Json, view: TypeView, empty: Json | undefined): JsonObject | undefined {
  if (empty === undefined) return nodeOf(value, view);
  const shape = typeof value === "object" ? shapeOf(view, value) : undefined;
  if (shape?.kind === "map" && !shape.map.atomic && isJsonObject(value) && !isEmpty(value)) {
    return changedMap(value, shape.map, isJsonObject(empty) ? empty : {});
  }
  if (shape?.kind === "list" && !shape.list.atomic && isJsonArray(value) && value.length > 0) {
    const { ".": _, ...items } = listNode(value, shape.list);
    return items;
  }
  return deepEqual(value, empty) ? undefined : {};
}

function changedMap(object: JsonObject, map: MapView, empty: JsonObject): JsonObject | undefined {
  const node: MutableJsonObject = {};
  for (const name of sortedNames(object)) {
    const owned = changedNode(object[name] ?? null, map.field(name) ?? {}, getKey(empty, name));
    if (owned !== undefined) setKey(node, fieldElement(name), owned);
  }
  return isEmpty(node) ? undefined : node;
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
