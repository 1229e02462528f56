import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type NodeCluster, startNodeCluster } from "../src/node/index.ts";
import { interfaces, NO_TRACES, tracesOf } from "./machine.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
/** What kubelet sets for the whole machine when it is let. */
const KERNEL_SETTINGS = ["vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops"];
const GONE_POLL_MS = 100;
const GONE_MS_MAX = 20_000;

test("a Deployment rolls on the node, its pods are reached, and nothing is left when the node stops", async () => {
  const machine = (): readonly unknown[] => [interfaces(), KERNEL_SETTINGS.map(kernelSetting)];
  const untouched = machine();
  const cluster = await startNodeCluster({ programs });
  try {
    await cluster.importImages(join(programs, "memcached.tar"));
    await useDeployment(cluster);
    assert.deepEqual(tracesOf(cluster.folder).mounts, []);
  } finally {
    await cluster.stop();
  }
  assert.deepEqual(tracesOf(cluster.folder), NO_TRACES);
  assert.deepEqual(machine(), untouched);
});

test("nothing is left when whoever started the node is killed", async () => {
  const starter = `
    import { startNodeCluster } from ${JSON.stringify(join(import.meta.dirname, "../src/node/index.ts"))};
    const { folder } = await startNodeCluster({ programs: ${JSON.stringify(programs)} });
    console.log(folder);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", starter], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [folder] = await once(createInterface({ input: child.stdout }), "line");
  assert.notDeepEqual(tracesOf(folder), NO_TRACES);
  child.kill("SIGKILL");
  const deadline = systemClock.monotonic() + GONE_MS_MAX;
  while (!isDeepStrictEqual(tracesOf(folder), NO_TRACES) && systemClock.monotonic() < deadline) {
    await sleep(systemClock, GONE_POLL_MS);
  }
  assert.deepEqual(tracesOf(folder), NO_TRACES);
});

async function useDeployment(cluster: NodeCluster): Promise<void> {
  const kubectl = (...args: readonly string[]) => run(cluster, args);
  kubectl("create", "deployment", "m", "--image=memcached:1.6-alpine", "--port=11211");
  kubectl("rollout", "status", "deployment/m", "--timeout=60s");
  assert.match(kubectl("logs", "deployment/m").stdout, /listening on 11211/);
  const second = kubectl("exec", "deployment/m", "--", "/program");
  assert.match(second.stderr, /address already in use/, "it runs in the same network as the first");
  assert.match(await askThroughForward(cluster, "version\r\n"), /^VERSION /);
  kubectl("set", "env", "deployment/m", "A=b");
  kubectl("rollout", "status", "deployment/m", "--timeout=60s");
  const replicas = kubectl("get", "replicasets", "-o", "jsonpath={.items[*].spec.replicas}").stdout;
  assert.deepEqual(replicas.split(" ").sort(), ["0", "1"]);
}

function run(
  { kubeconfig }: NodeCluster,
  args: readonly string[],
): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(join(programs, "kubectl"), ["--kubeconfig", kubeconfig, ...args], { encoding: "utf8" });
}

/** What a pod of the Deployment answers through kubectl port-forward. */
async function askThroughForward({ kubeconfig }: NodeCluster, question: string): Promise<string> {
  const args = ["--kubeconfig", kubeconfig, "port-forward", "deployment/m", ":11211"];
  const forward = spawn(join(programs, "kubectl"), args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: forward.stdout }), "line");
    const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(question);
    const [answer] = await once(socket, "data");
    socket.destroy();
    return String(answer);
  } finally {
    forward.kill("SIGTERM");
    await once(forward, "close");
  }
}

function kernelSetting(name: string): string {
  return readFileSync(`/proc/sys/${name}`, "utf8");
}
