/**
 * The guard against hot loops: a controller whose every reconcile writes something wakes itself up without end. A key that keeps writing
 * although its object's generation stays is slowed down more and more. Pure state; run-controller.ts asks it after each reconcile.
 */

/** Writing reconciles of one generation within the window that are still normal. */
const RECONCILES_MAX = 20;
const WINDOW_MS = 60_000;
const HOLD_MS_MIN = 5_000;
const HOLD_MS_MAX = 300_000;

/** Until there are so many streaks nobody looks for those that ended: their objects are gone. */
const STREAKS_MIN = 1000;

interface Streak {
  readonly generation: number | undefined;
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly holds: number;
}

/** Counts writing reconciles by key. Keys that come to rest are forgotten. */
export class HotLoopGuard {
  readonly #streaks = new Map<string, Streak>();
  #streaksMax = STREAKS_MIN;

  /** Notes a reconcile; answers how long to hold the key, 0 for not at all. */
  note(
    key: string,
    run: { readonly generation: number | undefined; readonly wrote: boolean; readonly nowMs: number },
  ): number {
    if (!run.wrote) {
      this.#streaks.delete(key);
      return 0;
    }
    const known = this.#streaks.get(key);
    const fresh = known === undefined || known.generation !== run.generation;
    const streak = fresh
      ? { generation: run.generation, sinceMs: run.nowMs, lastMs: run.nowMs, count: 0, holds: 0 }
      : known;
    const inWindow = run.nowMs - streak.sinceMs <= WINDOW_MS || streak.holds > 0;
    const count = inWindow ? streak.count + 1 : 1;
    const hot = count > RECONCILES_MAX;
    const sinceMs = inWindow ? streak.sinceMs : run.nowMs;
    const holds = hot ? streak.holds + 1 : streak.holds;
    this.#streaks.set(key, { generation: run.generation, sinceMs, lastMs: run.nowMs, count, holds });
    if (this.#streaks.size > this.#streaksMax) this.#forgetEnded(run.nowMs);
    return hot ? Math.min(HOLD_MS_MAX, HOLD_MS_MIN * 2 ** streak.holds) : 0;
  }

  /** An object that is deleted after a reconcile that wrote is never looked at again. Seldom enough to cost nothing. */
  #forgetEnded(nowMs: number): void {
    for (const [key, { lastMs }] of this.#streaks) if (nowMs - lastMs > 2 * HOLD_MS_MAX) this.#streaks.delete(key);
    this.#streaksMax = Math.max(STREAKS_MIN, 2 * this.#streaks.size);
  }
}
