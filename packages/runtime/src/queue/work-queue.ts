/**
 * The work queue: keys go in from handlers, timers and retries; workers take them out. Deduplicated, one worker per key, delayed,
 * prioritised, with backoff per key. The bookkeeping is in schedule.ts; this is the waiting around it.
 */
import type { Cancel, Clock, Random } from "@kubewright/core/ports";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { type Cause, type CauseToTell, type QueueItem, Schedule } from "./schedule.ts";
import { type RateLimit, TokenBucket } from "./token-bucket.ts";

/** Priority of what merely exists: initial objects and resyncs wait behind fresh changes (priority 0). */
export const LOW_PRIORITY = -100;

/** After so many keys in a row others get a turn: the answers of requests, and changes that are more urgent. */
const KEYS_IN_A_ROW_MAX = 128;

/** What a work queue is made of. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff?: BackoffOptions | undefined;
  /** How many keys may be handed out. @default no limit */
  readonly rateLimit?: RateLimit | undefined;
  /** Keys are handed out once everything else that can run now has run, so that what comes at once is worked on once. @default false */
  readonly gathers?: boolean | undefined;
  /** Keys are handed out with why they were added. @default true */
  readonly remembersCauses?: boolean | undefined;
}

/** How a key is added. */
export interface AddOptions {
  /** @default 0 */
  readonly delayMs?: number;
  /** Higher goes first. @default 0 */
  readonly priority?: number;
  /** Of equal priority, higher goes first. @default 0: in the order in which they came */
  readonly recency?: number;
  /** @default it is to be looked at again */
  readonly cause?: CauseToTell | undefined;
}

const REQUEUE: CauseToTell = { kind: "requeue" };

