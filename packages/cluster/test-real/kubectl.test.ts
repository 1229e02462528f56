/** What people do with kubectl on workloads, on the embedded cluster over TLS and in real time. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import type { Pod } from "@kubewright/api/core/v1";
import { type Cluster, createCluster, type ExecInput, type ExecResult, type PortRequest } from "@kubewright/cluster";
import { createCertificateRequest } from "@kubewright/node/certificates";

const run = promisify(execFile);

/** kubectl's protocols for streams, and the settings that choose them. */
const PROTOCOLS: readonly (readonly [string, NodeJS.ProcessEnv])[] = [
  ["WebSocket", {}],
  ["SPDY", { KUBECTL_PORT_FORWARD_WEBSOCKETS: "false", KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false" }],
];

describe("kubectl on the embedded cluster", () => {
  let cluster: Cluster;
  let folder: string;
  const program = join(process.env["KUBEWRIGHT_PROGRAMS"] ?? "", "kubectl");
  const kubectlWith = async (settings: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, HOME: folder, ...settings };
    const { stdout } = await run(program, [`--kubeconfig=${join(folder, "kubeconfig")}`, ...args], { env });
    return stdout;
  };
  const kubectl = (...args: readonly string[]): Promise<string> => kubectlWith({}, ...args);
  /** What kubectl prints of what it is given. */
  const piped = async (settings: NodeJS.ProcessEnv, args: readonly string[], input: string): Promise<string> => {
    const env = { ...process.env, HOME: folder, ...settings };
    const child = spawn(program, [`--kubeconfig=${join(folder, "kubeconfig")}`, ...args], { env });
    child.stdin.end(input);
    return await text(child.stdout);
  };
  /** Forwards a free local port, hands its URL to `use`, and returns what kubectl complained of. */
  const forwarding = async (
    settings: NodeJS.ProcessEnv,
    target: readonly [string, number],
    use: (url: string) => Promise<void>,
  ): Promise<string> => {
    const args = [`--kubeconfig=${join(folder, "kubeconfig")}`, "port-forward", target[0], `:${target[1]}`];
    const child = spawn(program, args, { env: { ...process.env, HOME: folder, ...settings } });
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    const closed = once(child, "close");
    try {
      const [line] = await Promise.race([once(child.stdout, "data"), closed]);
      await use(`http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(String(line))?.[1]}`);
    } finally {
      child.kill();
    }
    await closed;
    return complaints;
  };
  before(async () => {
    const ports = {
      8080: "welcome\n",
      9090: ({ body }: PortRequest) => ({ status: 201, body: `${body.length} taken` }),
    };
    const exec = (command: readonly string[], _pod: Pod, input: ExecInput) => answer(command, input);
    const attach = async (_pod: Pod, input: ExecInput) => ({ stdout: `attached ${await input.text()}` });
    const scripts = [
      { image: "app:attached", attach },
      { image: /^app:/, logs: "hello\n", exec, ports },
    ];
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

  for (const [protocol, settings] of PROTOCOLS) {
    test(`port-forward reaches what a script says of a port, over ${protocol}`, async () => {
      const name = `forwarded-${protocol.toLowerCase()}`;
      await kubectl("run", name, "--image=app:1");
      await kubectl("wait", `pod/${name}`, "--for=condition=Ready", "--timeout=30s");
      const complaints = await forwarding(settings, [`pod/${name}`, 8080], async (url) => {
        const answers = await Promise.all(["/a", "/b", "/c"].map((path) => fetch(url + path)));
        assert.deepEqual(await Promise.all(answers.map((each) => each.text())), Array(3).fill("welcome\n"));
      });
      assert.equal(complaints, "");
      await forwarding(settings, [`pod/${name}`, 9090], async (url) => {
        const response = await fetch(url, { method: "POST", body: "x".repeat(1_000_000) });
        assert.deepEqual([response.status, await response.text()], [201, "1000000 taken"]);
      });
      const refused = await forwarding(settings, [`pod/${name}`, 81], async (url) => {
        await assert.rejects(fetch(url));
      });
      assert.match(
        refused,
        /error forwarding port 81 to pod .*: failed to connect to localhost:81 .*connection refused/,
      );
    });

    test(`a command runs over ${protocol}`, async () => {
      const name = `command-${protocol.toLowerCase()}`;
      await kubectl("run", name, "--image=app:1");
      await kubectl("wait", `pod/${name}`, "--for=condition=Ready", "--timeout=30s");
      assert.equal(await kubectlWith(settings, "exec", name, "--", "echo", "hi"), "hi\n");
      await assert.rejects(kubectlWith(settings, "exec", name, "--", "false"), /exit code 3/);
    });

    test(`a command reads its input over ${protocol}`, async () => {
      const name = `input-${protocol.toLowerCase()}`;
      await kubectl("run", name, "--image=app:attached");
      await kubectl("run", `${name}-cat`, "--image=app:1");
      await kubectl("wait", `pod/${name}`, `pod/${name}-cat`, "--for=condition=Ready", "--timeout=30s");
      const large = "0123456789abcdef".repeat(64 * 1024);
      for (const input of ["hi\n", "", large]) {
        assert.equal(await piped(settings, ["exec", "-i", `${name}-cat`, "--", "cat"], input), input);
      }
      assert.equal(await piped(settings, ["attach", "-i", "-q", name], "hi\n"), "attached hi\n");
    });
  }

  test("certificate approve and deny, and the certificate makes its holder known", async () => {
    const { request, key } = createCertificateRequest({ commonName: "jane", organizations: ["developers"] });
    const spec = {
      request: Buffer.from(request).toString("base64"),
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
    };
    for (const name of ["jane", "joe"]) {
      const object = {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec,
      };
      await writeFile(join(folder, "request.json"), JSON.stringify(object));
      await kubectl("create", "-f", join(folder, "request.json"));
    }
    assert.match(await kubectl("get", "csr", "jane"), /kubernetes-admin +<none> +Pending\n/);
    await kubectl("certificate", "deny", "joe");
    assert.match(await kubectl("get", "csr", "joe"), / Denied\n/);
    await kubectl("certificate", "approve", "jane");
    await kubectl("wait", "csr/jane", "--for=jsonpath={.status.certificate}", "--timeout=30s");
    assert.match(await kubectl("get", "csr", "jane"), / Approved,Issued\n/);
    const certificate = await kubectl("get", "csr", "jane", "-o", "jsonpath={.status.certificate}");
    await writeFile(join(folder, "jane.crt"), Buffer.from(certificate, "base64"));
    await writeFile(join(folder, "jane.key"), key, { mode: 0o600 });
    const files = [`--client-certificate=${join(folder, "jane.crt")}`, `--client-key=${join(folder, "jane.key")}`];
    const cluster = "jsonpath={.clusters[0].cluster.server}";
    const server = await kubectl("config", "view", "-o", cluster);
    const authority = await kubectl(
      "config",
      "view",
      "--raw",
      "-o",
      "jsonpath={.clusters[0].cluster.certificate-authority-data}",
    );
    await writeFile(join(folder, "ca.crt"), Buffer.from(authority, "base64"));
    const { stdout } = await run(program, [
      "--kubeconfig=/dev/null",
      `--server=${server}`,
      `--certificate-authority=${join(folder, "ca.crt")}`,
      ...files,
      "auth",
      "whoami",
    ]);
    assert.match(stdout, /Username +jane\nGroups +\[developers system:authenticated\]/);
  });

  test("cordon and drain move pods away", async () => {
    await kubectl("create", "deployment", "moving", "--image=app:1", "--replicas=4");
    await kubectl("rollout", "status", "deployment/moving", "--timeout=30s");
    await kubectl("create", "poddisruptionbudget", "moving", "--selector=app=moving", "--max-unavailable=1");
    await kubectl("wait", "pdb/moving", "--for=jsonpath={.status.disruptionsAllowed}=1", "--timeout=30s");
    await kubectl("cordon", "node-0");
    assert.match(await kubectl("get", "node", "node-0"), /Ready,SchedulingDisabled/);
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

async function answer(command: readonly string[], input: ExecInput): Promise<ExecResult> {
  if (command[0] === "cat") return { stdout: await input.text() };
  return command[0] === "echo" ? { stdout: `${command.slice(1).join(" ")}\n` } : { exitCode: 3 };
}
