/**
 * What recorders remember: the newest of many, so that a manager that lives for months does not grow. Two generations instead of an
 * order: the first key of a map from which many first keys were deleted is slow to find.
 */

/** How many are remembered at least, and twice as many at most. */
const GENERATION_MAX = 2048;

/** The newest values, by key. */
export class Remembered<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** The value, which is one of the newest again, unless it was forgotten. */
  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    return old === undefined ? undefined : this.add(key, old);
  }

  /** Remembers a value as one of the newest. */
  add(key: string, value: Value): Value {
    this.#young.set(key, value);
    if (this.#young.size < GENERATION_MAX) return value;
    this.#old = this.#young;
    this.#young = new Map();
    return value;
  }
}
