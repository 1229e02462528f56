import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { projectFolder, run } from "../../test/command-line.ts";
import { makeGoldenProject, textsBelow } from "../../test/golden-project.ts";

const PATCHED = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
  - extra.yaml
patches:
  - path: memory.yaml
  - target:
      kind: Service
    patch: |
      - op: add
        path: /metadata/annotations
        value: { a: b }
`;
const MEMORY = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: memcached-operator-controller-manager
spec:
  template:
    spec:
      containers:
        - name: manager
          resources: { limits: { memory: 1Gi } }
`;

test("manifests made twice are the same, and --check says so", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const before = await textsBelow(folder.path);
  const again = await run({ folder: folder.path }, "manifests");
  assert.deepEqual([again.exitCode, again.stdout], [0, "config/ is up to date"]);
  assert.equal((await run({ folder: folder.path }, "manifests", "--check")).exitCode, 0);
  assert.deepEqual(await textsBelow(folder.path), before);
});

test("--check finds what is stale, with exit code 3, and changes nothing", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await run({ folder: folder.path }, "edit", "--image", "other:v2");
  const before = await textsBelow(folder.path);
  const { exitCode, stdout } = await run({ folder: folder.path }, "manifests", "--check");
  assert.equal(exitCode, 3);
  assert.match(
    stdout,
    /update {2}config\/manager\/manager\.yaml\n {2}- +image: memcached-operator:v0\.1\.0\n {2}\+ +image: other:v2/,
  );
  assert.deepEqual(await textsBelow(folder.path), before);
});

test("files that nothing makes any more go away; those of the user stay", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const stale = join(folder.path, "config/rbac/old_role.yaml");
  const generated = await readFile(join(folder.path, "config/rbac/role.yaml"), "utf8");
  await writeFile(stale, generated);
  await writeFile(join(folder.path, "config/rbac/mine.yaml"), "kind: Role\n");
  await writeFile(join(folder.path, "config/patches/kustomization.yaml"), PATCHED);
  const { stdout } = await run({ folder: folder.path }, "manifests");
  assert.match(stdout, /^delete {2}config\/rbac\/old_role\.yaml$/m);
  const texts = await textsBelow(folder.path);
  assert.equal(texts["config/rbac/old_role.yaml"], undefined);
  assert.equal(texts["config/rbac/mine.yaml"], "kind: Role\n");
  assert.equal(texts["config/patches/kustomization.yaml"], PATCHED);
});

test("a file of the user in the place of a generated one is not replaced", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await writeFile(join(folder.path, "config/manager/manager.yaml"), "mine\n");
  const { exitCode, stderr } = await run({ folder: folder.path }, "manifests");
  assert.equal(exitCode, 1);
  assert.match(stderr, /config\/manager\/manager\.yaml was not generated/);
});

test("an operator of one namespace gets a Role and watches only there", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  await run({ folder: folder.path }, "edit", "--scope", "namespaced", "--prometheus", "true");
  assert.equal((await run({ folder: folder.path }, "manifests")).exitCode, 0);
  const texts = await textsBelow(folder.path);
  assert.match(
    texts["config/rbac/role.yaml"] ?? "",
    /kind: Role\nmetadata:\n {2}name: a-manager\n {2}namespace: a-system/,
  );
  assert.match(texts["config/manager/manager.yaml"] ?? "", /name: WATCH_NAMESPACE/);
  assert.match(texts["config/default/kustomization.yaml"] ?? "", /- \.\.\/prometheus/);
});

test("an operator of one namespace cannot keep kinds that are in none", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await run({ folder: folder.path }, "edit", "--scope", "namespaced");
  const { exitCode, stderr } = await run({ folder: folder.path }, "manifests");
  assert.equal(exitCode, 1);
  assert.match(stderr, /Region is in no namespace.*\n {2}.*kubewright edit --scope cluster/);
});

test("the installer holds everything once, patched, with the image asked for", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await writeFile(join(folder.path, "config/patches/kustomization.yaml"), PATCHED);
  await writeFile(join(folder.path, "config/patches/memory.yaml"), MEMORY);
  await writeFile(join(folder.path, "config/patches/extra.yaml"), EXTRA);
  const { exitCode, stderr } = await run({ folder: folder.path }, "build-installer", "--image", "example.com/m:v9");
  assert.equal(exitCode, 0, stderr);
  const text = await readFile(join(folder.path, "dist/install.yaml"), "utf8");
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  const deployment = objects.find(({ kind }) => kind === "Deployment");
  const [container] = deployment.spec.template.spec.containers;
  assert.equal(container.image, "example.com/m:v9");
  assert.deepEqual(container.resources.limits, { cpu: "500m", memory: "1Gi" });
  assert.deepEqual(objects.find(({ kind }) => kind === "Service").metadata.annotations, { a: "b" });
  assert.equal(objects[0].kind, "Namespace");
  assert.ok(objects.some(({ metadata }) => metadata.name === "extra"));
});

