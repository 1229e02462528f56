/**
 * The storage port: an ordered set of texts per resource under one global revision. The registry writes and reads
 * through it, watches follow it. Every call is synchronous, so nothing happens between a check and its write.
 * A stored text is the object exactly as clients get it, resourceVersion included: it is encoded once, at its write, or,
 * where clients in the process take objects as they are in memory, when the first one asks for text.
 */
import type { JsonObject, Labels } from "@kubewright/core/meta";

/** One stored object. */
export interface StoredEntry {
  /** "namespace/name", or "name" for cluster-scoped resources. */
  readonly key: string;
  /** The revision of its last write: the object's resourceVersion. */
  readonly revision: number;
  /** The object as JSON; what is held as a value is encoded when somebody asks. */
  readonly text: string;
  /** The object in memory, where the storage holds it so. */
  readonly value?: StoredValue | undefined;
  /** The same without the nulls that are stored for what is absent, where that is known: always the same object. */
  readonly settled?: JsonObject | undefined;
  /** Its labels, when they were known at its write: what most selectors ask for. */
  readonly labels?: Labels | undefined;
}

/** An object in memory, apart from who owns its fields. */
export interface StoredValue {
  /** The object without managedFields; deeply frozen once it is stored. */
  readonly object: JsonObject;
  /** The object before null was written for what is absent, where it is known: it shares all parts that have no null. */
  readonly settled?: JsonObject | undefined;
  /** The object in the version in which it was written, where that is not the stored one and says the same. */
  readonly given?: JsonObject | undefined;
  readonly owners: FieldOwners;
}

/** Who owns the fields of an object. */
export interface FieldOwners {
  /** What the object shows of it; may be worked out when it is first read. */
  readonly managedFields: readonly JsonObject[] | undefined;
}

/** One change. Revisions of events rise by one over all resources. */
export interface StoredEvent {
  readonly type: "created" | "updated" | "deleted";
  readonly revision: number;
  /** What is stored now; after a deletion the last content with the revision of the deletion. */
  readonly entry: StoredEntry;
  /** What was stored before; absent for "created". */
  readonly previous?: StoredEntry | undefined;
}

/** A write that happens only if the entry still is at revision `expected`. */
export interface StorageWrite {
  /** Which resource: "configmaps", "deployments.apps"; all versions of a kind share one. */
  readonly resource: string;
  readonly key: string;
  readonly operation: "put" | "delete";
  /** The revision the entry must have; 0 when there must be none. */
  readonly expected: number;
  /** The labels of what is stored. @default not known: the text says */
  readonly labels?: Labels | undefined;
  /** The text to store, given the revision of this write; for a deletion the content its event carries. */
  encode(revision: number): string;
  /** What the text says, where the writer has it at hand; it is never changed later. @default the text is decoded when needed */
  value?(revision: number): StoredValue;
}

/** Which entries of a resource to list. */
export interface StorageRange {
  /** Only keys that start so. @default "" */
  readonly prefix?: string;
  /** Only keys at or after this one, in byte order. @default "" */
  readonly start?: string;
  /** At most so many entries. @default all */
  readonly limit?: number;
  /** The state right after this revision. @default now */
  readonly revision?: number;
}

/** Entries in byte order of their keys. */
export interface StoredList {
  readonly entries: readonly StoredEntry[];
  /** How many more entries the range has beyond the limit. */
  readonly remaining: number;
}

/** A running watch: what happened before it started, and how to end it. */
export interface StorageWatch {
  /** Events after the asked revision that are already past, oldest first. */
  readonly backlog: readonly StoredEvent[];
  cancel(): void;
}

/** Stores objects. Implemented in memory (memory.ts), durably when given a journal (sqlite.ts). */
export interface Storage {
  /** The revision of the last write; starts at 1. */
  readonly revision: number;
  /** Whether objects that are written as values are held as such. */
  readonly holdsValues: boolean;
  get(resource: string, key: string): StoredEntry | undefined;
  /** What an entry's text says, deeply frozen. Those asked for last are kept for whoever asks next. */
  objectOf(entry: StoredEntry): JsonObject;
  /** The entries of a range; undefined when `revision` is compacted away. */
  list(resource: string, range: StorageRange): StoredList | undefined;
  /** Writes and returns the new entry; undefined when the entry is not at `expected`, and then nothing changed. */
  commit(write: StorageWrite): StoredEntry | undefined;
  /** Calls `listener` for each later event; undefined when events after `afterRevision` are compacted away. */
  watch(resource: string, afterRevision: number, listener: (event: StoredEvent) => void): StorageWatch | undefined;
  /** Events up to this revision are forgotten for this resource; 0 when none are. */
  compactedRevision(resource: string): number;
  /** Forgets all events up to `revision`. */
  compact(revision: number): void;
  /** Ends all use; later calls are errors of the caller. */
  close(): void;
}
