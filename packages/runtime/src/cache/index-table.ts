/** Field indexes of a store: from a value that a function finds in an object to the keys of the objects that have it. */
import type { KubernetesObject } from "@kubewright/core/meta";

/** Index name → the values under which an object is found. */
export type Indexes<Kind extends KubernetesObject = KubernetesObject> = Readonly<
  Record<string, (object: Kind) => readonly string[]>
>;

/** Value → its keys. Most values have one key (an owner with one child of a kind), which needs no set. */
type Table = Map<string, string | Set<string>>;

/** Keys by index and value. */
export class IndexTable<Kind extends KubernetesObject> {
  readonly #functions: ReadonlyArray<readonly [name: string, valuesOf: (object: Kind) => readonly string[]]>;
  readonly #tables = new Map<string, Table>();

  constructor(indexes: Indexes<Kind>) {
    this.#functions = Object.entries(indexes);
    for (const [name] of this.#functions) this.#tables.set(name, new Map());
  }

  /** True when there is no index, so that nothing needs to be kept. */
  get empty(): boolean {
    return this.#functions.length === 0;
  }

  /** True when there is an index of that name. */
  has(name: string): boolean {
    return this.#tables.has(name);
  }

  /** The keys under a value, in the order in which they came. */
  keys(name: string, value: string): Iterable<string> {
    const table = this.#tables.get(name);
    if (table === undefined)
      throw new TypeError(`no index ${JSON.stringify(name)}; declare it where the cache is made`);
    const keys = table.get(value) ?? [];
    return typeof keys === "string" ? [keys] : keys;
  }

  /** Notes that the object under `key` was `before` and is `after`; undefined means there is none. */
  move(key: string, before: Kind | undefined, after: Kind | undefined): void {
    for (const [name, valuesOf] of this.#functions) {
      const table = this.#tables.get(name) ?? new Map<string, string | Set<string>>();
      const old = before === undefined ? [] : valuesOf(before);
      const next = after === undefined ? [] : valuesOf(after);
      for (const value of old) if (!next.includes(value)) take(table, value, key);
      for (const value of next) if (!old.includes(value)) give(table, value, key);
    }
  }
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
