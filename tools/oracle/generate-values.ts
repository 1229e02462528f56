/** Random JSON, with the keys and values that trip implementations up. */
import { type Json, type JsonObject, type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { Dice } from "./dice.ts";

const keys = ["a", "b", "c", "d", "__proto__", "constructor", "x/y", "m~n", "0", "", "ü"];
const texts = ["", "x", "y", "a b", "ü", "0", "__proto__", "~1"];

/** Any JSON value. */
export function randomJson(dice: Dice, depth: number): Json {
  const kind = dice.below(depth > 0 ? 10 : 6);
  if (kind === 0) return null;
  if (kind === 1) return dice.chance(0.5);
  if (kind < 4) return dice.pick([0, 1, 2, -7, 1.5, 1000000]);
  if (kind < 6) return dice.pick(texts);
  return kind < 8 ? randomList(dice, depth - 1) : randomObject(dice, depth - 1);
}

/** Any JSON object. */
export function randomObject(dice: Dice, depth: number): JsonObject {
  const object: MutableJsonObject = {};
  for (const key of dice.some(keys, 0.3)) setKey(object, key, randomJson(dice, depth));
  return object;
}

/** Any list. */
export function randomList(dice: Dice, depth: number): readonly Json[] {
  return Array.from({ length: dice.below(4) }, () => randomJson(dice, depth));
}

/** A value like `value`, with random changes here and there. */
export function mutateJson(dice: Dice, value: Json): Json {
  if (dice.chance(0.12)) return randomJson(dice, 2);
  if (Array.isArray(value)) {
    const items = value.filter(() => !dice.chance(0.15)).map((item) => mutateJson(dice, item));
    return dice.chance(0.2) ? [...items, randomJson(dice, 1)] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const mutated: MutableJsonObject = {};
  for (const [key, member] of Object.entries(value as JsonObject)) {
    if (!dice.chance(0.15)) setKey(mutated, key, mutateJson(dice, member as Json));
  }
  if (dice.chance(0.3)) setKey(mutated, dice.pick(keys), randomJson(dice, 2));
  return mutated;
}
