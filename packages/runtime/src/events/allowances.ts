/** How many events each source may record: some at once, then one now and again, as client-go's spam filter has it. */
import { Remembered } from "./remember.ts";

/** A source may record this many events about one object at once … */
const BURST_MAX = 25;

/** … and then one in this time. */
const REFILL_MS = 5 * 60_000;

/** What each source may still record. */
export class Allowances {
  readonly #left = new Remembered<{ readonly tokens: number; readonly atMs: number }>();

  /** True when the source may record one more event now, which is then taken off. */
  take(source: string, nowMs: number): boolean {
    const known = this.#left.get(source) ?? { tokens: BURST_MAX, atMs: nowMs };
    const tokens = Math.min(BURST_MAX, known.tokens + (nowMs - known.atMs) / REFILL_MS);
    this.#left.set(source, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }
}
