/**
 * The real kube-controller-manager in place of ours: it drives a Deployment on the embedded API server from its first pod to
 * its garbage collection. Only what makes pods run is ours here.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { createCluster } from "@kubewright/cluster";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";

const POLL_MS = 100;
const EVENTUALLY_MS_MAX = 60_000;

test("kube-controller-manager runs a Deployment on the embedded API server to its end, and collects its garbage", async () => {
  await using cluster = await createCluster({ nodes: 2, controllers: ["default-scheduler", "kubelet"] });
  const { client } = cluster;
  const listener = await cluster.apiServer.listen();
  await withControllerManager(listener.kubeconfig ?? "", async () => {
    await client.create(Deployment, deployment("app:1"));
    await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.availableReplicas, 3));
    await client.patch(Deployment, "web", { merge: { spec: deployment("app:2").spec } });
    await eventually(async () => {
      const { metadata, status } = await client.get(Deployment, "web");
      assert.equal(status?.observedGeneration, metadata?.generation);
      assert.deepEqual([status?.updatedReplicas, status?.availableReplicas, status?.replicas], [3, 3, 3]);
    });
    const pods = (await client.list(Pod)).items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    assert.deepEqual(
      pods.map(({ spec }) => spec?.containers[0]?.image),
      ["app:2", "app:2", "app:2"],
    );
    await client.delete(Deployment, "web", { propagationPolicy: "Foreground" });
    await eventually(async () => {
      assert.equal(await client.find(Deployment, "web"), undefined);
      assert.equal((await client.list(ReplicaSet)).items.length, 0);
      assert.equal((await client.list(Pod)).items.length, 0);
    });
  });
});

function deployment(image: string): Deployment {
  const labels = { app: "web" };
  return {
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
    },
  };
}

async function withControllerManager(kubeconfig: string, work: () => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-controller-manager-"));
  const path = join(folder, "kubeconfig");
  await writeFile(path, kubeconfig, { mode: 0o600 });
  const program = join(process.env["KUBEWRIGHT_PROGRAMS"] ?? "", "kube-controller-manager");
  const child = spawn(program, [`--kubeconfig=${path}`, "--leader-elect=false", "--secure-port=0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  const ended = once(child, "exit");
  try {
    await work();
  } catch (error) {
    throw new Error(`kube-controller-manager said last:\n${errors}`, { cause: error });
  } finally {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  }
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const endMs = systemClock.monotonic() + EVENTUALLY_MS_MAX;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (systemClock.monotonic() > endMs) throw error;
    }
    await sleep(systemClock, POLL_MS);
  }
}
