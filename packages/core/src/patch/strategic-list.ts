/**
 * Merging of lists whose patch strategy is "merge": scalars as sets, objects by their merge key, `$patch` directives
 * inside list items, and `$deleteFromPrimitiveList`.
 */
import { getKey, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";
import { goFormat, goKind } from "./go-format.ts";
import { patchFailed } from "./patch-error.ts";
import { elementKind, mergeKeyOf, missingMergeKey, orderElements } from "./strategic-order.ts";

/** Merges one object into another below a list item; strategic-merge.ts passes itself in. */
export type MergeItem = (original: JsonObject, patch: JsonObject) => JsonObject;

/** A merged list, and the live order that a following `$setElementOrder` compares with. */
export interface MergedList {
  readonly items: readonly Json[];
  readonly serverOrder: readonly Json[];
}

/** Removes the scalars that `toDelete` lists; undefined when the lists hold objects, which merge instead. */
export function deleteScalars(original: readonly Json[], toDelete: readonly Json[]): readonly Json[] | undefined {
  if (original.length === 0 && toDelete.length === 0) return original;
  if (elementKind(original, toDelete) === "map") return undefined;
  const gone = new Set(toDelete);
  return original.filter((item) => !gone.has(item));
}

/** Merges `patch` into `original`. */
export function mergeLists(
  original: readonly Json[],
  patch: readonly Json[],
  { mergeKey, mergeItem }: { readonly mergeKey: string; readonly mergeItem: MergeItem },
): MergedList {
  if (original.length === 0 && patch.length === 0) return { items: original, serverOrder: original };
  if (elementKind(original, patch) !== "map") {
    const merged = [...new Set([...original, ...patch])];
    const items = orderElements(merged, { patchOrder: patch, serverOrder: original, mergeKey });
    return { items, serverOrder: original };
  }
  if (mergeKey === "") throw patchFailed("cannot merge lists without merge key for struct");
  return mergeKeyedItems(original as readonly JsonObject[], patch as readonly JsonObject[], { mergeKey, mergeItem });
}

interface KeyedMerge {
  readonly mergeKey: string;
  readonly mergeItem: MergeItem;
}

function mergeKeyedItems(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  { mergeKey, mergeItem }: KeyedMerge,
): MergedList {
  const { kept, changes, replaced } = applyItemDirectives(original, patch, mergeKey);
  const server = replaced ? changes : kept;
  const ordered = replaced ? [] : changes;
  const merged = [...server];
  const added: JsonObject[] = [];
  for (const change of ordered) {
    const key = mergeKeyOf(change, mergeKey);
    const index = merged.findIndex((item) => getKey(item, mergeKey) === key);
    if (index >= 0) {
      merged[index] = mergeItem(merged[index] as JsonObject, change);
    } else {
      added.push(change);
      merged.push(change);
    }
  }
  const items = orderElements(merged, { patchOrder: ordered, serverOrder: server, mergeKey });
  return { items, serverOrder: replaced ? original : orderAfterDeletes(original, kept, added) };
}

/**
 * kube-apiserver deletes and appends within the live list's own memory, so added items take the places of deleted ones
 * at its end; `$setElementOrder` then sees them there, and clients see the resulting order.
 */
function orderAfterDeletes(
  original: readonly JsonObject[],
  kept: readonly JsonObject[],
  added: readonly JsonObject[],
): readonly Json[] {
  return [...kept, ...added].slice(0, original.length);
}

interface ItemDirectives {
  readonly kept: readonly JsonObject[];
  readonly changes: readonly JsonObject[];
  readonly replaced: boolean;
}

function applyItemDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): ItemDirectives {
  let kept = original;
  let replaced = false;
  for (const item of patch) {
    const directive = getKey(item, "$patch");
    if (directive === undefined) continue;
    if (directive === "replace") replaced = true;
    else if (directive === "delete") kept = withoutKey(kept, mergeKey, deleteKeyOf(item, mergeKey));
    else if (directive === "merge") throw patchFailed("merging lists cannot yet be specified in the patch");
    else throw unknownDirective(directive, item);
  }
  return { kept, changes: patch.filter((item) => getKey(item, "$patch") === undefined), replaced };
}

/** The error for a `$patch` value that nobody defined. */
export function unknownDirective(directive: Json, patch: JsonObject): Error {
  const shown = typeof directive === "string" ? directive : `%!s(${goKind(directive)}=${goFormat(directive)})`;
  return patchFailed(`unknown patch type: ${shown} in map: ${goFormat(patch)}`);
}

function deleteKeyOf(item: JsonObject, mergeKey: string): Json {
  const key = getKey(item, mergeKey);
  if (key === undefined) throw missingMergeKey(item, mergeKey);
  return key;
}

function withoutKey(items: readonly JsonObject[], mergeKey: string, key: Json): readonly JsonObject[] {
  return items.filter((item) => !isJsonObject(item) || getKey(item, mergeKey) !== key);
}
