import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createStorage, type StorageOptions } from "./memory.ts";
import { openSqliteJournal } from "./sqlite.ts";
import type { Storage, StoredEvent } from "./storage.ts";

type Make = (options?: Pick<StorageOptions, "history">) => Storage;

const IMPLEMENTATIONS: Readonly<Record<string, Make>> = {
  memory: (options) => createStorage(options),
  sqlite: (options) => createStorage({ journal: openSqliteJournal(":memory:"), ...options }),
};

const put = (storage: Storage, key: string, { expected = 0, text = key, resource = "things" } = {}) =>
  storage.commit({ resource, key, operation: "put", expected, encode: (revision) => `${text}@${revision}` });

const remove = (storage: Storage, key: string, expected: number) =>
  storage.commit({
    resource: "things",
    key,
    operation: "delete",
    expected,
    encode: (revision) => `${key}@${revision}`,
  });

const keysOf = (storage: Storage, range = {}) => storage.list("things", range)?.entries.map((entry) => entry.key);

function contract(name: string, run: (make: Make) => void): void {
  for (const [implementation, make] of Object.entries(IMPLEMENTATIONS))
    test(`${implementation}: ${name}`, () => run(make));
}

contract("revisions rise by one over all resources, from one", (make) => {
  const storage = make();
  assert.equal(storage.revision, 1);
  assert.equal(put(storage, "a")?.revision, 2);
  assert.equal(put(storage, "b", { resource: "others" })?.revision, 3);
  assert.equal(storage.revision, 3);
  assert.equal(storage.get("things", "a")?.text, "a@2");
  assert.equal(storage.get("things", "b"), undefined);
});

contract("a write happens only at the expected revision", (make) => {
  const storage = make();
  put(storage, "a");
  assert.equal(put(storage, "a"), undefined);
  assert.equal(put(storage, "a", { expected: 7 }), undefined);
  assert.equal(storage.revision, 2);
  assert.equal(put(storage, "a", { expected: 2, text: "new" })?.text, "new@3");
  assert.equal(remove(storage, "a", 2), undefined);
  assert.equal(remove(storage, "a", 3)?.revision, 4);
  assert.equal(storage.get("things", "a"), undefined);
});

contract("a failing encoder leaves no trace", (make) => {
  const storage = make();
  const fail = () => {
    throw new Error("no");
  };
  assert.throws(() => storage.commit({ resource: "things", key: "a", operation: "put", expected: 0, encode: fail }));
  assert.equal(storage.revision, 1);
  assert.deepEqual(keysOf(storage), []);
});

contract("an entry's object is what its text says, frozen, for as many as there are", (make) => {
  const storage = make();
  const entries = Array.from({ length: 600 }, (_, index) =>
    storage.commit({
      resource: "things",
      key: `${index}`,
      operation: "put",
      expected: 0,
      encode: (revision) => JSON.stringify({ index, revision }),
      ...(index % 2 === 0 ? { object: (revision: number) => ({ index, revision }) } : {}),
    }),
  );
  for (const entry of entries) {
    assert.ok(entry !== undefined);
    const object = storage.objectOf(entry);
    assert.deepEqual(object, JSON.parse(entry.text));
    assert.ok(Object.isFrozen(object));
  }
});

contract("lists are in byte order, by prefix, from a start, up to a limit", (make) => {
  const storage = make();
  for (const key of ["b/a", "a/b", "a-b/c", "a/a", "a.b/d"]) put(storage, key);
  assert.deepEqual(keysOf(storage), ["a-b/c", "a.b/d", "a/a", "a/b", "b/a"]);
  assert.deepEqual(keysOf(storage, { prefix: "a/" }), ["a/a", "a/b"]);
  assert.deepEqual(keysOf(storage, { start: "a/a\u0000" }), ["a/b", "b/a"]);
  const page = storage.list("things", { limit: 2 });
  assert.equal(page?.entries.length, 2);
  assert.equal(page?.remaining, 3);
});

contract("a list can show an earlier revision", (make) => {
  const storage = make();
  put(storage, "a");
  put(storage, "b");
  put(storage, "a", { expected: 2, text: "changed" });
  remove(storage, "b", 3);
  put(storage, "c");
  const texts = (revision: number) => storage.list("things", { revision })?.entries.map((entry) => entry.text);
  assert.deepEqual(texts(6), ["changed@4", "c@6"]);
  assert.deepEqual(texts(4), ["changed@4", "b@3"]);
  assert.deepEqual(texts(3), ["a@2", "b@3"]);
  assert.deepEqual(texts(1), []);
  assert.deepEqual(storage.list("things", { revision: 3, limit: 1 })?.remaining, 1);
});

