/**
 * A journal on SQLite: what is stored outlives the process, killed at whatever moment. Each change is one transaction
 * in the write-ahead log before its writer gets an answer. `synchronous=NORMAL` survives the death of the process;
 * `durability: "power"` also waits for the disk, and survives that of the machine.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Journal, JournalRecord } from "./memory.ts";
import type { StoredEntry } from "./storage.ts";

/** Options of `openSqliteJournal`. */
export interface SqliteJournalOptions {
  /** What an acknowledged write survives. @default "process" */
  readonly durability?: "process" | "power";
}

const SCHEMA_VERSION = 1;

/** Opens the journal in a file, which is made when it is not there; ":memory:" keeps nothing. */
export function openSqliteJournal(path: string, { durability = "process" }: SqliteJournalOptions = {}): Journal {
  const database = new DatabaseSync(path);
  try {
    prepareDatabase(database, durability);
    return new SqliteJournal(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareDatabase(database: DatabaseSync, durability: "process" | "power"): void {
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  if (version !== 0 && version !== SCHEMA_VERSION) {
    throw new Error(`the journal has format ${version}, this server writes ${SCHEMA_VERSION}; choose another file`);
  }
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS entry (
      resource TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (resource, key)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS latest (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
    INSERT OR IGNORE INTO latest VALUES (1, 0);
    PRAGMA user_version = ${SCHEMA_VERSION};
    COMMIT`);
}

class SqliteJournal implements Journal {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #advance: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#put = database.prepare("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)");
    this.#remove = database.prepare("DELETE FROM entry WHERE resource = ? AND key = ?");
    this.#advance = database.prepare("UPDATE latest SET revision = ? WHERE id = 1");
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
  }

  load(): { readonly revision: number; readonly entries: Iterable<readonly [string, StoredEntry]> } {
    const revision = Number(this.#database.prepare("SELECT revision FROM latest").get()?.["revision"] ?? 0);
    const rows = this.#database.prepare("SELECT resource, key, revision, text FROM entry ORDER BY resource, key");
    return { revision, entries: toEntries(rows) };
  }

  append({ operation, resource, entry }: JournalRecord): void {
    this.#begin.run();
    try {
      if (operation === "put") this.#put.run(resource, entry.key, entry.revision, entry.text);
      else this.#remove.run(resource, entry.key);
      this.#advance.run(entry.revision);
      this.#commit.run();
    } catch (error) {
      this.#rollback.run();
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

function* toEntries(rows: StatementSync): Iterable<readonly [string, StoredEntry]> {
  for (const { resource, key, revision, text } of rows.iterate()) {
    yield [String(resource), { key: String(key), revision: Number(revision), text: String(text) }];
  }
}
