/** Takes fields out of a value. Containers that end up empty become null, as in structured-merge-diff. */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "../../meta/json.ts";
import { type FieldSet, isEmptySet } from "./field-set.ts";
import { validListElement } from "./list-element.ts";
import { fieldElement } from "./path-element.ts";
import { type ListView, type MapView, shapeOf, type TypeView } from "./type-view.ts";

/** `value` without the fields in `fields`; `value` itself when none of them is there. */
export function removeFields(value: Json, fields: FieldSet, view: TypeView): Json {
  const shape = shapeOf(view, value);
  if (shape?.kind === "map") {
    const isOpen = isJsonObject(value) && !shape.map.atomic && Object.keys(value).length > 0;
    return isOpen ? removeFromMap(value, fields, shape.map) : null;
  }
  if (shape?.kind === "list") {
    const isOpen = isJsonArray(value) && !shape.list.atomic && value.length > 0;
    return isOpen ? removeFromList(value, fields, shape.list) : null;
  }
  return value;
}

function removeFromMap(object: JsonObject, fields: FieldSet, map: MapView): Json {
  const kept: MutableJsonObject = {};
  let changed = false;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const element = fieldElement(key);
    if (value === undefined || fields.members.has(element)) {
      changed = true;
      continue;
    }
    const below = fields.children.get(element);
    const rest = below === undefined || isEmptySet(below) ? value : removeFields(value, below, map.field(key) ?? {});
    changed ||= rest !== value;
    setKey(kept, key, rest);
  }
  if (!changed) return object;
  return Object.keys(kept).length > 0 ? kept : null;
}

function removeFromList(items: readonly Json[], fields: FieldSet, list: ListView): Json {
  const kept: Json[] = [];
  let changed = false;
  for (const item of items) {
    const element = validListElement(list, item) ?? "";
    if (fields.members.has(element)) {
      changed = true;
      continue;
    }
    const below = fields.children.get(element);
    const rest = below === undefined || isEmptySet(below) ? item : removeFields(item, below, list.element());
    changed ||= rest !== item;
    kept.push(rest);
  }
  if (!changed) return items;
  return kept.length > 0 ? kept : null;
}