const EXTRA = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n  namespace: memcached-operator-system\n";

test("patches that only kustomize knows, and patches of nothing, are told", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const path = join(folder.path, "config/patches/kustomization.yaml");
  const build = async (text: string): Promise<string> => {
    await writeFile(path, text);
    return (await run({ folder: folder.path }, "build-installer")).stderr;
  };
  assert.match(await build("namePrefix: a-\n"), /has "namePrefix", which only kustomize knows\n {2}.*kubectl apply -k/);
  assert.match(await build("resources: [../../../etc/passwd]\n"), /is not below config\/patches/);
  const nothing = 'patches: [{ target: { kind: Pod, name: x }, patch: "metadata: {}" }]\n';
  assert.match(await build(nothing), /changes nothing: there is no Pod x/);
  assert.match(await build("a: &a [*a, *a]\n"), /kustomization\.yaml/);
});

test("the installer is written into a new folder, and says which file; where it cannot be, it says why", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const write = (file: string) => run({ folder: folder.path }, "build-installer", "--file", file);
  assert.match((await write("new/folder/a.yaml")).stdout, /^wrote new\/folder\/a\.yaml: \d+ objects/);
  assert.match(await readFile(join(folder.path, "new/folder/a.yaml"), "utf8"), /kind: Deployment/);
  const taken = await write("src");
  assert.equal(taken.exitCode, 1);
  assert.equal(taken.stderr, 'error: cannot write "src": it is a folder\n  choose another file with --file');
  assert.match((await write("package.json/a.yaml")).stderr, /cannot write .*: a folder of its path is a file\n/);
});

test("a mistake in a source is told with its file and line, whatever loads it", async () => {
  for (const [file, text, expected] of [
    [
      "src/controllers/thing.ts",
      "\nexport const x = {;\n",
      "src/main.ts cannot be loaded: src/controllers/thing.ts:2: Unexpected token",
    ],
    [
      "src/controllers/thing.ts",
      '\nexport const thingController = 1;\nthrow new Error("no");\n',
      "src/main.ts cannot be loaded: src/controllers/thing.ts:3: no",
    ],
    [
      "kubewright.config.ts",
      "\nexport default {;\n",
      "kubewright.config.ts cannot be loaded: kubewright.config.ts:2: Unexpected token",
    ],
    [
      "kubewright.config.ts",
      'import "nowhere";\n',
      "kubewright.config.ts cannot be loaded: Cannot find package 'nowhere'",
    ],
  ] as const) {
    await using folder = await projectFolder();
    await run({ folder: folder.path }, "init", "--project-name", "a");
    await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
    await writeFile(join(folder.path, file), text);
    const { exitCode, stderr } = await run({ folder: folder.path }, "manifests");
    assert.ok(stderr.startsWith(`error: ${expected}`), stderr);
    assert.match(stderr, /\n {2}npm run check shows type errors; npm install brings missing packages$/);
    assert.equal(exitCode, 1);
  }
});

test("an operator that cannot be loaded is told with a remedy", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await mkdir(join(folder.path, "src"), { recursive: true });
  await writeFile(join(folder.path, "src/main.ts"), 'import "./nowhere.ts";\n');
  const broken = await run({ folder: folder.path }, "manifests");
  assert.equal(broken.exitCode, 1);
  assert.match(broken.stderr, /src\/main\.ts cannot be loaded: .*nowhere/);
  await rm(join(folder.path, "src/main.ts"));
  assert.match((await run({ folder: folder.path }, "manifests")).stderr, /has no src\/main\.ts/);
});

test("a main.ts that exports no operator is told with the remedy that fits", async () => {
  for (const [source, expected] of [
    ["export {};", /src\/main\.ts exports no operator\n {2}add: export const operator = /],
    [
      "export default { controllers: [] };",
      /exports no operator\n {2}its export "default" has the controllers; name it/,
    ],
    ["export const operator = [];", /exports an operator without a list of controllers\n {2}give it one: /],
    ["export const operator = { controllers: {} };", /an operator without a list of controllers\n {2}give it one: /],
  ] as const) {
    await using folder = await projectFolder();
    await run({ folder: folder.path }, "init", "--project-name", "a");
    await writeFile(join(folder.path, "src/main.ts"), source);
    const { exitCode, stderr } = await run({ folder: folder.path }, "manifests");
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /npm install/);
    assert.equal(exitCode, 1);
  }
});
