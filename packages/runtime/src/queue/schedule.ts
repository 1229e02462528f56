/**
 * The work queue's memory: which keys wait, until when, how urgently, and which are being worked on. No clock and no
 * promises: the queue in work-queue.ts tells it the time. Always holds: a key is handed out once at a time; a key added while it is
 * worked on is handed out again afterwards; an earlier time or a higher priority wins; the backlog waits behind all that is ready.
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

/** How a key waits. */
interface Waiting<Key> {
  readonly entry: Entry<Key>;
  readonly readyMs: number;
  readonly priority: number;
  readonly recency: number;
  readonly causes: Cause[];
  /** Order of arrival, among equals. */
  readonly order: number;
}

/** A key that waits, is being worked on, or both. */
interface Entry<Key> {
  readonly key: Key;
  waiting: Waiting<Key> | undefined;
  isWorking: boolean;
}

/** How a key is added. */
interface Add {
  readonly readyMs: number;
  /** Its time is known to have come. @default false */
  readonly isReady?: boolean;
  readonly priority: number;
  /** @default 0 */
  readonly recency?: number;
  /** @default none is remembered */
  readonly cause?: CauseToTell | undefined;
}

/** How the keys of a backlog wait. */
export interface Backlog<Key> {
  readonly readyMs: number;
  readonly priority: number;
  /** Why a key of it is handed out. @default none is told */
  readonly causeOf?: ((key: Key) => Cause) | undefined;
}