contract("a watch tells what came after its revision, then what comes", (make) => {
  const storage = make();
  put(storage, "a");
  put(storage, "b");
  const heard: StoredEvent[] = [];
  const watch = storage.watch("things", 2, (event) => heard.push(event));
  assert.deepEqual(
    watch?.backlog.map((event) => event.entry.key),
    ["b"],
  );
  put(storage, "x", { resource: "others" });
  put(storage, "a", { expected: 2 });
  remove(storage, "a", 5);
  watch?.cancel();
  put(storage, "c");
  assert.deepEqual(
    heard.map(({ type, revision }) => [type, revision]),
    [
      ["updated", 5],
      ["deleted", 6],
    ],
  );
  assert.equal(heard[1]?.previous?.revision, 5);
});

contract("what is compacted cannot be listed or watched any more", (make) => {
  const storage = make();
  put(storage, "a");
  put(storage, "b");
  storage.compact(3);
  assert.equal(
    storage.watch("things", 2, () => {}),
    undefined,
  );
  assert.equal(storage.list("things", { revision: 2 }), undefined);
  assert.deepEqual(storage.watch("things", 3, () => {})?.backlog, []);
  assert.equal(
    storage.watch("others", 2, () => {}),
    undefined,
  );
  assert.equal(storage.compactedRevision("things"), 3);
});

contract("history is bounded in events and in characters", (make) => {
  const few = make({ history: { eventsMax: 4, charactersMax: 1000 } });
  for (let index = 0; index < 100; index++) put(few, `k${index}`);
  assert.equal(
    few.watch("things", 2, () => {}),
    undefined,
  );
  const { backlog = [] } = few.watch("things", few.compactedRevision("things"), () => {}) ?? {};
  assert.ok(backlog.length > 0 && backlog.length <= 4);
  const small = make({ history: { eventsMax: 1000, charactersMax: 50 } });
  for (let index = 0; index < 100; index++) put(small, `k${index}`);
  assert.ok(small.compactedRevision("things") > 90);
});

function temporaryFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-storage-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "journal.db");
}

test("a journal brings back entries and the revision, and its old events count as compacted", (context) => {
  const path = temporaryFile(context);
  const before = createStorage({ journal: openSqliteJournal(path) });
  put(before, "a");
  put(before, "b");
  remove(before, "b", 3);
  before.close();
  const after = createStorage({ journal: openSqliteJournal(path) });
  assert.equal(after.revision, 4);
  assert.deepEqual(keysOf(after), ["a"]);
  assert.equal(
    after.watch("things", 3, () => {}),
    undefined,
  );
  assert.equal(put(after, "c")?.revision, 5);
  after.close();
});

test("after a kill at any moment every acknowledged write is there, and no half of another", async (context) => {
  const path = temporaryFile(context);
  for (const acknowledgedMin of [1, 40, 400]) {
    const acknowledged = await writeUntilKilled(path, acknowledgedMin);
    const storage = createStorage({ journal: openSqliteJournal(path) });
    const { entries = [] } = storage.list("things", {}) ?? {};
    assert.ok(acknowledged.length >= acknowledgedMin);
    for (const line of acknowledged) {
      const [key = "", revision] = line.split(" ");
      assert.equal(storage.get("things", key)?.revision, Number(revision));
    }
    for (const entry of entries) assert.equal(entry.text, `${entry.key}@${entry.revision}`);
    assert.equal(storage.revision, Math.max(...entries.map((entry) => entry.revision)));
    storage.close();
  }
});

const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** Writes for ever, one line of output per acknowledged write. */
const WRITER = `
  import { writeSync } from "node:fs";
  import { createStorage } from ${urlOf("./memory.ts")};
  import { openSqliteJournal } from ${urlOf("./sqlite.ts")};
  const storage = createStorage({ journal: openSqliteJournal(process.argv[1]) });
  for (;;) {
    const key = "key-" + storage.revision;
    const encode = (revision) => key + "@" + revision;
    const entry = storage.commit({ resource: "things", key, operation: "put", expected: 0, encode });
    writeSync(1, key + " " + entry.revision + "\\n");
  }`;

/** Runs a process that writes and reports each write, and kills it after some; returns "key revision" of each report. */
async function writeUntilKilled(path: string, acknowledgedMin: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", WRITER, path]);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.split("\n").length > acknowledgedMin) child.kill("SIGKILL");
  }
  await exited;
  return output.split("\n").slice(0, -1); // The last line may be cut.
}
