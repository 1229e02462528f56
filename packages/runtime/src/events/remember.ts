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

  /** The value, unless it was forgotten. */
  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Remembers a value as one of the newest. */
  set(key: string, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size < GENERATION_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** Forgets a value. */
  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
