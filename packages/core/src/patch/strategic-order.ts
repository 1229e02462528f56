/**
 * The order of a list after a strategic merge: items that the patch (or `$setElementOrder`) names follow its order, items
 * that only the server has follow the live order, and the two are interleaved by the live order as far as it is known.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";
import { goFormat, goKind, goTypeName } from "./go-format.ts";
import { patchDoesNotApply, patchFailed } from "./patch-error.ts";

/** What decides the order of one merged list. */
export interface ElementOrder {
  /** The items that the patch names, in its order. */
  readonly patchOrder: readonly Json[];
  /** The items of the live list, in its order. */
  readonly serverOrder: readonly Json[];
  /** Empty for scalars. */
  readonly mergeKey: string;
}

/** Puts merged items in order. */
export function orderElements(merged: readonly Json[], order: ElementOrder): readonly Json[] {
  const { mergeKey } = order;
  const patchRank = ranksOf(order.patchOrder, mergeKey);
  const serverRank = ranksOf(order.serverOrder, mergeKey);
  const inPatch = merged.filter((item) => patchRank.has(identityOf(item, mergeKey)));
  const serverOnly = merged.filter((item) => !patchRank.has(identityOf(item, mergeKey)));
  const rankIn = (ranks: ReadonlyMap<Json, number>, item: Json): number => ranks.get(identityOf(item, mergeKey)) ?? -1;
  const left = sortByRank(serverOnly, (item) => rankIn(serverRank, item));
  const right = deletesLast(sortByRank(inPatch, (item) => rankIn(patchRank, item)));
  return interleave(left, right, (item) => rankIn(serverRank, item));
}

/** The value of an object's merge key; throws when the item is no object or lacks it. */
export function mergeKeyOf(item: Json, mergeKey: string): Json {
  if (!isJsonObject(item)) throw wrongType({}, item);
  const value = getKey(item, mergeKey);
  if (value === undefined) throw missingMergeKey(item, mergeKey);
  return value;
}

/** The error for an element without its merge key. */
export function missingMergeKey(item: JsonObject, mergeKey: string): Error {
  return patchFailed(`map: ${goFormat(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The error for a value of another type than expected; `expected` is any value of the right type. */
export function wrongType(expected: Json, actual: Json | undefined): Error {
  return patchFailed(`expected a ${goTypeName(expected)}, but received a ${goTypeName(actual)}`);
}

/** The one kind that all elements of the lists have; throws when they differ, or when there are no elements. */
export function elementKind(...lists: readonly (readonly Json[])[]): string {
  const items = lists.flat(1) as readonly Json[];
  const first = items[0];
  if (first === undefined) throw patchFailed("no elements in any of the given slices");
  if (isJsonArray(first)) throw patchDoesNotApply("lists of lists are not supported");
  const kind = goKind(first);
  if (kind !== "nil" && items.every((item) => goKind(item) === kind)) return kind;
  throw patchFailed(`list element types are not identical: ${goFormat(lists)}`);
}

function identityOf(item: Json, mergeKey: string): Json {
  return mergeKey === "" ? item : mergeKeyOf(item, mergeKey);
}

/** The first position of every item; a later duplicate does not count. */
function ranksOf(items: readonly Json[], mergeKey: string): ReadonlyMap<Json, number> {
  const ranks = new Map<Json, number>();
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item, mergeKey);
    if (!ranks.has(identity)) ranks.set(identity, index);
  }
  return ranks;
}

/**
 * Sorts by rank. Items without one have no place that follows from a rule: Kubernetes' comparison calls them smaller than
 * everything and everything smaller than them, so what its insertion sort makes of that is what clients see.
 */
function sortByRank(items: readonly Json[], rank: (item: Json) => number): readonly Json[] {
  if (items.every((item) => rank(item) >= 0)) return items.toSorted((left, right) => rank(left) - rank(right));
  const sorted = [...items];
  for (let end = 1; end < sorted.length; end++) {
    for (let index = end; index > 0 && comesFirst(rank, sorted, index); index--) {
      const moved = sorted[index] as Json;
      sorted[index] = sorted[index - 1] as Json;
      sorted[index - 1] = moved;
    }
  }
  return sorted;
}

function comesFirst(rank: (item: Json) => number, items: readonly Json[], index: number): boolean {
  const own = rank(items[index] as Json);
  const previous = rank(items[index - 1] as Json);
  return own < 0 || previous < 0 || own < previous;
}

/** Delete directives that are still in the list stand behind everything else. */
function deletesLast(items: readonly Json[]): readonly Json[] {
  const isDelete = (item: Json): boolean => isJsonObject(item) && getKey(item, "$patch") === "delete";
  return items.some(isDelete) ? [...items.filter((item) => !isDelete(item)), ...items.filter(isDelete)] : items;
}

/** Both lists keep their own order; a left item goes first only when both ranks are known and its own is smaller. */
function interleave(left: readonly Json[], right: readonly Json[], rank: (item: Json) => number): Json[] {
  const all: Json[] = [];
  let next = 0;
  for (const item of right) {
    const limit = rank(item);
    while (next < left.length && rank(left[next] as Json) >= 0 && rank(left[next] as Json) < limit) {
      all.push(left[next++] as Json);
    }
    all.push(item);
  }
  return [...all, ...left.slice(next)];
}
