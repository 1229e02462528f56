/** The set of fields that a value mentions: every leaf, every list item, every key of a free-form object. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { emptyFieldSet, type FieldSet } from "./field-set.ts";
import { validListElement } from "./list-element.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { type ListView, type MapView, shapeOf, type TypeView } from "./type-view.ts";

/** All fields of `value`, which must fit the type. */
export function fieldsOf(value: Json, view: TypeView): FieldSet {
  return visit(value, view).below ?? emptyFieldSet;
}

interface Visited {
  /** Is the value itself a field of the set? */
  readonly isMember: boolean;
  readonly below?: FieldSet;
}

const leaf: Visited = { isMember: true };
const nothing: Visited = { isMember: false };

function visit(value: Json, view: TypeView): Visited {
  const shape = shapeOf(view, value);
  if (shape === undefined) return nothing;
  if (shape.kind === "scalar") return leaf;
  if (shape.kind === "map") {
    if (shape.map.atomic) return leaf;
    return isJsonObject(value) ? visitMap(value, shape.map) : nothing;
  }
  if (shape.list.atomic) return leaf;
  return isJsonArray(value) ? visitList(value, shape.list) : nothing;
}

function visitMap(object: JsonObject, map: MapView): Visited {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const element = fieldElement(key);
    const { isMember, below } = visit(value, map.field(key) ?? {});
    if (isMember || isBlank(value) || !map.declares(key)) members.add(element);
    if (below !== undefined) children.set(element, below);
  }
  return collected(members, children);
}

/** An item with a key that stands several times is one field, without a view of what is below. */
function visitList(items: readonly Json[], list: ListView): Visited {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  const duplicates = new Set<PathElement>();
  for (const item of items) {
    const element = validListElement(list, item);
    if (element === undefined) continue;
    if (members.has(element)) duplicates.add(element);
    members.add(element);
    const { below } = visit(item, list.element());
    if (below !== undefined) children.set(element, below);
  }
  for (const element of duplicates) children.delete(element);
  return collected(members, children);
}

function collected(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>): Visited {
  return members.size === 0 && children.size === 0 ? nothing : { isMember: false, below: { members, children } };
}

function isBlank(value: Json): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}
