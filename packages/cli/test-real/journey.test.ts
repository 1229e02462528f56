import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { systemClock, systemFiles } from "@kubewright/node";
import {
  createClient,
  createDiscovery,
  createHttpTransport,
  exists,
  findConnection,
  hasCondition,
  waitFor,
} from "@kubewright/runtime";
import { startRealCluster } from "@kubewright/testing";
import { projectFolder, type Ran, run } from "../test/command-line.ts";
import { makeGoldenProject } from "../test/golden-project.ts";

const SAMPLES = [
  ["Memcached", "cache.example.com", "v1alpha1"],
  ["Region", "infra.example.com", "v1"],
] as const;
const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";

test("install, run, plan, deploy and undeploy on real Kubernetes leave nothing behind", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await using cluster = await startRealCluster({ programs });
  const { kubeconfig } = cluster;
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  const command = async (...args: string[]): Promise<Ran> => {
    const ran = await run(settings, ...args);
    assert.ok(ran.exitCode === 0 || ran.exitCode === 3, `${args.join(" ")}: ${ran.stderr}`);
    assert.doesNotMatch(ran.stderr, /warning/i);
    return ran;
  };
  const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
  using transport = createHttpTransport(connection);
  const client = createClient({ transport });

  assert.match((await command("install", "--dry-run")).stdout, /memcacheds\.cache\.example\.com created \(dry run\)/);
  assert.match((await command("install")).stdout, /memcacheds\.cache\.example\.com created/);
  assert.match((await command("install")).stdout, /memcacheds\.cache\.example\.com unchanged/);

  const interrupted = new AbortController();
  const running = run({ ...settings, signal: interrupted.signal }, "run", "--samples");
  await waitFor(client, ConfigMap, "memcached-sample", { condition: exists });
  const discovery = createDiscovery(client);
  for (const [kind, group, version] of SAMPLES) {
    const definition = await discovery.find({ group, version, kind });
    assert.ok(definition !== undefined);
    await waitFor(client, definition, `${kind.toLowerCase()}-sample`, { condition: hasCondition("Ready") });
  }
  interrupted.abort();
  assert.equal((await running).exitCode, 0);
  assert.equal((await command("plan")).stdout, "nothing would be written");

  assert.match((await command("deploy", "--dry-run")).stdout, /deployment\.apps\/.* created \(dry run\)/);
  assert.match(
    (await command("deploy", "--image", "example.com/m:v1")).stdout,
    /the operator runs: example\.com\/m:v1/,
  );
  const again = JSON.parse((await command("deploy", "--image", "example.com/m:v1", "-o", "json")).stdout);
  const changed = again.objects.filter(({ result }: { result: string }) => result !== "unchanged");
  assert.deepEqual(changed, []);
  assert.match((await command("doctor")).stdout, /✓ the operator is deployed/);

  assert.match((await run(settings, "undeploy")).stderr, /2 objects would be deleted/);
  await command("undeploy", "--force");
  assert.equal(await client.find(Namespace, "memcached-operator-system"), undefined);
  const left = kubectl(kubeconfig, "get", "crd,clusterrole,clusterrolebinding", "-o", "name");
  assert.deepEqual(
    left.split("\n").filter((name) => name.includes("memcached")),
    [],
  );
});

function kubectl(kubeconfig: string, ...args: readonly string[]): string {
  const options = { encoding: "utf8" } as const;
  return spawnSync(join(programs, "kubectl"), ["--kubeconfig", kubeconfig, ...args], options).stdout;
}
