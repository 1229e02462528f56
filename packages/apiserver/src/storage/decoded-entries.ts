/**
 * The objects of entries that were written or read last, kept for whoever needs them next: an event has many listeners,
 * and each would decode the same text. Owned by a storage. Always holds: an object that was given out is deeply frozen.
 */
import { deepFreeze, type JsonObject, parseJson } from "@kubewright/core/meta";
import type { StoredEntry } from "./storage.ts";

/** How many objects are kept. */
const KEPT_MAX = 512;

/** Decoded objects by entry. */
export class DecodedEntries {
  readonly #objects = new WeakMap<StoredEntry, JsonObject>();
  /** The entries in `#objects`, in a ring: each newcomer takes the place of the oldest. */
  readonly #ring: StoredEntry[] = [];
  #next = 0;
  #isWanted = false;

  /** Whether anybody has ever asked for an object: until then none is kept. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** What the entry's text says. */
  get(entry: StoredEntry): JsonObject {
    this.#isWanted = true;
    const known = this.#objects.get(entry);
    if (known !== undefined) return deepFreeze(known);
    const object = deepFreeze(parseJson(entry.text) as JsonObject); // Only objects are stored.
    this.put(entry, object);
    return object;
  }

  /** Takes what the text of a new entry says. */
  put(entry: StoredEntry, object: JsonObject): void {
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#objects.delete(oldest);
    this.#ring[this.#next] = entry;
    this.#next = (this.#next + 1) % KEPT_MAX;
    this.#objects.set(entry, object);
  }
}
