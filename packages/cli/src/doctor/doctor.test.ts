import assert from "node:assert/strict";
import { test } from "node:test";
import { projectFolder, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";
import { makeGoldenProject } from "../../test/golden-project.ts";

test("doctor finds nothing wrong with an installed project, and says what is wrong with others", async () => {
  await using folder = await projectFolder();
  const empty = await run({ folder: folder.path }, "doctor");
  assert.equal(empty.exitCode, 3);
  assert.match(empty.stdout, /✓ Node\.js .*\n✗ .* is no Kubewright project.*\n {2}.*kubewright init/);
  await makeGoldenProject(folder.path);
  const alone = await run({ folder: folder.path, env: { HOME: folder.path } }, "doctor");
  assert.equal(alone.exitCode, 0, alone.stdout);
  assert.match(alone.stdout, /^– no cluster: pass --kubeconfig/m);
  await using embedded = await embeddedCluster(folder.path);
  const settings = { folder: folder.path, env: { KUBECONFIG: embedded.kubeconfig } };
  const before = await run(settings, "doctor");
  assert.equal(before.exitCode, 3);
  assert.match(before.stdout, /^✗ Memcached is not installed\n {2}kubewright install$/m);
  await run(settings, "deploy");
  const after = await run(settings, "doctor");
  assert.equal(after.exitCode, 0, after.stdout);
  assert.match(after.stdout, /^✓ Memcached is installed as the code says$/m);
  assert.match(after.stdout, /^✓ the operator is deployed: 1 replicas$/m);
});

test("doctor finds manifests that are not up to date", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await run({ folder: folder.path }, "edit", "--image", "other:v2");
  const { exitCode, stdout } = await run({ folder: folder.path, env: { HOME: folder.path } }, "doctor", "-o", "json");
  assert.equal(exitCode, 3);
  const { findings } = JSON.parse(stdout);
  const [found] = findings.filter(({ state }: { state: string }) => state === "problem");
  assert.deepEqual(found, {
    state: "problem",
    what: "config/ is not up to date: 1 files differ",
    remedy: "kubewright manifests",
  });
});
