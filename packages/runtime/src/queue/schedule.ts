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
  readyMs: number;
  priority: number;
  readonly causes: Cause[];
  /** Order of arrival, among equals. */
  order: number;
}

/** Keys that wait or are being worked on. */
export class Schedule<Key extends string> {
  readonly #waiting = new Map<Key, Waiting<Key>>();
  readonly #working = new Set<Key>();
  /** Waiting keys whose time has come, most urgent first. Stale entries are skipped when met. */
  readonly #ready = new Heap<Ticket<Key>>((a, b) => b.priority - a.priority || a.order - b.order);
  readonly #later = new Heap<Ticket<Key>>((a, b) => a.readyMs - b.readyMs || a.order - b.order);
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
  add(key: Key, add: { readonly readyMs: number; readonly priority: number; readonly cause: Cause }): void {
    const known = this.#waiting.get(key);
    if (known === undefined) {
      this.#order += 1;
      const entry = { key, readyMs: add.readyMs, priority: add.priority, causes: [add.cause], order: this.#order };
      this.#waiting.set(key, entry);
      if (!this.#working.has(key)) this.#enlist(entry);
      return;
    }
    if (known.causes.length < CAUSES_MAX) known.causes.push(add.cause);
    if (add.readyMs >= known.readyMs && add.priority <= known.priority) return;
    known.readyMs = Math.min(known.readyMs, add.readyMs);
    known.priority = Math.max(known.priority, add.priority);
    if (!this.#working.has(key)) this.#enlist(known);
  }

  /** Hands out the most urgent key whose time has come. */
  take(nowMs: number): QueueItem<Key> | undefined {
    this.#promote(nowMs);
    for (let ticket = this.#ready.pop(); ticket !== undefined; ticket = this.#ready.pop()) {
      const entry = this.#current(ticket);
      if (entry === undefined) continue;
      this.#waiting.delete(entry.key);
      this.#working.add(entry.key);
      return { key: entry.key, priority: entry.priority, causes: entry.causes, readyMs: entry.readyMs };
    }
    return undefined;
  }

  /** Ends the work on a key; if it was added meanwhile it waits again. */
  done(key: Key): void {
    this.#working.delete(key);
    const entry = this.#waiting.get(key);
    if (entry !== undefined) this.#enlist(entry);
  }

  /** When the next key becomes ready: now or before when one is; undefined when none waits. */
  nextReadyMs(): number | undefined {
    for (let ticket = this.#ready.peek(); ticket !== undefined; ticket = this.#ready.peek()) {
      if (this.#current(ticket) !== undefined) return Number.NEGATIVE_INFINITY;
      this.#ready.pop();
    }
    for (let ticket = this.#later.peek(); ticket !== undefined; ticket = this.#later.peek()) {
      if (this.#current(ticket) !== undefined) return ticket.readyMs;
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

  #enlist(entry: Waiting<Key>): void {
    this.#later.push({ key: entry.key, readyMs: entry.readyMs, priority: entry.priority, order: entry.order });
  }

  #promote(nowMs: number): void {
    for (
      let ticket = this.#later.peek();
      ticket !== undefined && ticket.readyMs <= nowMs;
      ticket = this.#later.peek()
    ) {
      this.#later.pop();
      if (this.#current(ticket) !== undefined) this.#ready.push(ticket);
    }
  }

  /** The waiting key that a ticket stands for, unless the key changed, left or is being worked on. */
  #current(ticket: Ticket<Key>): Waiting<Key> | undefined {
    const entry = this.#waiting.get(ticket.key);
    const current = entry !== undefined && entry.order === ticket.order && !this.#working.has(ticket.key);
    return current && entry.readyMs === ticket.readyMs && entry.priority === ticket.priority ? entry : undefined;
  }
}

interface Ticket<Key> {
  readonly key: Key;
  readonly readyMs: number;
  readonly priority: number;
  readonly order: number;
}
