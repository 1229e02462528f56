/**
 * Virtual time: the clock port for tests and simulations. Time stands still until it is advanced, and then jumps from timer to
 * timer; between two timers everything that can run without time runs. The same program takes the same steps every time.
 */
import { nextTick } from "node:process";
import { setImmediate } from "node:timers";
import type { Cancel, Clock } from "@kubewright/core/ports";

/** Where virtual time begins unless said otherwise: 2026-01-01T00:00:00Z. */
const START_MS = Date.UTC(2026, 0, 1);

/** Turns of the event loop given to what runs without time, where somebody waits for it. */
const TURNS = 4;

/** Of timers that are due at the same time, so many fire within one turn of the event loop. */
const TIMERS_IN_A_TURN_MAX = 64;

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that the test moves. */
export class VirtualClock implements Clock {
  /** Soonest last, so that taking the next one is cheap. */
  readonly #timers: Timer[] = [];
  readonly #startMs: number;
  #elapsedMs = 0;
  #jumpMs = 0;
  #order = 0;
  /** Timers that fired within this turn of the event loop. */
  #inTurn = 0;

  constructor(startMs: number = START_MS) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#jumpMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, run: () => void): Cancel {
    this.#order += 1;
    const timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), order: this.#order, run };
    this.#timers.splice(this.#place(timer), 0, timer);
    return () => this.#remove(timer);
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves the wall clock, as when somebody sets it; timers and the monotonic scale stay. */
  jump(deltaMs: number): void {
    this.#jumpMs += deltaMs;
  }

  /** Lets everything run that can run without time passing. */
  settle(): Promise<void> {
    return new Promise((resolve) => afterTurns(TURNS, resolve));
  }

  /** Passes time, firing each timer at its time. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#elapsedMs + durationMs;
    await this.settle();
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) await this.#fire(timer);
    this.#elapsedMs = endMs;
  }

  /** Passes time from timer to timer until `condition` holds; fails when it does not within `limitMs`. */
  async advanceUntil(condition: () => boolean, limitMs = 3_600_000): Promise<void> {
    const endMs = this.#elapsedMs + limitMs;
    await this.settle();
    while (!condition()) {
      const timer = this.#next(endMs);
      if (timer === undefined)
        throw new Error(`nothing made the condition true within ${limitMs / 1000} virtual seconds`);
      await this.#fire(timer);
    }
  }

  /**
   * Fires a timer, and lets all run that it brings about. What runs in the process hands work on by promises, and all of those that can go
   * on do so before the next tick; whatever else goes on in the process gets its turn whenever time moves.
   */
  #fire(timer: Timer): Promise<void> {
    this.#remove(timer);
    const isSameTime = timer.dueMs <= this.#elapsedMs && this.#inTurn < TIMERS_IN_A_TURN_MAX;
    this.#inTurn = isSameTime ? this.#inTurn + 1 : 0;
    this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
    timer.run();
    return new Promise((resolve) => (isSameTime ? nextTick(resolve) : afterTurns(1, resolve)));
  }

  #next(endMs: number): Timer | undefined {
    const soonest = this.#timers.at(-1);
    return soonest === undefined || soonest.dueMs > endMs ? undefined : soonest;
  }

  #remove(timer: Timer): void {
    const place = this.#place(timer);
    if (this.#timers[place] === timer) this.#timers.splice(place, 1);
  }

  /** Where the timer is, or belongs, by binary search. */
  #place(timer: Timer): number {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(this.#timers[middle], timer)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function afterTurns(turns: number, run: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, run) : run()));
}

/** Timers due at the same time fire in the order in which they were set. */
function isLater(one: Timer | undefined, other: Timer): boolean {
  if (one === undefined) return false;
  return one.dueMs > other.dueMs || (one.dueMs === other.dueMs && one.order > other.order);
}
