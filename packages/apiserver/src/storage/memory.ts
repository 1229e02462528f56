/**
 * Storage in memory, with an optional journal that makes each write durable before anybody learns of it.
 * All reads come from memory; a journal is only written, and read once at the start.
 */
import { deepFreeze, type JsonObject, showWhole } from "@kubewright/core/meta";
import { DecodedEntries } from "./decoded-entries.ts";
import { HeldEntry } from "./held-entry.ts";
import type {
  Storage,
  StorageRange,
  StorageWatch,
  StorageWrite,
  StoredEntry,
  StoredEvent,
  StoredList,
  StoredValue,
} from "./storage.ts";
import { type HistoryLimits, Table } from "./table.ts";

/** One durable change. */
export interface JournalRecord {
  readonly operation: "put" | "delete";
  readonly resource: string;
  readonly entry: StoredEntry;
}

/** Keeps what is stored over the end of the process. */
export interface Journal {
  /** What was stored: the last revision, and each entry with its resource. */
  load(): { readonly revision: number; readonly entries: Iterable<readonly [resource: string, entry: StoredEntry]> };
  /** Makes one change durable; when it throws, nothing of it may be kept. */
  append(record: JournalRecord): void;
  close(): void;
}

/** Options of `createStorage`. */
export interface StorageOptions {
  /** @default none: nothing outlives the process */
  readonly journal?: Journal;
  /** How much of the past watches can resume from. @default 4096 events or 16 Mi characters per resource */
  readonly history?: HistoryLimits;
}

const HISTORY_DEFAULT: HistoryLimits = { eventsMax: 4096, charactersMax: 16 * 1024 * 1024 };
const REVISION_FIRST = 1;

/** Makes a storage, with what the journal holds. */
export function createStorage(options: StorageOptions = {}): Storage {
  return new MemoryStorage(options);
}

class MemoryStorage implements Storage {
  readonly #journal: Journal | undefined;
  readonly #history: HistoryLimits;
  readonly #tables = new Map<string, Table>();
  readonly #decoded = new DecodedEntries();
  #revision = REVISION_FIRST;
  #compactedRevision = 0;

  constructor({ journal, history = HISTORY_DEFAULT }: StorageOptions) {
    this.#journal = journal;
    this.#history = history;
    if (journal !== undefined) this.#load(journal);
  }

  get revision(): number {
    return this.#revision;
  }

  get(resource: string, key: string): StoredEntry | undefined {
    return this.#tables.get(resource)?.get(key);
  }

  /** Over sockets nobody takes objects, and a journal keeps texts: holding objects would only make garbage live longer. */
  get holdsValues(): boolean {
    return this.#journal === undefined && this.#decoded.isWanted;
  }

  objectOf(entry: StoredEntry): JsonObject {
    return entry instanceof HeldEntry ? entry.shown : this.#decoded.get(entry);
  }

  list(resource: string, range: StorageRange): StoredList | undefined {
    if (range.revision !== undefined && range.revision < this.compactedRevision(resource)) return undefined;
    return this.#tables.get(resource)?.list(range) ?? { entries: [], remaining: 0 };
  }

  commit(write: StorageWrite): StoredEntry | undefined {
    const table = this.#table(write.resource);
    const previous = table.get(write.key);
    if ((previous?.revision ?? 0) !== write.expected) return undefined;
    const revision = this.#revision + 1;
    const entry = this.#toEntry(write, revision);
    this.#journal?.append({ operation: write.operation, resource: write.resource, entry });
    this.#revision = revision;
    const type = write.operation === "delete" ? "deleted" : previous === undefined ? "created" : "updated";
    publish(table, { type, revision, entry, previous });
    return entry;
  }

  watch(resource: string, afterRevision: number, listener: (event: StoredEvent) => void): StorageWatch | undefined {
    const table = this.#table(resource);
    if (afterRevision < table.compactedRevision) return undefined;
    const backlog = table.eventsAfter(afterRevision);
    table.listeners.add(listener);
    return { backlog, cancel: () => table.listeners.delete(listener) };
  }

  compactedRevision(resource: string): number {
    return this.#tables.get(resource)?.compactedRevision ?? this.#compactedRevision;
  }

  compact(revision: number): void {
    this.#compactedRevision = Math.max(this.#compactedRevision, revision);
    for (const table of this.#tables.values()) table.compact(revision);
  }

  close(): void {
    this.#journal?.close();
    this.#tables.clear();
  }

  #toEntry({ operation, key, labels, encode, value }: StorageWrite, revision: number): StoredEntry {
    if (value !== undefined && this.holdsValues) {
      // The last state of an object that goes is often read by nobody.
      const held = operation === "delete" ? (): StoredValue => value(revision) : value(revision);
      return new HeldEntry({ key, revision, labels }, held);
    }
    const entry = { key, revision, labels, text: encode(revision) };
    if (value !== undefined && this.#decoded.isWanted) this.#decoded.put(entry, whole(value(revision)));
    return entry;
  }

  #table(resource: string): Table {
    const existing = this.#tables.get(resource);
    if (existing !== undefined) return existing;
    const table = new Table(this.#history, this.#compactedRevision);
    this.#tables.set(resource, table);
    return table;
  }

  /** Events are not journaled: watches of an earlier life start over with a list. */
  #load(journal: Journal): void {
    const { revision, entries } = journal.load();
    this.#revision = Math.max(REVISION_FIRST, revision);
    this.#compactedRevision = this.#revision;
    for (const [resource, entry] of entries) this.#table(resource).load(entry);
  }
}

function whole({ object, owners }: StoredValue): JsonObject {
  return showWhole(deepFreeze(object), owners);
}

function publish(table: Table, event: StoredEvent): void {
  table.apply(event);
  for (const listener of table.listeners) listener(event);
}
