/**
 * The work queue's memory: which keys wait, until when, how urgently, and which are being worked on. No clock and no
 * promises: the queue in work-queue.ts tells it the time. Always holds: a key is handed out once at a time; a key added while it is
 * worked on is handed out again afterwards; an earlier time or a higher priority wins.
 */
import { Heap } from "./heap.ts";

/** Why a key waits. */
export type Cause =
  /** An object changed, or was found to be there; of updates the changed fields: "spec.size". */
  | {
      readonly kind: "added" | "updated" | "deleted" | "resync";
      readonly resource: string;
      readonly key: string;
      readonly fields?: readonly string[];
    }
  | { readonly kind: "requeue" }
  | { readonly kind: "retry"; readonly reason: string }
  | { readonly kind: "source"; readonly source: string };

/** A cause, or what tells it. It is told when it is remembered, so that what it is made of (states of objects) is not kept with it. */
export type CauseToTell = Cause | (() => Cause);

/** How many causes of one key are remembered. */
const CAUSES_MAX = 8;

/** A key that is handed out. */
export interface QueueItem<Key> {
  readonly key: Key;
  readonly priority: number;
  readonly causes: readonly Cause[];
  /** When the key became ready. */
  readonly readyMs: number;
}

interface Waiting<Key> {
  readonly key: Key;
  readonly readyMs: number;
  readonly priority: number;
  readonly recency: number;
  readonly causes: Cause[];
  /** Order of arrival, among equals. */
  readonly order: number;
}

/** How a key is added. */
interface Add {
  readonly readyMs: number;
  readonly priority: number;
  /** @default 0 */
  readonly recency?: number;
  /** @default none is remembered */
  readonly cause?: CauseToTell | undefined;
}

/** Keys that wait or are being worked on. */
export class Schedule<Key extends string> {
  readonly #waiting = new Map<Key, Waiting<Key>>();
  readonly #working = new Set<Key>();
  /** Waiting keys whose time has come, most urgent first. Entries that others took the place of are skipped when met. */
  readonly #ready = new Heap<Waiting<Key>>(
    (a, b) => b.priority - a.priority || b.recency - a.recency || a.order - b.order,
  );
  readonly #later = new Heap<Waiting<Key>>((a, b) => a.readyMs - b.readyMs || a.order - b.order);
  #order = 0;

  /** Keys that wait, those whose time has not come included. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Keys being worked on. */
  get working(): number {
    return this.#working.size;
  }

  /** Adds a key, or makes a waiting one earlier or more urgent. */
  add(key: Key, { readyMs, priority, recency = 0, cause }: Add): void {
    const known = this.#waiting.get(key);
    if (known === undefined) {
      this.#order += 1;
      this.#wait({
        key,
        readyMs,
        priority,
        recency,
        causes: cause === undefined ? [] : [told(cause)],
        order: this.#order,
      });
      return;
    }
    if (cause !== undefined && known.causes.length < CAUSES_MAX) known.causes.push(told(cause));
    if (readyMs >= known.readyMs && priority <= known.priority && recency <= known.recency) return;
    this.#wait({
      key,
      readyMs: Math.min(known.readyMs, readyMs),
      priority: Math.max(known.priority, priority),
      recency: Math.max(known.recency, recency),
      causes: known.causes,
      order: known.order,
    });
  }

  /** Hands out the most urgent key whose time has come. */
  take(nowMs: number): QueueItem<Key> | undefined {
    this.#promote(nowMs);
    for (let entry = this.#ready.pop(); entry !== undefined; entry = this.#ready.pop()) {
      if (!this.#isCurrent(entry)) continue;
      this.#waiting.delete(entry.key);
      this.#working.add(entry.key);
      const { key, priority, readyMs, causes } = entry;
      return { key, priority, readyMs, causes };
    }
    return undefined;
  }

  /** Ends the work on a key; if it was added meanwhile it waits again. */
  done(key: Key): void {
    this.#working.delete(key);
    const entry = this.#waiting.get(key);
    if (entry !== undefined) this.#later.push(entry);
  }

  /** When the next key becomes ready: now or before when one is; undefined when none waits. */
  nextReadyMs(): number | undefined {
    for (let entry = this.#ready.peek(); entry !== undefined; entry = this.#ready.peek()) {
      if (this.#isCurrent(entry)) return Number.NEGATIVE_INFINITY;
      this.#ready.pop();
    }
    for (let entry = this.#later.peek(); entry !== undefined; entry = this.#later.peek()) {
      if (this.#isCurrent(entry)) return entry.readyMs;
      this.#later.pop();
    }
    return undefined;
  }

  /** Keys whose time has come, for metrics and for telling whether the queue is idle. */
  readyCount(nowMs: number): number {
    let count = 0;
    for (const entry of this.#waiting.values()) if (entry.readyMs <= nowMs) count += 1;
    return count;
  }

  /** A key that is being worked on waits for the end of that before it is in line. */
  #wait(entry: Waiting<Key>): void {
    this.#waiting.set(entry.key, entry);
    if (!this.#working.has(entry.key)) this.#later.push(entry);
  }

  #promote(nowMs: number): void {
    for (let entry = this.#later.peek(); entry !== undefined && entry.readyMs <= nowMs; entry = this.#later.peek()) {
      this.#later.pop();
      if (this.#isCurrent(entry)) this.#ready.push(entry);
    }
  }

  /** False when the key was handed out, or waits in another way. */
  #isCurrent(entry: Waiting<Key>): boolean {
    return this.#waiting.get(entry.key) === entry;
  }
}

function told(cause: CauseToTell): Cause {
  return typeof cause === "function" ? cause() : cause;
}