/** Keys to work on. */
export class WorkQueue<Key extends string = string> {
  readonly #clock: Clock;
  readonly #schedule = new Schedule<Key>();
  readonly #backoff: Backoff<Key>;
  readonly #bucket: TokenBucket | undefined;
  /** Keys that must not be worked on before a time, however fresh their changes. */
  readonly #holds = new Map<Key, number>();
  readonly #takers: Array<(item: QueueItem<Key> | undefined) => void> = [];
  readonly #gathers: boolean;
  readonly #remembersCauses: boolean;
  /** Keys handed out since nobody else had a turn. */
  #keysInARow = 0;
  /** Nothing is handed out before the timer for now fires. */
  #paused = false;
  #cancelPause: Cancel = () => {};
  #closed = false;
  #added = 0;
  #retried = 0;
  #wakeAtMs: number | undefined;
  #cancelWake: Cancel = () => {};

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#backoff = new Backoff(options.random, options.backoff);
    this.#bucket = options.rateLimit === undefined ? undefined : new TokenBucket(options.rateLimit);
    this.#gathers = options.gathers === true;
    this.#remembersCauses = options.remembersCauses !== false;
  }

  /** Keys that wait, delayed ones included. */
  get length(): number {
    return this.#schedule.waiting;
  }

  /** Keys being worked on. */
  get working(): number {
    return this.#schedule.working;
  }

  /** True when nothing is being worked on and nothing could be now. */
  get idle(): boolean {
    return this.#schedule.working === 0 && this.#schedule.readyCount(this.#clock.monotonic()) === 0;
  }

  /** Keys that could be worked on now. */
  get ready(): number {
    return this.#schedule.readyCount(this.#clock.monotonic());
  }

  /** Whether it matters to anybody why keys are added. */
  get remembersCauses(): boolean {
    return this.#remembersCauses;
  }

  /** How often keys were added, and how many of those times because they had failed. */
  get totals(): { readonly added: number; readonly retried: number } {
    return { added: this.#added, retried: this.#retried };
  }

  /** Adds a key. */
  add(key: Key, options: AddOptions = {}): void {
    if (this.#closed) return;
    this.#added += 1;
    const { delayMs = 0, priority = 0, recency = 0, cause = REQUEUE } = options;
    const nowMs = this.#clock.monotonic();
    const readyMs = Math.max(nowMs + delayMs, this.#heldUntilMs(key, nowMs));
    const isReady = readyMs <= nowMs;
    this.#schedule.add(key, { readyMs, isReady, priority, recency, cause: this.#remembersCauses ? cause : undefined });
    if (this.#gathers && isReady) this.#pause();
    else this.#serve();
  }

  /**
   * Adds keys that merely exist, to be worked on in their order when nothing else is. Thousands cost next to nothing until it is their turn.
   * @example queue.addBacklog(informer.store.newestKeys(), (key) => ({ kind: "resync", resource: "apps.example.com", key }));
   */
  addBacklog(keys: Iterable<Key>, causeOf: (key: Key) => Cause): void {
    if (this.#closed) return;
    const before = this.#schedule.waiting;
    const readyMs = this.#clock.monotonic();
    this.#schedule.addBacklog(keys, {
      readyMs,
      priority: LOW_PRIORITY,
      causeOf: this.#remembersCauses ? causeOf : undefined,
    });
    this.#added += this.#schedule.waiting - before;
    if (this.#gathers) this.#pause();
    else this.#serve();
  }

  /** Lets nobody work on a key for a while, whatever is added. */
  hold(key: Key, durationMs: number): void {
    this.#holds.set(key, this.#clock.monotonic() + durationMs);
  }

  /** Adds a key that failed, after its backoff; false when it has failed too often. */
  retry(key: Key, options: { readonly reason: string; readonly priority?: number }): boolean {
    const delayMs = this.#backoff.fail(key);
    if (delayMs === undefined) return false;
    const { reason, priority = 0 } = options;
    this.#retried += 1;
    this.add(key, { delayMs, priority, cause: { kind: "retry", reason } });
    return true;
  }

  /** Lets every key that failed be tried at once: what they failed for may be over. Their next waits stay as long as they would be. */
  retryNow(reason: string): void {
    for (const key of this.#backoff.failing())
      this.add(key, { priority: LOW_PRIORITY, cause: { kind: "retry", reason } });
  }

  /** How often the key failed in a row. */
  failures(key: Key): number {
    return this.#backoff.failures(key);
  }

  /** Forgets the failures of a key. */
  forget(key: Key): void {
    this.#backoff.forget(key);
  }

  /** The next key to work on if there is one now; call `done` with it afterwards. */
  takeNow(): QueueItem<Key> | undefined {
    // Who waits goes first.
    return this.#closed || this.#paused || this.#takers.length > 0 ? undefined : this.#next(this.#clock.monotonic());
  }

  /** The next key to work on; call `done` with it afterwards. Undefined when the queue was closed. */
  take(): Promise<QueueItem<Key> | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#serve();
    });
  }

  /** Ends the work on a key. */
  done(key: Key): void {
    this.#schedule.done(key);
    this.#serve();
  }

  /** Takes nothing more in and hands nothing more out. */
  close(): void {
    this.#closed = true;
    this.#cancelWake();
    this.#cancelPause();
    for (const give of this.#takers.splice(0)) give(undefined);
  }

  #heldUntilMs(key: Key, nowMs: number): number {
    const untilMs = this.#holds.get(key);
    if (untilMs === undefined) return 0;
    if (untilMs <= nowMs) this.#holds.delete(key);
    return untilMs;
  }

  /** A timer for now fires after all that runs without time. */
  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#keysInARow = 0;
    this.#cancelPause = this.#clock.schedule(0, () => {
      this.#paused = false;
      this.#serve();
    });
  }

  /** Hands out what can be handed out, and arms a timer for the rest. */
  #serve(): void {
    if (this.#closed) return;
    const nowMs = this.#clock.monotonic();
    while (this.#takers.length > 0 && !this.#paused) {
      const item = this.#next(nowMs);
      if (item === undefined) {
        this.#wakeAt(this.#nextMs(nowMs));
        return;
      }
      this.#takers.pop()?.(item);
    }
  }

  /** The most urgent key whose time has come, if it may be handed out. */
  #next(nowMs: number): QueueItem<Key> | undefined {
    if (this.#tokenMs(nowMs) > nowMs) return undefined;
    const item = this.#schedule.take(nowMs);
    this.#keysInARow = item === undefined ? 0 : this.#keysInARow + 1;
    if (item === undefined) return undefined;
    this.#bucket?.take(nowMs);
    if (this.#keysInARow === KEYS_IN_A_ROW_MAX) this.#pause();
    return item;
  }

  /** When the next key may be handed out; undefined when none waits. */
  #nextMs(nowMs: number): number | undefined {
    const tokenMs = this.#tokenMs(nowMs);
    return tokenMs > nowMs ? tokenMs : this.#schedule.nextReadyMs();
  }

  /** When the rate limit allows another key. */
  #tokenMs(nowMs: number): number {
    return nowMs + (this.#bucket?.waitMs(nowMs) ?? 0);
  }

  #wakeAt(readyMs: number | undefined): void {
    if (readyMs === undefined || readyMs === this.#wakeAtMs) return;
    this.#cancelWake();
    this.#wakeAtMs = readyMs;
    const nowMs = this.#clock.monotonic();
    this.#cancelWake = this.#clock.schedule(Math.max(0, readyMs - nowMs), () => {
      this.#wakeAtMs = undefined;
      this.#serve();
    });
  }
}
