/** The Memcached operator in a pod of a real node: built by `image`, installed by `deploy`, with its derived rights alone. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { run } from "../test/command-line.ts";
import { imageProject } from "../test/image-project.ts";
import { ended, execute, MANAGER, NAMESPACE, type OperatorNode, PROGRAMS, startOperatorNode } from "./operator-node.ts";

const KINDS =
  "namespaces,crds,clusterroles,clusterrolebindings,serviceaccounts,roles,rolebindings,leases,deployments,services,pods";
const IN_NAMESPACE = ["--namespace", NAMESPACE];
const GONE_POLL_MS = 200;
const GONE_MS_MAX = 60_000;
const ANSWER_MS_MAX = 30_000;

let node: OperatorNode;
before(async () => {
  node = await startOperatorNode();
});
after(() => node[Symbol.asyncDispose]());

test("an image that was pushed to a registry runs as nobody, reconciles, and undeploy leaves nothing", async () => {
  const untouched = new Set(objects());
  const image = `${node.registry}/team/memcached-operator:v1`;
  const built = await node.command("image", "build", "--base", "oci:base", "--image", image, "--push", "-o", "json");
  const validated = execute("crane", "validate", "--remote", image);
  assert.match(validated.stdout + validated.stderr, /PASS/);
  await reconcilesWith(image);
  const imageId = "jsonpath={.items[0].status.containerStatuses[0].imageID}";
  const pulled = node.kubectl(...IN_NAMESPACE, "get", "pods", "-o", imageId);
  assert.ok(pulled.endsWith(JSON.parse(built.stdout).digest), pulled);
  await leavesNothing(untouched);
});

test("an image that was saved and imported runs; another pod takes over, and metrics need a right", async () => {
  const untouched = new Set(objects());
  // Another image than the one before: kubelet asks the registry again for what it once pulled under another name.
  const label = ["--label", "example.com/from=archive"];
  await node.command("image", "save", "--base", "oci:base", "--image", "memcached-operator:v1", ...label);
  await node.cluster.importImages(join(node.folder, "dist/image.tar"));
  await reconcilesWith("memcached-operator:v1");
  node.kubectl(...IN_NAMESPACE, "delete", "pods", "--all");
  node.kubectl("patch", "memcached/memcached-sample", "--type=merge", "--patch", '{"spec":{"size":1}}');
  node.kubectl("wait", "--for=jsonpath={.status.size}=1", "memcached/memcached-sample", "--timeout=60s");
  node.kubectl(...IN_NAMESPACE, "rollout", "status", `deploy/${MANAGER}`, "--timeout=60s");
  await metricsNeedRight();
  await leavesNothing(untouched);
});

test("ctr takes an image for several platforms", async () => {
  await using project = await imageProject();
  const args = ["image", "save", "--base", "oci:base", "--image", "several:v1", "-o", "json"];
  const saved = await run({ folder: project.path }, ...args);
  await node.cluster.importImages(join(project.path, "dist/image.tar"));
  const ctr = ["--address", join(node.cluster.folder, "containerd.sock"), "--namespace", "k8s.io"];
  const images = execute("ctr", ...ctr, "images", "list", "name==docker.io/library/several:v1").stdout;
  assert.ok(images.includes(JSON.parse(saved.stdout).digest), images);
  assert.match(images, /linux\/amd64,linux\/arm64/);
});

/** Deploys the operator and sees it do its work, with its own rights and no others. */
async function reconcilesWith(image: string): Promise<void> {
  await node.command("deploy", "--image", image, "--timeout", "60s");
  const user = ["--", "node", "-p", "process.getuid()"];
  assert.equal(node.kubectl(...IN_NAMESPACE, "exec", `deploy/${MANAGER}`, ...user), "65532");
  node.kubectl("apply", "-f", join(node.folder, "config/samples/cache_v1alpha1_memcached.yaml"));
  node.kubectl("wait", "--for=condition=Ready", "memcached/memcached-sample", "--timeout=60s");
  const pods = node.kubectl("get", "memcached/memcached-sample", "-o", "jsonpath={.status.nodes[*]}").split(" ");
  assert.equal(pods.length, 3);
  node.kubectl("wait", "--for=condition=Ready", ...pods.map((name) => `pod/${name}`), "--timeout=30s");
  assert.doesNotMatch(node.kubectl(...IN_NAMESPACE, "logs", `deploy/${MANAGER}`), /forbidden|error/i);
  const account = `--as=system:serviceaccount:${NAMESPACE}:${MANAGER}`;
  const can = (...what: readonly string[]) => node.tryKubectl("auth", "can-i", ...what, account).stdout.trim();
  assert.deepEqual([can("patch", "deployments"), can("delete", "secrets"), can("create", "pods")], ["yes", "no", "no"]);
}

/** Metrics are given to whom the API server says may read them, which the operator has the right to ask. */
async function metricsNeedRight(): Promise<void> {
  const right = "--clusterrole=memcached-operator-metrics-reader";
  node.kubectl("create", "serviceaccount", "reader");
  node.kubectl("create", "clusterrolebinding", "reader", right, "--serviceaccount=default:reader");
  const args = ["--kubeconfig", node.cluster.kubeconfig, ...IN_NAMESPACE, "port-forward", `deploy/${MANAGER}`, ":8443"];
  const forward = spawn(join(PROGRAMS, "kubectl"), args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: forward.stdout }), "line");
    const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    const asked = [undefined, ...["default", "reader"].map((name) => node.kubectl("create", "token", name))];
    const answered: number[] = [];
    for (const token of asked) answered.push(await untilAnswered(() => statusOfMetrics(port, token)));
    assert.deepEqual(answered, [401, 403, 200]);
  } finally {
    await ended(forward);
  }
  node.kubectl("delete", "serviceaccount,clusterrolebinding", "reader");
}

/** kubectl may lose a connection that it forwards; what counts is the answer to the next one. */
async function untilAnswered(ask: () => Promise<number>): Promise<number> {
  const deadline = systemClock.monotonic() + ANSWER_MS_MAX;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (systemClock.monotonic() > deadline) throw error;
    }
    await sleep(systemClock, GONE_POLL_MS);
  }
}

/** The operator's certificate is its own, so it is not verified. */
function statusOfMetrics(port: string, token: string | undefined): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { host: "127.0.0.1", port, path: "/metrics", headers, rejectUnauthorized: false, agent: false };
  const sent = request(options, (answer) => {
    answer.resume();
    answer.once("end", () => resolve(answer.statusCode ?? 0));
  });
  sent.once("error", reject);
  sent.end();
  return promise;
}

/** Undeploys. Pods may take a moment longer to end. */
async function leavesNothing(untouched: ReadonlySet<string>): Promise<void> {
  await node.command("undeploy", "--force");
  const left = (): readonly string[] => objects().filter((name) => !untouched.has(name));
  const deadline = systemClock.monotonic() + GONE_MS_MAX;
  while (left().length > 0 && systemClock.monotonic() < deadline) await sleep(systemClock, GONE_POLL_MS);
  assert.deepEqual(left(), []);
}

/** All objects by name that an operator could leave; what a new cluster makes for itself may come late. */
function objects(): readonly string[] {
  const names = 'jsonpath={range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  const lines = node.kubectl("get", KINDS, "--all-namespaces", "-o", names).split("\n");
  return lines.filter((name) => !/^\S+ kube-|^ServiceAccount \S+\/default$/.test(name));
}
