/** What people do with kubectl on workloads, on the embedded cluster over TLS and in real time. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Cluster, createCluster } from "@kubewright/cluster";

const run = promisify(execFile);

describe("kubectl on the embedded cluster", () => {
  let cluster: Cluster;
  let folder: string;
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const program = join(process.env["KUBEWRIGHT_PROGRAMS"] ?? "", "kubectl");
    const env = { ...process.env, HOME: folder };
    const { stdout } = await run(program, [`--kubeconfig=${join(folder, "kubeconfig")}`, ...args], { env });
    return stdout;
  };
  before(async () => {
    const scripts = [{ image: /^app:/, logs: "hello\n", exec: (command: readonly string[]) => answer(command) }];
    cluster = await createCluster({ scripts, nodes: 2 });
    const listener = await cluster.apiServer.listen();
    folder = await mkdtemp(join(tmpdir(), "kubewright-kubectl-"));
    await writeFile(join(folder, "kubeconfig"), listener.kubeconfig ?? "", { mode: 0o600 });
  });
  after(async () => {
    await cluster.close();
    await rm(folder, { recursive: true });
  });

  test("rollout status, history, undo and restart, scale and autoscale", async () => {
    await kubectl("create", "deployment", "web", "--image=app:1", "--replicas=3");
    assert.match(await kubectl("rollout", "status", "deployment/web", "--timeout=30s"), /successfully rolled out/);
    await kubectl("set", "image", "deployment/web", "app=app:2");
    await kubectl("rollout", "status", "deployment/web", "--timeout=30s");
    assert.match(await kubectl("rollout", "history", "deployment/web"), /1\s+<none>\n2\s+<none>/);
    await kubectl("rollout", "undo", "deployment/web");
    await kubectl("rollout", "status", "deployment/web", "--timeout=30s");
    const image = "jsonpath={.spec.template.spec.containers[0].image}";
    assert.equal(await kubectl("get", "deployment", "web", "-o", image), "app:1");
    await kubectl("rollout", "restart", "deployment/web");
    await kubectl("rollout", "status", "deployment/web", "--timeout=30s");
    await kubectl("scale", "deployment/web", "--replicas=1");
    await kubectl("wait", "deployment/web", "--for=jsonpath={.status.readyReplicas}=1", "--timeout=30s");
    await kubectl("autoscale", "deployment", "web", "--min=2", "--max=3");
    await kubectl("wait", "deployment/web", "--for=jsonpath={.status.readyReplicas}=2", "--timeout=60s");
  });

  test("logs, exec and wait", async () => {
    await kubectl("run", "one", "--image=app:1");
    await kubectl("wait", "pod/one", "--for=condition=Ready", "--timeout=30s");
    assert.equal(await kubectl("logs", "one"), "hello\n");
    assert.equal(await kubectl("exec", "one", "--", "echo", "hi"), "hi\n");
    await assert.rejects(kubectl("exec", "one", "--", "false"), /exit code 3/);
    await kubectl("delete", "pod", "one", "--wait");
  });

  test("cordon and drain move pods away", async () => {
    await kubectl("create", "deployment", "moving", "--image=app:1", "--replicas=4");
    await kubectl("rollout", "status", "deployment/moving", "--timeout=30s");
    await kubectl("drain", "node-0", "--ignore-daemonsets", "--force", "--timeout=60s");
    await kubectl("wait", "deployment/moving", "--for=jsonpath={.status.readyReplicas}=4", "--timeout=30s");
    const nodes = "jsonpath={.items[*].spec.nodeName}";
    assert.doesNotMatch(await kubectl("get", "pods", "-l", "app=moving", "-o", nodes), /node-0/);
    await kubectl("uncordon", "node-0");
  });

  test("a Job from a CronJob runs, and deletions cascade as asked", async () => {
    await kubectl("create", "cronjob", "tick", "--image=work", "--schedule=0 0 1 1 *", "--", "work");
    await kubectl("create", "job", "now", "--from=cronjob/tick");
    await kubectl("wait", "job/now", "--for=condition=Complete", "--timeout=30s");
    await kubectl("delete", "job", "now", "--cascade=foreground", "--wait");
    assert.equal(await kubectl("get", "pods", "-l", "job-name=now", "-o", "name"), "");
    await kubectl("create", "deployment", "gone", "--image=app:1");
    await kubectl("rollout", "status", "deployment/gone", "--timeout=30s");
    await kubectl("delete", "deployment", "gone", "--cascade=background");
    await kubectl("wait", "pods", "-l", "app=gone", "--for=delete", "--timeout=30s");
    await kubectl("create", "deployment", "left", "--image=app:1");
    await kubectl("rollout", "status", "deployment/left", "--timeout=30s");
    await kubectl("delete", "deployment", "left", "--cascade=orphan");
    assert.match(await kubectl("get", "replicasets", "-l", "app=left", "-o", "name"), /replicaset/);
  });
});

function answer(command: readonly string[]): { stdout?: string; exitCode?: number } {
  return command[0] === "echo" ? { stdout: `${command.slice(1).join(" ")}\n` } : { exitCode: 3 };
}
