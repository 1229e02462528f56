import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { projectFolder, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";
import { GOLDEN, makeGoldenProject } from "../../test/golden-project.ts";

const NAME = "memcacheds.cache.example.com";
const CRD = join(GOLDEN, "config/crd/bases/cache.example.com_memcacheds.yaml");

test("a file of CRDs becomes modules that load; the second time nothing changes", async () => {
  await using folder = await projectFolder();
  const { exitCode, stderr } = await run({ folder: folder.path }, "generate", "types", CRD);
  assert.equal(exitCode, 0, stderr);
  const path = join(folder.path, `src/api/generated/${NAME}.ts`);
  const { Memcached } = await import(path);
  assert.deepEqual([Memcached.group, Memcached.plural], ["cache.example.com", "memcacheds"]);
  assert.match(await readFile(path, "utf8"), /foo\?: string/);
  assert.equal((await run({ folder: folder.path }, "generate", "types", CRD)).stdout, "nothing to change");
});

test("a CRD of the cluster gives the same module as its file", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await using embedded = await embeddedCluster(folder.path);
  const settings = { folder: folder.path, env: { KUBECONFIG: embedded.kubeconfig } };
  await run(settings, "install");
  await run(settings, "generate", "types", CRD, "--folder", "one");
  const live = await run(settings, "generate", "types", NAME, "--folder", "two");
  assert.equal(live.exitCode, 0, live.stderr);
  const texts = await Promise.all(
    ["one", "two"].map((each) => readFile(join(folder.path, each, `${NAME}.ts`), "utf8")),
  );
  assert.equal(texts[0], texts[1]);
  assert.match(
    (await run(settings, "generate", "types", "no.such.crd")).stderr,
    /has no such CRD\n {2}kubectl get crd/,
  );
});

test("what is no CRD, no file or not to be read is told", async () => {
  await using folder = await projectFolder();
  const generate = async (source: string): Promise<string> =>
    (await run({ folder: folder.path }, "generate", "types", source)).stderr;
  await writeFile(join(folder.path, "a.yaml"), "kind: ConfigMap\n");
  assert.match(await generate("a.yaml"), /a\.yaml holds no CustomResourceDefinition/);
  assert.match(await generate("NoSuchFile"), /NoSuchFile is no file, and no name of a CRD/);
  assert.match(await generate("missing.yaml"), /missing\.yaml is no file, and no name of a CRD/);
  assert.match(await generate("."), /\. is a folder\n {2}name the files in it: \*\.yaml/);
  assert.match(await generate("https://127.0.0.1:9/a.yaml"), /a\.yaml cannot be read: (?!fetch failed).*\n {2}look at/);
  assert.match(await generate("http://example.com/crd.yaml"), /is not read: only https:\/\/ addresses are/);
  assert.match(await generate("file:///etc/passwd"), /is not read: only https:\/\/ addresses are/);
  const evil =
    "kind: CustomResourceDefinition\nmetadata: { name: ../../x.y }\nspec: { group: y, names: { kind: A, plural: x }, versions: [{ name: v1, served: true, storage: true }] }\n";
  await writeFile(join(folder.path, "evil.yaml"), evil);
  assert.match(await generate("evil.yaml"), /"\.\.\/\.\.\/x\.y" is no name of a CRD/);
});
