/** A seeded source of choices for the case generators: the same seed always makes the same cases. */

/** Seeded choices. */
export interface Dice {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of these. */
  pick<Item>(items: readonly Item[]): Item;
  /** Each of these with this probability, in a random order. */
  some<Item>(items: readonly Item[], probability: number): Item[];
}

/** Dice for a seed. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    some: (items, probability) => {
      const kept = items.filter(() => next() < probability).map((item) => ({ item, rank: next() }));
      return kept.sort((left, right) => left.rank - right.rank).map(({ item }) => item);
    },
  };
}
