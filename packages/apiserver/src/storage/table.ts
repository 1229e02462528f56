/**
 * One resource in memory: its entries by key and in order, its recent events and its listeners. memory.ts holds one
 * per resource. Events are bounded in number and in size; what falls out is compacted, as `compactedRevision` tells.
 */
import { HeldEntry } from "./held-entry.ts";
import type { StorageRange, StoredEntry, StoredEvent, StoredList } from "./storage.ts";

/** How much of a resource's past is kept. */
export interface HistoryLimits {
  /** Most events kept per resource. */
  readonly eventsMax: number;
  /** Most characters of text kept in a resource's events. */
  readonly charactersMax: number;
}

/** The entries and recent events of one resource. */
export class Table {
  readonly listeners: Set<(event: StoredEvent) => void> = new Set();
  compactedRevision: number;
  readonly #limits: HistoryLimits;
  readonly #entries = new Map<string, StoredEntry>();
  /** All keys of `#entries` in byte order. */
  readonly #keys: string[] = [];
  #events: StoredEvent[] = [];
  #eventCharacters = 0;

  constructor(limits: HistoryLimits, compactedRevision: number) {
    this.#limits = limits;
    this.compactedRevision = compactedRevision;
  }

  get(key: string): StoredEntry | undefined {
    return this.#entries.get(key);
  }

  /** Takes an entry that was stored in an earlier life, without an event. */
  load(entry: StoredEntry): void {
    this.#insert(entry);
  }

  /** Applies one event and remembers it. */
  apply(event: StoredEvent): void {
    const { type, entry } = event;
    if (type === "deleted") this.#remove(entry.key);
    else if (type === "created") this.#insert(entry);
    else this.#entries.set(entry.key, entry);
    this.#events.push(event);
    this.#eventCharacters += charactersOf(event);
    this.#forgetSurplus();
  }

  /** Events after `revision`, oldest first. */
  eventsAfter(revision: number): readonly StoredEvent[] {
    const first = firstIndex(this.#events.length, (index) => (this.#events[index]?.revision ?? 0) > revision);
    return this.#events.slice(first);
  }

  compact(revision: number): void {
    this.#events = [...this.eventsAfter(revision)];
    this.#eventCharacters = this.#events.reduce((sum, event) => sum + charactersOf(event), 0);
    this.compactedRevision = Math.max(this.compactedRevision, revision);
  }

  /** The entries of a range as they are now, or as they were right after `range.revision`. */
  list(range: StorageRange): StoredList {
    const past = range.revision === undefined ? [] : this.eventsAfter(range.revision);
    return past.length === 0 ? this.#listNow(range) : this.#listPast(range, past);
  }

  #listNow({ prefix = "", start = "", limit = Number.POSITIVE_INFINITY }: StorageRange): StoredList {
    const keys = this.#keys;
    if (keys.length === 0) return NOTHING;
    const from = firstKeyAt(keys, start > prefix ? start : prefix);
    const to = prefix === "" ? keys.length : firstKeyPast(keys, prefix, from);
    const end = Math.min(to, from + limit);
    const entries: StoredEntry[] = [];
    for (let index = from; index < end; index++) {
      const entry = this.#entries.get(keys[index] ?? "");
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, remaining: to - end };
  }

  /** Undoes the events that came later, newest first, on a copy of the range. */
  #listPast({ revision: _, limit = Number.POSITIVE_INFINITY, ...range }: StorageRange, later: readonly StoredEvent[]) {
    const { prefix = "", start = "" } = range;
    const entries = new Map(this.#listNow(range).entries.map((entry) => [entry.key, entry]));
    for (const event of later.toReversed()) {
      const { key } = event.entry;
      if (!key.startsWith(prefix) || key < start) continue;
      if (event.previous === undefined) entries.delete(key);
      else entries.set(key, event.previous);
    }
    const sorted = [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    return { entries: sorted.slice(0, limit), remaining: Math.max(0, sorted.length - limit) };
  }

  #insert(entry: StoredEntry): void {
    this.#keys.splice(firstKeyAt(this.#keys, entry.key), 0, entry.key);
    this.#entries.set(entry.key, entry);
  }

  #remove(key: string): void {
    if (this.#entries.delete(key)) this.#keys.splice(firstKeyAt(this.#keys, key), 1);
  }

  /** Drops the older half once a limit is passed, so that dropping costs little per event. */
  #forgetSurplus(): void {
    const { eventsMax, charactersMax } = this.#limits;
    if (this.#events.length <= eventsMax && this.#eventCharacters <= charactersMax) return;
    const last = this.#events[Math.floor(this.#events.length / 2)];
    if (last !== undefined) this.compact(last.revision);
  }
}

const NOTHING: StoredList = { entries: [], remaining: 0 };

/** About how much an event keeps in memory that none before it does. */
function charactersOf({ entry }: StoredEvent): number {
  return entry instanceof HeldEntry ? entry.characters : entry.text.length;
}

/** The first index in [0, length) where `holds` is true; it stays true from there on. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstKeyAt(keys: readonly string[], key: string): number {
  const last = keys.at(-1);
  if (last === undefined || last < key) return keys.length; // Appending is the common case.
  return firstIndex(keys.length, (index) => (keys[index] ?? "") >= key);
}

function firstKeyPast(keys: readonly string[], prefix: string, from: number): number {
  return from + firstIndex(keys.length - from, (index) => !(keys[from + index] ?? "").startsWith(prefix));
}
