/** The Memcached operator in a pod of a real node: built by `image`, installed by `deploy`, with its derived rights alone. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type NodeCluster, startNodeCluster } from "@kubewright/testing/node";
import { projectFolder, type Ran, run } from "../test/command-line.ts";
import { imageProject } from "../test/image-project.ts";
import { writeNodeBase } from "./node-base.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
const OPERATOR = resolve(import.meta.dirname, "../../../operators/memcached");
const PROJECT_FILES = ["src", "config", "kubewright.config.ts", "package.json", "tsconfig.json"];
const NAMESPACE = "memcached-operator-system";
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:memcached-operator-controller-manager`;
const KINDS =
  "namespaces,crds,clusterroles,clusterrolebindings,serviceaccounts,roles,rolebindings,leases,deployments,services,pods";
const GONE_POLL_MS = 200;
const GONE_MS_MAX = 60_000;

let registry: ReturnType<typeof spawn>;
let registryPort: string;
let cluster: NodeCluster;
let project: Awaited<ReturnType<typeof projectFolder>>;

before(async () => {
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const served = spawn(join(programs, "crane"), ["registry", "serve", "--address", "127.0.0.1:0"], {
    stdio: [...stdio],
  });
  registry = served;
  const [line] = await once(createInterface({ input: served.stderr }), "line");
  registryPort = /(\d+)\s*$/.exec(line)?.[1] ?? "";
  cluster = await startNodeCluster({ programs, loopbackPorts: [Number(registryPort)] });
  await cluster.importImages(join(programs, "memcached.tar"));
  project = await projectFolder();
  for (const name of PROJECT_FILES) await cp(join(OPERATOR, name), join(project.path, name), { recursive: true });
  await writeNodeBase(join(project.path, "base"));
});
after(async () => {
  await cluster.stop();
  await project[Symbol.asyncDispose]();
  registry.kill("SIGTERM");
  await once(registry, "close");
});

test("an image that was pushed to a registry runs as nobody, reconciles, and undeploy leaves nothing", async () => {
  const untouched = new Set(objects());
  const image = `127.0.0.1:${registryPort}/team/memcached-operator:v1`;
  const built = await command("image", "build", "--base", "oci:base", "--image", image, "--push", "-o", "json");
  assert.match(execute("crane", "validate", "--remote", image), /PASS/);
  await reconcilesWith(image);
  const [pod = ""] = kubectl("-n", NAMESPACE, "get", "pods", "-o", "name").split("\n");
  const imageId = kubectl("-n", NAMESPACE, "get", pod, "-o", "jsonpath={.status.containerStatuses[0].imageID}");
  assert.ok(imageId.endsWith(JSON.parse(built.stdout).digest), imageId);
  await leavesNothing(untouched);
});

test("an image that was saved and imported runs, too", async () => {
  const untouched = new Set(objects());
  // Another image than the one before: kubelet asks the registry again for what it once pulled under another name.
  const label = ["--label", "example.com/from=archive"];
  await command("image", "save", "--base", "oci:base", "--image", "memcached-operator:v1", ...label);
  await cluster.importImages(join(project.path, "dist/image.tar"));
  await reconcilesWith("memcached-operator:v1");
  await leavesNothing(untouched);
});

test("ctr takes an image for several platforms", async () => {
  await using two = await imageProject();
  const saved = await run(
    { folder: two.path },
    "image",
    "save",
    "--base",
    "oci:base",
    "--image",
    "several:v1",
    "-o",
    "json",
  );
  await cluster.importImages(join(two.path, "dist/image.tar"));
  const ctr = ["--address", join(cluster.folder, "containerd.sock"), "--namespace", "k8s.io"];
  const images = execute("ctr", ...ctr, "images", "list", "name==docker.io/library/several:v1");
  assert.ok(images.includes(JSON.parse(saved.stdout).digest), images);
  assert.match(images, /linux\/amd64,linux\/arm64/);
});

/** Deploys the operator and sees it do its work, with its own rights and no others. */
async function reconcilesWith(image: string): Promise<void> {
  await command("deploy", "--image", image, "--timeout", "60s");
  assert.equal(
    kubectl(
      "-n",
      NAMESPACE,
      "exec",
      "deploy/memcached-operator-controller-manager",
      "--",
      "node",
      "-p",
      "process.getuid()",
    ),
    "65532",
  );
  kubectl("apply", "-f", join(project.path, "config/samples/cache_v1alpha1_memcached.yaml"));
  kubectl("wait", "--for=condition=Ready", "memcached/memcached-sample", "--timeout=60s");
  const nodes = kubectl("get", "memcached/memcached-sample", "-o", "jsonpath={.status.nodes[*]}").split(" ");
  assert.equal(nodes.length, 3);
  kubectl("wait", "--for=condition=Ready", ...nodes.map((name) => `pod/${name}`), "--timeout=30s");
  const logs = kubectl("-n", NAMESPACE, "logs", "deploy/memcached-operator-controller-manager");
  assert.doesNotMatch(logs, /forbidden|error/i);
  assert.equal(spawnKubectl("auth", "can-i", "delete", "secrets", `--as=${ACCOUNT}`).stdout.trim(), "no");
  assert.equal(spawnKubectl("auth", "can-i", "patch", "deployments", `--as=${ACCOUNT}`).stdout.trim(), "yes");
}

/** Undeploys. Children of the sample go in the background, once it is gone. */
async function leavesNothing(untouched: ReadonlySet<string>): Promise<void> {
  await command("undeploy", "--force");
  const left = (): readonly string[] => objects().filter((name) => !untouched.has(name));
  const deadline = systemClock.monotonic() + GONE_MS_MAX;
  while (left().length > 0 && systemClock.monotonic() < deadline) await sleep(systemClock, GONE_POLL_MS);
  assert.deepEqual(left(), []);
}

/** All objects by name that an operator could leave; the node's own lease may come late. */
function objects(): readonly string[] {
  const names = 'jsonpath={range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  return kubectl("get", KINDS, "--all-namespaces", "-o", names)
    .split("\n")
    .filter((name) => name !== "Lease kube-node-lease/node-0");
}

async function command(...args: string[]): Promise<Ran> {
  const ran = await run({ folder: project.path, env: { KUBECONFIG: cluster.kubeconfig } }, ...args);
  assert.equal(ran.exitCode, 0, `${args.join(" ")}: ${ran.stderr}`);
  return ran;
}

function kubectl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnKubectl(...args);
  assert.equal(status, 0, `kubectl ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

function spawnKubectl(...args: readonly string[]) {
  const options = { encoding: "utf8" } as const;
  return spawnSync(join(programs, "kubectl"), ["--kubeconfig", cluster.kubeconfig, ...args], options);
}

function execute(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(programs, program), args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout + stderr;
}
