import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { projectFolder, type Ran, run } from "../../test/command-line.ts";
import { GOLDEN, makeGoldenProject, textsBelow } from "../../test/golden-project.ts";

const CREATE = ["create", "api", "--group", "cache", "--version", "v1alpha1", "--kind", "Memcached"];
const DELETE = ["delete", ...CREATE.slice(1)];

test("a project is made as the golden one in testdata is", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  assert.deepEqual(await textsBelow(folder.path), await textsBelow(GOLDEN));
});

test("the tests of a new project pass at once, and its types are right", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: folder.path, encoding: "utf8", env } as const;
  const tested = spawnSync(process.execPath, ["--test", "src/**/*.test.ts"], options);
  assert.equal(tested.status, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /pass 2\b/);
  const checked = spawnSync(join(folder.path, "node_modules/.bin/tsc"), [], options);
  assert.deepEqual(
    checked.stdout.split("\n").filter((line) => /^(?:src|kubewright\.config)/.test(line)),
    [],
  );
});

test("kinds that are words of the language, or names in the example, get code that is right", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  for (const kind of ["Function", "Package", "Name"]) {
    assertDone(await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", kind));
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: folder.path, encoding: "utf8", env } as const;
  const tested = spawnSync(process.execPath, ["--test", "src/**/*.test.ts"], options);
  assert.match(tested.stdout, /pass 3\b/, tested.stdout + tested.stderr);
  const checked = spawnSync(join(folder.path, "node_modules/.bin/tsc"), [], options);
  assert.doesNotMatch(checked.stdout, /^src/m);
});

test("delete api undoes create api exactly", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "First");
  const before = await textsBelow(folder.path);
  assertDone(await run({ folder: folder.path }, ...CREATE));
  assert.match(await readFile(join(folder.path, "src/main.ts"), "utf8"), /\[firstController, memcachedController\]/);
  assertDone(await run({ folder: folder.path }, ...DELETE));
  assert.deepEqual(await textsBelow(folder.path), before);
});

test("delete api keeps files that were changed, unless it is forced", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, ...CREATE);
  const path = join(folder.path, "src/controllers/memcached.ts");
  await writeFile(path, `${await readFile(path, "utf8")}// mine\n`);
  const refused = await run({ folder: folder.path }, ...DELETE);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /src\/controllers\/memcached\.ts was changed since created\n {2}.*--force/);
  assert.match(await readFile(path, "utf8"), /mine/);
  assertDone(await run({ folder: folder.path }, ...DELETE, "--force"));
  await assert.rejects(readFile(path), { code: "ENOENT" });
  const gone = await run({ folder: folder.path }, ...DELETE);
  assert.match(gone.stderr, /the project has no Memcached in cache\.example\.com\/v1alpha1/);
});

test("a dry run shows files and changed lines, and changes nothing", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  const before = await textsBelow(folder.path);
  const { stdout } = await run({ folder: folder.path }, ...CREATE, "--dry-run");
  assert.match(stdout, /^create {2}src\/api\/v1alpha1\/memcached\.ts$/m);
  assert.match(stdout, /^ {2}\+ export const operator = \{ controllers: \[memcachedController\] \};$/m);
  assert.match(stdout, /nothing was changed/);
  assert.deepEqual(await textsBelow(folder.path), before);
});

test("existing files are never replaced, and then nothing is written", async () => {
  await using folder = await projectFolder();
  await writeFile(join(folder.path, "README.md"), "mine");
  const { exitCode, stderr } = await run({ folder: folder.path }, "init", "--project-name", "a");
  assert.equal(exitCode, 1);
  assert.match(stderr, /README\.md is there already\n {2}remove what is in the way, or choose another folder$/);
  assert.deepEqual(await textsBelow(folder.path), { "README.md": "mine" });
});

test("create api replaces its files when forced", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, ...CREATE);
  const before = await textsBelow(folder.path);
  assert.equal((await run({ folder: folder.path }, ...CREATE)).exitCode, 1);
  await writeFile(join(folder.path, "src/api/v1alpha1/memcached.ts"), "broken");
  assertDone(await run({ folder: folder.path }, ...CREATE, "--force"));
  assert.deepEqual(await textsBelow(folder.path), before);
});

