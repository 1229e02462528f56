/** Choices by chance, for what sends random requests: the fuzzing beside it, and tools/differential. */
import type { Random } from "@kubewright/core/ports";

/** One of the items, of which there is at least one. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[below(random, items.length)] as Item;
}

/** True with that probability. */
export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** A whole number from zero up to, and without, the limit. */
export function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}
