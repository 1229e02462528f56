/** Which fields differ between two values of one type. Parts that are the same reference are not looked at. */

import { deepEqual } from "../../meta/deep.ts";
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { createFieldSet, type FieldSet, insertPath, type MutableFieldSet } from "./field-set.ts";
import { validListElement } from "./list-element.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { type ListView, type MapView, type Shape, sameForm, shapeOf, type TypeView } from "./type-view.ts";

/** What changed from one value to the other. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values, which must fit the type. */
export function compareTyped(before: Json, after: Json, view: TypeView): Comparison {
  const walk: Walk = { path: [], removed: createFieldSet(), modified: createFieldSet(), added: createFieldSet() };
  compare(walk, { before, after }, view);
  return walk;
}

interface Walk {
  readonly path: PathElement[];
  readonly removed: MutableFieldSet;
  readonly modified: MutableFieldSet;
  readonly added: MutableFieldSet;
}

/** The two sides; undefined is an absent one, at most one is. */
interface Pair {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

function compare(walk: Walk, pair: Pair, view: TypeView): void {
  const { before, after } = pair;
  if (before === after) return;
  if (before !== undefined && after !== undefined && !sameForm(view, before, after)) {
    compareAs(walk, pair, shapeOf(view, before));
  }
  const wasLeaf = compareAs(walk, pair, shapeOf(view, after ?? before));
  if (wasLeaf) return;
  if (before === undefined) insertPath(walk.added, walk.path);
  else if (after === undefined) insertPath(walk.removed, walk.path);
}

/** Compares as one form of the type; true when that form is a leaf here. */
function compareAs(walk: Walk, { before, after }: Pair, shape: Shape | undefined): boolean {
  if (shape?.kind === "map") {
    const left = isJsonObject(before) ? before : undefined;
    const right = isJsonObject(after) ? after : undefined;
    if (shape.map.atomic || (isEmptyObject(left) && isEmptyObject(right))) return compareLeaf(walk, { before, after });
    compareMaps(walk, { left: left ?? {}, right: right ?? {}, map: shape.map });
    return false;
  }
  if (shape?.kind === "list") {
    const left = isJsonArray(before) ? before : [];
    const right = isJsonArray(after) ? after : [];
    if (shape.list.atomic || (left.length === 0 && right.length === 0)) return compareLeaf(walk, { before, after });
    compareLists(walk, { left, right, list: shape.list });
    return false;
  }
  return compareLeaf(walk, { before, after });
}

function compareLeaf(walk: Walk, { before, after }: Pair): boolean {
  if (before === undefined) insertPath(walk.added, walk.path);
  else if (after === undefined) insertPath(walk.removed, walk.path);
  else if (!deepEqual(before, after)) insertPath(walk.modified, walk.path);
  return true;
}

interface MapPair {
  readonly left: JsonObject;
  readonly right: JsonObject;
  readonly map: MapView;
}

function compareMaps(walk: Walk, { left, right, map }: MapPair): void {
  for (const key in left) {
    const before = left[key];
    if (before === undefined || before === right[key]) continue; // What an object inherits is no JSON.
    compareField(walk, { before, after: getKey(right, key) }, { key, map });
  }
  for (const key in right) {
    const after = right[key];
    if (after === undefined || after === left[key] || getKey(left, key) !== undefined) continue;
    compareField(walk, { before: undefined, after }, { key, map });
  }
}

function compareField(walk: Walk, pair: Pair, { key, map }: { readonly key: string; readonly map: MapView }): void {
  walk.path.push(fieldElement(key));
  compare(walk, pair, map.field(key) ?? {});
  walk.path.pop();
}

interface ListPair {
  readonly left: readonly Json[];
  readonly right: readonly Json[];
  readonly list: ListView;
}

function compareLists(walk: Walk, { left, right, list }: ListPair): void {
  const before = groupByElement(left, list);
  const after = groupByElement(right, list);
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    walk.path.push(element);
    compareItems(walk, { before: before.get(element) ?? [], after: after.get(element) ?? [] }, list.element());
    walk.path.pop();
  }
}

interface ItemPair {
  readonly before: readonly Json[];
  readonly after: readonly Json[];
}

/** Items that stand once are compared; duplicates count as one opaque item. */
function compareItems(walk: Walk, { before, after }: ItemPair, view: TypeView): void {
  if (before.length <= 1 && after.length <= 1) {
    compare(walk, { before: before[0], after: after[0] }, view);
  } else if (before.length >= 2 && after.length >= 2) {
    if (!deepEqual(before, after)) insertPath(walk.modified, walk.path);
  } else if (before.length >= 2) {
    if (after[0] !== undefined) compare(walk, { before: undefined, after: after[0] }, view);
    insertPath(walk.removed, walk.path);
  } else {
    if (before[0] !== undefined) compare(walk, { before: before[0], after: undefined }, view);
    insertPath(walk.added, walk.path);
  }
}

function groupByElement(items: readonly Json[], list: ListView): Map<PathElement, Json[]> {
  const groups = new Map<PathElement, Json[]>();
  for (const item of items) {
    const element = validListElement(list, item);
    if (element === undefined) continue;
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

function isEmptyObject(object: JsonObject | undefined): boolean {
  if (object === undefined) return true;
  for (const key of Object.keys(object)) if (object[key] !== undefined) return false;
  return true;
}
