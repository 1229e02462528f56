/** The servers that are compared, each started as its users start it, in processes of its own. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { startControlPlane } from "@kubewright/testing";
import { realPrograms } from "../../tools/real-cluster/build.ts";
import { linkBuiltPackages } from "../built-packages.ts";
import { Connection, encodeRequest, type Target } from "./connection.ts";

/** A server that answers. */
export interface RunningServer {
  readonly target: Target;
  readonly pids: readonly number[];
  /** From the start of the process to the first answer. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

const CACHE = resolve(import.meta.dirname, "../.cache/apiserver");
const TOKEN = "bench-token";

/** A user's program: the server in a process of its own, listening with TLS. */
const SERVER = `
import { createApiServer } from "@kubewright/apiserver";
import { systemClock, systemRandom } from "@kubewright/node";
const tokens = [{ token: ${JSON.stringify(TOKEN)}, user: { name: "admin", groups: ["system:masters"] } }];
const server = await createApiServer({ clock: systemClock, random: systemRandom, tokens });
const { url, certificateAuthority } = await server.listen();
console.log(JSON.stringify({ url, certificateAuthority }));
`;

/** A user's test: the server in the process, asked once. Prints milliseconds from before the import. */
const IN_PROCESS = `
const started = performance.now();
const { createApiServer } = await import("@kubewright/apiserver");
const { systemClock, systemRandom } = await import("@kubewright/node");
const server = await createApiServer({ clock: systemClock, random: systemRandom });
const { status } = await server.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
if (status !== 200) throw new Error("answered " + status);
console.log(performance.now() - started);
await server.close();
`;

/** Builds our packages and the programs of Kubernetes. */
export async function prepareServers(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, "server.mjs"), SERVER);
  writeFileSync(join(CACHE, "in-process.mjs"), IN_PROCESS);
  linkBuiltPackages(CACHE);
  await realPrograms("control-plane", (line) => console.error(line));
}

/** The embedded server, built, in a process of its own. */
export async function startEmbedded(): Promise<RunningServer> {
  const started = performance.now();
  const flags = process.env["BENCH_SERVER_FLAGS"]?.split(" ") ?? [];
  const child = spawn(process.execPath, [...flags, "server.mjs"], {
    cwd: CACHE,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const [line] = await Array.fromAsync(firstLine(child.stdout));
  const target: Target = { ...JSON.parse(line ?? "{}"), token: TOKEN };
  await askOnce(target);
  const readyMs = performance.now() - started;
  const stop = async (): Promise<void> => {
    child.kill("SIGINT");
    await exited;
  };
  return { target, pids: [child.pid ?? -1], readyMs, stop };
}

/** The first line of what a program prints, as the only one. */
export async function* firstLine(output: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input: output })) {
    yield line;
    return;
  }
}

async function askOnce(target: Target): Promise<void> {
  const connection = await Connection.open(target);
  const { status } = await connection.send(encodeRequest(target, { method: "GET", path: "/readyz" }));
  connection.close();
  if (status !== 200) throw new Error(`/readyz answered ${status}`);
}

/** kube-apiserver and etcd; etcd does not wait for the disk. */
export async function startReal(): Promise<RunningServer> {
  const programs = await realPrograms("control-plane");
  const started = performance.now();
  const plane = await startControlPlane({ programs });
  const readyMs = performance.now() - started;
  const { url, certificateAuthority, token } = plane;
  const pids = plane.processes.map((program) => program.pid);
  return { target: { url, certificateAuthority, token }, pids, readyMs, stop: plane.stop };
}

/** Milliseconds that importing the server, starting it and asking it once take in a new process. */
export async function inProcessStartMs(): Promise<number> {
  const child = spawn(process.execPath, ["in-process.mjs"], { cwd: CACHE, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await Array.fromAsync(firstLine(child.stdout));
  return Number(line ?? Number.NaN);
}
