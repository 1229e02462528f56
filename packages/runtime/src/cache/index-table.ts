/** Field indexes of a store: from a value that a function finds in an object to the keys of the objects that have it. */
import type { KubernetesObject } from "@kubewright/core/meta";
import { KeyTable } from "./key-table.ts";

/** Index name → the values under which an object is found. */
export type Indexes<Kind extends KubernetesObject = KubernetesObject> = Readonly<
  Record<string, (object: Kind) => readonly string[]>
>;

interface Index<Kind extends KubernetesObject> {
  readonly valuesOf: (object: Kind) => readonly string[];
  readonly table: KeyTable;
}

/** Keys by index and value. */
export class IndexTable<Kind extends KubernetesObject> {
  readonly #indexes: ReadonlyMap<string, Index<Kind>>;

  constructor(indexes: Indexes<Kind>) {
    const entries = Object.entries(indexes);
    this.#indexes = new Map(entries.map(([name, valuesOf]) => [name, { valuesOf, table: new KeyTable() }]));
  }

  /** True when there is no index, so that nothing needs to be kept. */
  get empty(): boolean {
    return this.#indexes.size === 0;
  }

  /** The table of an index. */
  of(name: string): KeyTable {
    const index = this.#indexes.get(name);
    if (index !== undefined) return index.table;
    throw new TypeError(`no index ${JSON.stringify(name)}; declare it where the cache is made`);
  }

  /** Notes that the object under `key` was `before` and is `after`; undefined means there is none. Notes nothing where a function fails. */
  move(key: string, before: Kind | undefined, after: Kind | undefined): void {
    const moves = Array.from(this.#indexes.values(), ({ valuesOf, table }) => ({
      table,
      old: before === undefined ? NO_VALUES : valuesOf(before),
      next: after === undefined ? NO_VALUES : valuesOf(after),
    }));
    for (const { table, old, next } of moves) {
      for (const value of old) if (!next.includes(value)) table.remove(value, key);
      for (const value of next) if (!old.includes(value)) table.add(value, key);
      table.noteWithout(key, after !== undefined && next.length === 0);
    }
  }
}

const NO_VALUES: readonly string[] = [];
