/**
 * Lays an applied configuration over the live object: nothing is removed, leaves come from the configuration, and lists
 * follow its order where it mentions items. Returns the live value itself wherever nothing differs.
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
import { validListElement } from "./list-element.ts";
import type { PathElement } from "./path-element.ts";
import { type ListView, type MapView, shapeOf, type TypeView } from "./type-view.ts";

/** `live` with `config` laid over it. Both must fit the type. */
export function mergeTyped(live: Json, config: Json, view: TypeView): Json {
  if (live === config) return live;
  const shape = shapeOf(view, config);
  if (shape?.kind === "map" && !shape.map.atomic) {
    const left = isJsonObject(live) ? live : {};
    const right = isJsonObject(config) ? config : {};
    if (hasMembers(left) || hasMembers(right)) return mergeMaps(live, { left, right, map: shape.map });
  }
  if (shape?.kind === "list" && !shape.list.atomic) {
    const left = isJsonArray(live) ? live : [];
    const right = isJsonArray(config) ? config : [];
    if (left.length > 0 || right.length > 0) return mergeLists(live, { left, right, list: shape.list });
  }
  return deepEqual(live, config) ? live : config;
}

interface MapPair {
  readonly left: JsonObject;
  readonly right: JsonObject;
  readonly map: MapView;
}

function mergeMaps(live: Json, { left, right, map }: MapPair): Json {
  let merged: MutableJsonObject | undefined = live === left ? undefined : {};
  for (const key of Object.keys(right)) {
    const value = right[key];
    if (value === undefined) continue;
    const current = getKey(left, key);
    const next = current === undefined ? value : mergeTyped(current, value, map.field(key) ?? {});
    if (next === current) continue;
    merged ??= { ...left };
    setKey(merged, key, next);
  }
  return merged ?? live;
}

interface ListPair {
  readonly left: readonly Json[];
  readonly right: readonly Json[];
  readonly list: ListView;
}

function mergeLists(live: Json, { left, right, list }: ListPair): Json {
  const merged = interleave(indexed(left, list), indexed(right, list), list);
  const same = merged.length === left.length && merged.every((item, index) => item === left[index]);
  return same && live === left ? live : merged;
}

interface IndexedList {
  readonly elements: readonly PathElement[];
  readonly items: readonly Json[];
  /** Items by their step; null where the step stands several times, because duplicates do not merge. */
  readonly byElement: ReadonlyMap<PathElement, Json>;
}

function indexed(items: readonly Json[], list: ListView): IndexedList {
  const elements: PathElement[] = [];
  const kept: Json[] = [];
  const byElement = new Map<PathElement, Json>();
  for (const item of items) {
    const element = validListElement(list, item);
    if (element === undefined) continue;
    byElement.set(element, byElement.has(element) ? null : item);
    elements.push(element);
    kept.push(item);
  }
  return { elements, items: kept, byElement };
}

/**
 * Items that both have stand in the configuration's order, each live-only item before the shared item that it preceded.
 * `shared` is the queue of shared items still to come, in the configuration's order.
 */
function interleave(live: IndexedList, config: IndexedList, list: ListView): Json[] {
  const shared = config.elements.filter((element) => live.byElement.has(element));
  const merged: Json[] = [];
  const done = new Set<PathElement>();
  const takeConfig = (element: PathElement): void => {
    done.add(element);
    const current = live.byElement.get(element);
    const value = config.byElement.get(element) as Json;
    merged.push(current === undefined ? value : mergeTyped(current, value, list.element()));
    if (shared[0] === element) shared.shift();
  };
  let left = 0;
  let right = 0;
  while (left < live.elements.length || right < config.elements.length) {
    const liveElement = live.elements[left];
    const configElement = config.elements[right];
    if (liveElement !== undefined && liveElement === configElement) {
      takeConfig(liveElement);
      left++;
      right++;
    } else if (liveElement !== undefined && !config.byElement.has(liveElement)) {
      merged.push(live.items[left] as Json);
      left++;
    } else if (liveElement !== undefined && isOutOfTurn(liveElement, shared, configElement)) {
      left++;
    } else {
      if (liveElement !== undefined && done.has(liveElement)) left++;
      if (configElement === undefined) continue;
      takeConfig(configElement);
      right++;
    }
  }
  return merged;
}

/** A shared live item that is not the next one due: it is taken when the configuration comes to it. */
function isOutOfTurn(
  element: PathElement,
  shared: readonly PathElement[],
  configElement: PathElement | undefined,
): boolean {
  return configElement !== undefined && shared[0] !== undefined && shared[0] !== element;
}

function hasMembers(object: JsonObject): boolean {
  for (const key of Object.keys(object)) if (object[key] !== undefined) return true;
  return false;
}