test("another version of a kind leaves its controller alone, and what it needs for its CRD is told", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, ...CREATE);
  const second = CREATE.with(CREATE.indexOf("v1alpha1"), "v1");
  const refused = await run({ folder: folder.path }, ...second);
  assert.equal(refused.exitCode, 1);
  assert.match(
    refused.stderr,
    /has a controller of Memcached already, in src\/controllers\/memcached\.ts\n {2}.*--no-controller/,
  );
  const alone = await run({ folder: folder.path }, ...second, "--no-controller");
  assertDone(alone);
  assert.match(alone.stderr, /Memcached has no CRD until a controller in src\/main\.ts is for v1 of it, or owns it/);
});

test("nothing is written through a link that leads out of the project", async () => {
  await using folder = await projectFolder();
  await using elsewhere = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await mkdir(join(elsewhere.path, "stolen"));
  await symlink(join(elsewhere.path, "stolen"), join(folder.path, "src/controllers"));
  const { exitCode, stderr } = await run({ folder: folder.path }, ...CREATE);
  assert.equal(exitCode, 1);
  assert.match(stderr, /src\/controllers\/memcached\.ts is outside of the project/);
  assert.deepEqual(await textsBelow(elsewhere.path), {});
});

test("bad names are refused with what a good one looks like", async () => {
  await using folder = await projectFolder();
  const settings = { folder: folder.path };
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["init", "--project-name", "../x"], /the project name "\.\.\/x" must be lower-case letters/],
    [["init", "--project-name", "."], /the project name "\." must be/],
    [["init", "--project-name", "a", "--domain", "No Domain"], /the domain "No Domain" must be a DNS name/],
  ];
  for (const [args, message] of cases) assertUsage(await run(settings, ...args), message);
  await run(settings, "init", "--project-name", "a");
  const api = (group: string, version: string, kind: string): Promise<Ran> =>
    run(settings, "create", "api", "--group", group, "--version", version, "--kind", kind);
  assertUsage(await api("../../x", "v1", "A"), /the group "\.\.\/\.\.\/x" must be/);
  assertUsage(await api("g", "1.0", "A"), /the version "1\.0" must look like v1/);
  assertUsage(await api("g", "v1/../..", "A"), /the version "v1\/\.\.\/\.\." must look like/);
  assertUsage(await api("g", "v1", "constructor"), /the kind "constructor" must start with an upper-case letter/);
  assertUsage(await api("g", "v1", "A`;$(x)"), /the kind "A`;\$\(x\)" must/);
  assertUsage(await api("g", "v1", "ConfigMap"), /the kind "ConfigMap" has the name .*\n {2}.*--no-controller/);
});

test("commands that need a project say how to get one", async () => {
  await using folder = await projectFolder();
  const { exitCode, stderr } = await run({ folder: folder.path }, ...CREATE);
  assert.equal(exitCode, 1);
  assert.match(stderr, /is no Kubewright project: it has no kubewright\.config\.ts\n {2}.*kubewright init/);
});

test("edit changes one value and keeps the rest of the file", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  const path = join(folder.path, "kubewright.config.ts");
  const before = await readFile(path, "utf8");
  assertDone(await run({ folder: folder.path }, "edit", "--image", "example.com/a:v2", "--replicas", "2"));
  const expected = before.replace('"a:v0.1.0"', '"example.com/a:v2"').replace("});", "  replicas: 2,\n});");
  assert.equal(await readFile(path, "utf8"), expected);
  assertUsage(await run({ folder: folder.path }, "edit"), /nothing to edit/);
  assertUsage(await run({ folder: folder.path }, "edit", "--image", "a b"), /the image "a b" must look like/);
});

function assertDone({ exitCode, stderr }: Ran): void {
  assert.equal(exitCode, 0, stderr);
}

function assertUsage({ exitCode, stderr }: Ran, message: RegExp): void {
  assert.match(stderr, message);
  assert.equal(exitCode, 2);
}
