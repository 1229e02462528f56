/** A real node with what deploying the Memcached operator on it needs: a registry that it reaches, and the project. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type NodeCluster, startNodeCluster } from "@kubewright/testing/node";
import { projectFolder, type Ran, run } from "../test/command-line.ts";
import { writeNodeBase } from "./node-base.ts";

/** Where the programs are. */
export const PROGRAMS: string = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
/** The namespace of the deployed operator. */
export const NAMESPACE = "memcached-operator-system";
/** Its Deployment and service account. */
export const MANAGER = "memcached-operator-controller-manager";

const OPERATOR = resolve(import.meta.dirname, "../../../operators/memcached");
const PROJECT_FILES = ["src", "config", "kubewright.config.ts", "package.json", "tsconfig.json"];

/** What a program did. */
export interface Executed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A node with the images of the sample's pods, and a copy of the operator's project with a base image in "base". */
export interface OperatorNode extends AsyncDisposable {
  readonly cluster: NodeCluster;
  /** The project's folder. */
  readonly folder: string;
  /** "127.0.0.1:port", for this machine and for the node. */
  readonly registry: string;
  /** Runs a kubewright command in the project, against the cluster; it must succeed. */
  command(...args: readonly string[]): Promise<Ran>;
  /** What kubectl prints; it must succeed. */
  kubectl(...args: readonly string[]): string;
  /** What kubectl does. */
  tryKubectl(...args: readonly string[]): Executed;
}

/** Starts it. */
export async function startOperatorNode(): Promise<OperatorNode> {
  await using started = new AsyncDisposableStack();
  const { registry, port } = await startRegistry();
  started.defer(() => ended(registry));
  const cluster = started.use(await startNodeCluster({ programs: PROGRAMS, loopbackPorts: [port] }));
  await cluster.importImages(join(PROGRAMS, "memcached.tar"));
  const { path: folder } = started.use(await projectFolder());
  for (const name of PROJECT_FILES) await cp(join(OPERATOR, name), join(folder, name), { recursive: true });
  await writeNodeBase(join(folder, "base"));
  const tryKubectl = (...args: readonly string[]): Executed =>
    execute("kubectl", "--kubeconfig", cluster.kubeconfig, ...args);
  const running = started.move();
  return {
    cluster,
    folder,
    registry: `127.0.0.1:${port}`,
    async command(...args) {
      const ran = await run({ folder, env: { KUBECONFIG: cluster.kubeconfig } }, ...args);
      assert.equal(ran.exitCode, 0, `${args.join(" ")}: ${ran.stderr}`);
      return ran;
    },
    kubectl(...args) {
      const { status, stdout, stderr } = tryKubectl(...args);
      assert.equal(status, 0, `kubectl ${args.join(" ")}: ${stderr}`);
      return stdout.trim();
    },
    tryKubectl,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Runs a program of the folder with programs to its end. */
export function execute(program: string, ...args: readonly string[]): Executed {
  return spawnSync(join(PROGRAMS, program), args, { encoding: "utf8" });
}

/** Ends a program that was started here. */
export async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "close");
}

async function startRegistry(): Promise<{ readonly registry: ChildProcess; readonly port: number }> {
  const args = ["registry", "serve", "--address", "127.0.0.1:0"];
  const registry = spawn(join(PROGRAMS, "crane"), args, { stdio: ["ignore", "ignore", "pipe"] });
  const [line] = await once(createInterface({ input: registry.stderr }), "line");
  return { registry, port: Number(/(\d+)\s*$/.exec(line)?.[1]) };
}
