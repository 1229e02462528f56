/**
 * helm waits for a release with a hook, a StatefulSet and claims: on the embedded cluster, whose default class provisions
 * volumes, and on Kubernetes with kwok, where nobody does and an administrator made them.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createCluster } from "@kubewright/cluster";
import { startRealCluster } from "@kubewright/testing";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
const chart = join(import.meta.dirname, "testdata/chart");
const execute = promisify(execFile);

/** Runs the programs of one cluster's user. */
type Run = (program: "helm" | "kubectl", ...args: readonly string[]) => Promise<string>;

test("helm on the embedded cluster: a release with a hook, a StatefulSet and claims is deployed", async () => {
  await using cluster = await createCluster({ nodes: 2 });
  const listener = await cluster.apiServer.listen();
  await withPrograms(listener.kubeconfig ?? "", (run) => deploy(run, []));
});

test("helm on kube-controller-manager and kwok: the same release on volumes that an administrator made", async () => {
  await using plane = await startRealCluster({ programs, nodes: 2 });
  await withPrograms({ path: plane.kubeconfig }, async (run, folder) => {
    const volumes = ["one", "two", "three"].map(volume);
    const file = join(folder, "volumes.json");
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: volumes }));
    await run("kubectl", "apply", "-f", file);
    await deploy(run, ["--set", "storageClass=manual"]);
  });
});

async function deploy(run: Run, flags: readonly string[]): Promise<void> {
  const answer = await run("helm", "install", "shop", chart, "--wait", "--timeout=90s", ...flags);
  assert.match(answer, /STATUS: deployed/);
  assert.equal(await run("kubectl", "get", "job", "shop-prepare", "-o", "jsonpath={.status.succeeded}"), "1");
  assert.equal(await run("kubectl", "get", "statefulset", "shop", "-o", "jsonpath={.status.readyReplicas}"), "2");
  const claims = await run(
    "kubectl",
    "get",
    "pvc",
    "-o",
    "jsonpath={range .items[*]}{.metadata.name} {.status.phase}\n{end}",
  );
  assert.deepEqual(claims.trim().split("\n"), ["data-shop-0 Bound", "data-shop-1 Bound", "shop-backups Bound"]);
  assert.match(await run("helm", "uninstall", "shop", "--wait", "--timeout=90s"), /uninstalled/);
  assert.equal(await run("kubectl", "get", "pods", "-l", "app=shop", "-o", "name"), "");
}

function volume(name: string): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: "manual",
      hostPath: { path: `/volumes/${name}` },
    },
  };
}

/** Gives the programs a home of their own and the kubeconfig, by its text or where it is. */
async function withPrograms(
  kubeconfig: string | { readonly path: string },
  work: (run: Run, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-helm-"));
  try {
    const path = typeof kubeconfig === "string" ? join(folder, "kubeconfig") : kubeconfig.path;
    if (typeof kubeconfig === "string") await writeFile(path, kubeconfig, { mode: 0o600 });
    const env = { ...process.env, HOME: folder, KUBECONFIG: path };
    await work(async (program, ...args) => (await execute(join(programs, program), args, { env })).stdout, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
