/** A token bucket: so many at once, then so many per second. Pure: it is told the time. */

/** How much is allowed. */
export interface RateLimit {
  /** Sustained rate. */
  readonly perSecond: number;
  /** How many may go at once after a rest. */
  readonly burst: number;
}

/** Tokens that come back with time. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #atMs: number | undefined;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#tokens = limit.burst;
  }

  /** How long until a token is there; 0 when one is. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#limit.perSecond) * 1000;
  }

  /** Takes a token that is there. */
  take(nowMs: number): void {
    this.#refill(nowMs);
    this.#tokens -= 1;
  }

  #refill(nowMs: number): void {
    const elapsedMs = nowMs - (this.#atMs ?? nowMs);
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + (elapsedMs / 1000) * this.#limit.perSecond);
    this.#atMs = nowMs;
  }
}
