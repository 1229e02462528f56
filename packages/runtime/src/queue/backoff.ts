/** How long a key that failed waits: doubling from 5 ms to about 17 minutes, with jitter, forgotten after a success. */
import type { Random } from "@kubewright/core/ports";

/** How failing keys are retried. */
export interface BackoffOptions {
  /** @default 5 */
  readonly initialMs?: number;
  /** @default 1_000_000 */
  readonly maxMs?: number;
  /** Failures in a row after which a key is given up; Infinity means never. @default Infinity */
  readonly retriesMax?: number;
}

/** Failures in a row, by key. */
export class Backoff<Key> {
  readonly #failures = new Map<Key, number>();
  readonly #random: Random;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #retriesMax: number;

  constructor(random: Random, options: BackoffOptions = {}) {
    this.#random = random;
    this.#initialMs = options.initialMs ?? 5;
    this.#maxMs = options.maxMs ?? 1_000_000;
    this.#retriesMax = options.retriesMax ?? Number.POSITIVE_INFINITY;
  }

  /** Notes a failure; answers with the time to wait, or undefined when the key has failed too often. */
  fail(key: Key): number | undefined {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    if (failures > this.#retriesMax) return undefined;
    this.#failures.set(key, failures);
    const baseMs = Math.min(this.#maxMs, this.#initialMs * 2 ** (failures - 1));
    return baseMs * (1 + 0.1 * this.#random.next());
  }

  /** How often the key failed in a row. */
  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The keys that failed and did not succeed since. */
  failing(): readonly Key[] {
    return [...this.#failures.keys()];
  }

  /** Starts anew for the key. */
  forget(key: Key): void {
    this.#failures.delete(key);
  }
}
