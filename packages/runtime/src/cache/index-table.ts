/** Field indexes of a store: from a value that a function finds in an object to the keys of the objects that have it. */
import type { KubernetesObject } from "@kubewright/core/meta";

/** Index name → the values under which an object is found. */
export type Indexes<Kind extends KubernetesObject = KubernetesObject> = Readonly<
  Record<string, (object: Kind) => readonly string[]>
>;

/** Value → its keys. Most values have one key (an owner with one child of a kind), which needs no set. */
type Table = Map<string, string | Set<string>>;

interface Index<Kind extends KubernetesObject> {
  readonly valuesOf: (object: Kind) => readonly string[];
  readonly table: Table;
  /** Keys without a value; kept from the first time that somebody asks for them. */
  without: Set<string> | undefined;
}

/** Keys by index and value. */
export class IndexTable<Kind extends KubernetesObject> {
  readonly #indexes: ReadonlyMap<string, Index<Kind>>;
  /** The same in a list, which is gone through for every object that comes. */
  readonly #all: readonly Index<Kind>[];

  constructor(indexes: Indexes<Kind>) {
    const toIndex = (valuesOf: Index<Kind>["valuesOf"]): Index<Kind> => ({
      valuesOf,
      table: new Map(),
      without: undefined,
    });
    this.#indexes = new Map(Object.entries(indexes).map(([name, valuesOf]) => [name, toIndex(valuesOf)]));
    this.#all = [...this.#indexes.values()];
  }

  /** True when there is no index, so that nothing needs to be kept. */
  get empty(): boolean {
    return this.#indexes.size === 0;
  }

  /** True when there is an index of that name. */
  has(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** The keys under a value, in the order in which they came. */
  keys(name: string, value: string): Iterable<string> {
    const keys = this.#index(name).table.get(value) ?? [];
    return typeof keys === "string" ? [keys] : keys;
  }

  /** Those of all keys that have no value in an index. */
  keysWithout(name: string, all: Iterable<string>): Iterable<string> {
    const index = this.#index(name);
    index.without ??= subtract(all, index.table.values());
    return index.without;
  }

  /** Notes that the object under `key` was `before` and is `after`; undefined means there is none. */
  move(key: string, before: Kind | undefined, after: Kind | undefined): void {
    for (const { valuesOf, table, without } of this.#all) {
      const old = before === undefined ? NO_VALUES : valuesOf(before);
      const next = after === undefined ? NO_VALUES : valuesOf(after);
      for (const value of old) if (!next.includes(value)) take(table, value, key);
      for (const value of next) if (!old.includes(value)) give(table, value, key);
      if (after !== undefined && next.length === 0) without?.add(key);
      else without?.delete(key);
    }
  }

  #index(name: string): Index<Kind> {
    const index = this.#indexes.get(name);
    if (index !== undefined) return index;
    throw new TypeError(`no index ${JSON.stringify(name)}; declare it where the cache is made`);
  }
}

const NO_VALUES: readonly string[] = [];

function subtract(all: Iterable<string>, others: Iterable<string | Set<string>>): Set<string> {
  const rest = new Set(all);
  for (const keys of others) for (const key of typeof keys === "string" ? [keys] : keys) rest.delete(key);
  return rest;
}

function give(table: Table, value: string, key: string): void {
  const keys = table.get(value);
  if (keys === undefined) table.set(value, key);
  else if (typeof keys === "string") table.set(value, new Set([keys, key]));
  else keys.add(key);
}

function take(table: Table, value: string, key: string): void {
  const keys = table.get(value);
  if (keys === key) table.delete(value);
  if (typeof keys !== "object") return;
  keys.delete(key);
  if (keys.size === 0) table.delete(value);
}
