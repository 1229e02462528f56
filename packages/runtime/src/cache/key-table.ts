/** Keys by a value that their objects have: one index of a store. index-table.ts has those that programs declare, owner-index.ts the owners. */

/** Value → its keys. Most values have one key (an owner with one child of a kind), which needs no set. */
export class KeyTable {
  readonly #keys = new Map<string, string | Set<string>>();
  /** Keys without a value; kept from the first time that somebody asks for them. */
  #without: Set<string> | undefined;

  /** The keys under a value, in the order in which they came. */
  keys(value: string): Iterable<string> {
    const keys = this.#keys.get(value) ?? [];
    return typeof keys === "string" ? [keys] : keys;
  }

  /** Those of all keys that have no value. */
  keysWithout(all: Iterable<string>): Iterable<string> {
    this.#without ??= subtract(all, this.#keys.values());
    return this.#without;
  }

  /** A key has a value. */
  add(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, key);
    else if (typeof keys === "string") this.#keys.set(value, new Set([keys, key]));
    else keys.add(key);
  }

  /** A key no longer has a value. */
  remove(value: string, key: string): void {
    const keys = this.#keys.get(value);
    if (keys === key) this.#keys.delete(value);
    if (typeof keys !== "object") return;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(value);
  }

  /** Says whether a key is there and has no value. */
  noteWithout(key: string, isWithout: boolean): void {
    if (isWithout) this.#without?.add(key);
    else this.#without?.delete(key);
  }
}

function subtract(all: Iterable<string>, others: Iterable<string | Set<string>>): Set<string> {
  const rest = new Set(all);
  for (const keys of others) for (const key of typeof keys === "string" ? [keys] : keys) rest.delete(key);
  return rest;
}
