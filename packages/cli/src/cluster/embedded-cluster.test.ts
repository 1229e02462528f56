import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type TokenRequest, TokenReview } from "@kubewright/api/authentication/v1";
import { ConfigMap, ServiceAccount } from "@kubewright/api/core/v1";
import { systemClock, systemFiles } from "@kubewright/node";
import { type Client, createClient, createHttpTransport, findConnection } from "@kubewright/runtime";
import { projectFolder, run } from "../../test/command-line.ts";
import { CLUSTER_NODE_FLAGS } from "./restart-lean.ts";

const MAIN = resolve(import.meta.dirname, "../main.ts");

/** `kubewright cluster up` in a process of its own, listening. */
async function up(folder: string, ...args: string[]): Promise<{ pid: number; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN, "cluster", "up", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  assert.match(line, /^the cluster is at https:\/\/127\.0\.0\.1:\d+/);
  return { pid: child.pid ?? 0, ended };
}

/** How a process was started. */
async function commandLineOf(pid: number): Promise<readonly string[]> {
  if (process.platform === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout.split(" ");
}

async function withClient(
  folder: string,
  work: (client: Client) => Promise<unknown>,
  kubeconfig = join(folder, ".kubewright/kubeconfig"),
): Promise<void> {
  const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
  using transport = createHttpTransport(connection);
  await work(createClient({ transport }));
}

test("a cluster keeps its data from one run to the next; down ends it", async () => {
  await using folder = await projectFolder();
  const first = await up(folder.path);
  const { mode } = await stat(join(folder.path, ".kubewright/kubeconfig"));
  assert.equal(mode & 0o777, 0o600);
  await withClient(folder.path, (client) => client.create(ConfigMap, { metadata: { name: "kept" } }));
  const status = JSON.parse((await run({ folder: folder.path }, "cluster", "status", "-o", "json")).stdout);
  assert.deepEqual([status.running, status.pid], [true, first.pid]);
  const twice = await run({ folder: folder.path }, "cluster", "up");
  assert.match(twice.stderr, /runs already .*\n {2}use it: export KUBECONFIG=.*kubewright cluster down/);
  assert.equal((await run({ folder: folder.path }, "cluster", "down")).stdout, "the cluster has ended");
  await first.ended;
  const second = await up(folder.path);
  await withClient(folder.path, (client) => client.get(ConfigMap, "kept"));
  const down = await run({ folder: folder.path }, "cluster", "down", "--delete");
  assert.equal(down.stdout, "the cluster has ended; its data is deleted");
  await second.ended;
  await assert.rejects(readFile(join(folder.path, ".kubewright/cluster.sqlite")), { code: "ENOENT" });
  assert.match((await run({ folder: folder.path }, "cluster", "status")).stdout, /^no cluster runs in/);
  assert.equal((await run({ folder: folder.path }, "cluster", "down")).stdout, "no cluster runs");
});

test("what a cluster has signed is believed when it runs again: kubeconfigs and tokens", async () => {
  await using folder = await projectFolder();
  const first = await up(folder.path);
  const { port } = new URL(JSON.parse(await readFile(join(folder.path, ".kubewright/cluster.json"), "utf8")).url);
  const { mode } = await stat(join(folder.path, ".kubewright/cluster-keys.json"));
  assert.equal(mode & 0o777, 0o600);
  const copy = join(folder.path, "copied.kubeconfig");
  await copyFile(join(folder.path, ".kubewright/kubeconfig"), copy);
  let token = "";
  await withClient(folder.path, async (client) => {
    const account = await client.create(ServiceAccount, { metadata: { name: "robot" } });
    const tokens = client.subresource<TokenRequest>(ServiceAccount, "token");
    token = (await tokens.create(account, { spec: {} })).status?.token ?? "";
  });
  await run({ folder: folder.path }, "cluster", "down");
  await first.ended;
  const second = await up(folder.path, "--port", port);
  const review = async (client: Client): Promise<void> => {
    const { status } = await client.create(TokenReview, { spec: { token } });
    assert.equal(status?.user?.username, "system:serviceaccount:default:robot");
  };
  await withClient(folder.path, review, copy);
  await run({ folder: folder.path }, "cluster", "down", "--delete");
  await second.ended;
  await assert.rejects(stat(join(folder.path, ".kubewright/cluster-keys.json")), { code: "ENOENT" });
});

test("keys that cannot be read are told, with the remedy", async () => {
  await using folder = await projectFolder();
  await systemFiles.write(join(folder.path, ".kubewright/cluster-keys.json"), "{}");
  const { exitCode, stderr } = await run({ folder: folder.path }, "cluster", "up");
  assert.equal(exitCode, 1);
  assert.match(stderr, /the keys in .*cluster-keys\.json cannot be read: .*\n {2}remove the file/);
});

test("a cluster runs with a small heap, in the process that was started", async () => {
  await using folder = await projectFolder();
  const { pid, ended } = await up(folder.path, "--ephemeral");
  const words = await commandLineOf(pid);
  process.kill(pid, "SIGTERM");
  await ended;
  assert.deepEqual(words.slice(1, 1 + CLUSTER_NODE_FLAGS.length), CLUSTER_NODE_FLAGS);
});

test("what a crashed cluster left behind neither ends another process nor keeps a cluster from starting", async () => {
  await using folder = await projectFolder();
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const otherEnded = once(other, "close");
  const state = { pid: other.pid, url: "https://127.0.0.1:1", ephemeral: false };
  await systemFiles.write(join(folder.path, ".kubewright/cluster.json"), JSON.stringify(state));
  assert.equal((await run({ folder: folder.path }, "cluster", "down")).stdout, "no cluster runs");
  const { pid, ended } = await up(folder.path, "--ephemeral");
  process.kill(pid, "SIGTERM");
  await ended;
  other.kill("SIGKILL");
  assert.deepEqual(await otherEnded, [null, "SIGKILL"]);
});

test("Ctrl-C followed by a request to stop ends it in order", async () => {
  await using folder = await projectFolder();
  const first = await up(folder.path, "--ephemeral");
  for (const signal of ["SIGINT", "SIGTERM"]) process.kill(first.pid, signal);
  assert.deepEqual(await first.ended, [130, null]);
  await assert.rejects(stat(join(folder.path, ".kubewright/cluster.json")), { code: "ENOENT" });
});

test("wrong numbers are a wrong command line", async () => {
  const { exitCode, stderr } = await run({ folder: import.meta.dirname }, "cluster", "up", "--port", "99999");
  assert.equal(exitCode, 2);
  assert.match(stderr, /--port "99999" must be a number up to 65535/);
});