/** Keys that wait or are being worked on. */
export class Schedule<Key extends string> {
  readonly #entries = new Map<Key, Entry<Key>>();
  /** Waiting keys whose time has come, most urgent first. Those that others took the place of are skipped when met. */
  readonly #ready = new Heap<Waiting<Key>>(
    (a, b) => b.priority - a.priority || b.recency - a.recency || a.order - b.order,
  );
  readonly #later = new Heap<Waiting<Key>>((a, b) => a.readyMs - b.readyMs || a.order - b.order);
  /** Keys in the order in which they are handed out when nothing else is ready: nothing but a key is kept of each of them. */
  readonly #backlog = new Set<Key>();
  /** Stays where it is: from its beginning a set is gone through past all that were taken out of it. */
  #restOfBacklog: Iterator<Key> | undefined;
  #backlogWaits: Backlog<Key> = { readyMs: 0, priority: 0 };
  #order = 0;
  #waiting = 0;
  #working = 0;

  /** Keys that wait, those whose time has not come included. */
  get waiting(): number {
    return this.#waiting + this.#backlog.size;
  }

  /** Keys being worked on. */
  get working(): number {
    return this.#working;
  }

  /** Adds a key, or makes a waiting one earlier or more urgent. */
  add(key: Key, { readyMs, isReady = false, priority, recency = 0, cause }: Add): void {
    if (this.#backlog.has(key)) {
      if (!isReady) return; // It is handed out before that.
      this.#backlog.delete(key);
    }
    const entry = this.#entries.get(key) ?? this.#enter(key);
    const known = entry.waiting;
    if (known === undefined) {
      this.#order += 1;
      this.#waiting += 1;
      const causes = cause === undefined ? [] : [told(cause)];
      this.#wait({ entry, readyMs, priority, recency, causes, order: this.#order }, isReady);
      return;
    }
    if (cause !== undefined && known.causes.length < CAUSES_MAX) known.causes.push(told(cause));
    if (readyMs >= known.readyMs && priority <= known.priority && recency <= known.recency) return;
    const earlier = {
      entry,
      readyMs: Math.min(known.readyMs, readyMs),
      priority: Math.max(known.priority, priority),
      recency: Math.max(known.recency, recency),
      causes: known.causes,
      order: known.order,
    };
    this.#wait(earlier, isReady);
  }

  /** Adds keys that are handed out, in their order, when nothing else is ready. Those that wait or are worked on are added as any other. */
  addBacklog(keys: Iterable<Key>, waits: Backlog<Key>): void {
    this.#backlogWaits = waits;
    const { readyMs, priority, causeOf } = waits;
    for (const key of keys) {
      if (!this.#entries.has(key)) this.#backlog.add(key);
      else this.add(key, { readyMs, isReady: true, priority, cause: causeOf?.(key) });
    }
    this.#restOfBacklog = this.#backlog.values();
  }

  /** Hands out the most urgent key whose time has come. */
  take(nowMs: number): QueueItem<Key> | undefined {
    this.#promote(nowMs);
    return this.#takeReady() ?? this.#takeFromBacklog();
  }

  #takeReady(): QueueItem<Key> | undefined {
    for (let waiting = this.#ready.pop(); waiting !== undefined; waiting = this.#ready.pop()) {
      if (!isCurrent(waiting)) continue;
      const { entry, priority, readyMs, causes } = waiting;
      entry.waiting = undefined;
      entry.isWorking = true;
      this.#waiting -= 1;
      this.#working += 1;
      return { key: entry.key, priority, readyMs, causes };
    }
    return undefined;
  }

  #takeFromBacklog(): QueueItem<Key> | undefined {
    if (this.#backlog.size === 0) return undefined;
    const key: Key = this.#restOfBacklog?.next().value;
    const { readyMs, priority, causeOf } = this.#backlogWaits;
    this.#backlog.delete(key);
    this.#enter(key).isWorking = true;
    this.#working += 1;
    return { key, priority, readyMs, causes: causeOf === undefined ? NO_CAUSES : [causeOf(key)] };
  }

  /** Ends the work on a key; if it was added meanwhile it waits again. */
  done(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry?.isWorking !== true) return;
    entry.isWorking = false;
    this.#working -= 1;
    if (entry.waiting === undefined) this.#entries.delete(key);
    else this.#later.push(entry.waiting);
  }

  /** When the next key becomes ready: now or before when one is; undefined when none waits. */
  nextReadyMs(): number | undefined {
    for (let waiting = this.#ready.peek(); waiting !== undefined; waiting = this.#ready.peek()) {
      if (isCurrent(waiting)) return Number.NEGATIVE_INFINITY;
      this.#ready.pop();
    }
    if (this.#backlog.size > 0) return Number.NEGATIVE_INFINITY;
    for (let waiting = this.#later.peek(); waiting !== undefined; waiting = this.#later.peek()) {
      if (isCurrent(waiting)) return waiting.readyMs;
      this.#later.pop();
    }
    return undefined;
  }

  /** Keys whose time has come, for metrics and for telling whether the queue is idle. */
  readyCount(nowMs: number): number {
    let count = this.#backlog.size;
    for (const { waiting } of this.#entries.values()) if (waiting !== undefined && waiting.readyMs <= nowMs) count += 1;
    return count;
  }

  #enter(key: Key): Entry<Key> {
    const entry: Entry<Key> = { key, waiting: undefined, isWorking: false };
    this.#entries.set(key, entry);
    return entry;
  }

  /** A key that is being worked on waits for the end of that before it is in line. */
  #wait(waiting: Waiting<Key>, isReady: boolean): void {
    waiting.entry.waiting = waiting;
    if (!waiting.entry.isWorking) (isReady ? this.#ready : this.#later).push(waiting);
  }

  #promote(nowMs: number): void {
    for (
      let waiting = this.#later.peek();
      waiting !== undefined && waiting.readyMs <= nowMs;
      waiting = this.#later.peek()
    ) {
      this.#later.pop();
      if (isCurrent(waiting)) this.#ready.push(waiting);
    }
  }
}

const NO_CAUSES: readonly Cause[] = [];

/** False when the key was handed out, or waits in another way. */
function isCurrent(waiting: Waiting<string>): boolean {
  return waiting.entry.waiting === waiting;
}

function told(cause: CauseToTell): Cause {
  return typeof cause === "function" ? cause() : cause;
}
