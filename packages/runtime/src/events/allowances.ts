/** How many events each source may record: some at once, then one now and again, as client-go's spam filter has it. */
import { type RateLimit, TokenBucket } from "../queue/token-bucket.ts";
import { Remembered } from "./remember.ts";

/** About one object 25 at once, and then one in five minutes. */
const LIMIT: RateLimit = { burst: 25, perSecond: 1 / 300 };

/** What each source may still record. */
export class Allowances {
  readonly #buckets = new Remembered<TokenBucket>();

  /** True when the source may record one more event now, which is then taken off. */
  take(source: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(source) ?? new TokenBucket(LIMIT);
    this.#buckets.set(source, bucket);
    if (bucket.waitMs(nowMs) > 0) return false;
    bucket.take(nowMs);
    return true;
  }
}
