import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemFiles } from "./files.ts";

const folder = await mkdtemp(join(tmpdir(), "kubewright-files-"));
after(() => rm(folder, { recursive: true }));

const readText = async (path: string): Promise<string | undefined> => {
  const bytes = await systemFiles.read(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
};

test("a file that is not there is undefined, a folder an error", async () => {
  assert.equal(await systemFiles.read(join(folder, "none")), undefined);
  assert.equal(await systemFiles.read(join(folder, "none", "deeper")), undefined);
  await assert.rejects(systemFiles.read(folder), { code: "EISDIR" });
});

test("a write makes folders, replaces what was there and leaves nothing else behind", async () => {
  const path = join(folder, "a", "b", "file.txt");
  await systemFiles.write(path, "one");
  await systemFiles.write(path, new TextEncoder().encode("two"));
  assert.equal(await readText(path), "two");
  assert.deepEqual(await readdir(join(folder, "a", "b")), ["file.txt"]);
});

test("a private file is private from the start", async () => {
  const path = join(folder, "key.pem");
  await systemFiles.write(path, "secret", { mode: 0o600 });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a write that fails leaves the old content and no remains", async () => {
  const path = join(folder, "kept");
  await systemFiles.write(join(path, "inside"), "old");
  await assert.rejects(systemFiles.write(path, "new"));
  assert.equal(await readText(join(path, "inside")), "old");
  assert.equal((await readdir(folder)).filter((name) => name.startsWith(".kept")).length, 0);
});

test("readers of a file written many times at once see one whole content", async () => {
  const path = join(folder, "busy");
  const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(50_000));
  await systemFiles.write(path, contents[0] ?? "");
  const writes = contents.map((content) => systemFiles.write(path, content));
  const reads = Array.from({ length: 20 }, () => readText(path));
  for (const text of await Promise.all(reads)) assert.ok(contents.includes(text ?? ""));
  await Promise.all(writes);
});
