/** The rule between a `$setElementOrder` list and the patch's own list: the latter is in the former's order, no item missing. */
import { getKey, isJsonObject, type Json } from "../meta/json.ts";
import { goFormat } from "./go-format.ts";
import { patchFailed } from "./patch-error.ts";
import { mergeKeyOf, wrongType } from "./strategic-order.ts";

/** Throws when the patch's list and its `$setElementOrder` list contradict each other. */
export function checkElementOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const pending = mergeKey === "" ? patch : withoutDeletes(patch);
  let next = 0;
  let place = 0;
  while (next < pending.length && place < order.length) {
    const item = pending[next] as Json;
    if (hasDirective(item)) {
      next++;
      continue;
    }
    if (sameIdentity(item, order[place] as Json, mergeKey)) next++;
    place++;
  }
  if (next >= pending.length || place < order.length) return;
  const lists = `The order in patch list:\n${goFormat(patch)}\n doesn't match $setElementOrder list:\n${goFormat(order)}\n`;
  throw patchFailed(lists);
}

function withoutDeletes(patch: readonly Json[]): readonly Json[] {
  return patch.filter((item) => {
    if (!isJsonObject(item)) throw wrongType({}, item);
    return getKey(item, "$patch") !== "delete";
  });
}

function hasDirective(item: Json): boolean {
  return isJsonObject(item) && getKey(item, "$patch") !== undefined;
}

function sameIdentity(left: Json, right: Json, mergeKey: string): boolean {
  return mergeKey === "" ? left === right : mergeKeyOf(left, mergeKey) === mergeKeyOf(right, mergeKey);
}
