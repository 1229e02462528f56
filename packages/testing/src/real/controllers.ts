/**
 * The rest of a cluster beside a real control plane: kube-controller-manager, kube-scheduler and kwok, which plays the
 * kubelets of simulated nodes. Built on control-plane.ts; everything stops with the control plane.
 */
import { request } from "node:https";
import { join } from "node:path";
import { type Clock, sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import {
  answersOk,
  type ControlPlane,
  type ControlPlaneOptions,
  signerFiles,
  startControlPlane,
} from "./control-plane.ts";
import { onFreePorts } from "./free-ports.ts";
import { type Program, startProgram } from "./program.ts";

const NODE_READY_POLL_MS = 100;
const NODE_READY_MS_MAX = 60_000;

/** What a simulated node offers to the scheduler. */
const nodeCapacity = { cpu: "32", memory: "256Gi", pods: "1000", "ephemeral-storage": "1Ti" };

/** Options of a real cluster. */
export interface RealClusterOptions extends ControlPlaneOptions {
  /** How many simulated nodes join; without any, nothing plays kubelets. @default 1 */
  readonly nodes?: number;
  /** How many requests kube-controller-manager and kube-scheduler may send. @default their own limits, 20 and 50 */
  readonly requestsPerSecond?: number;
}

/** Starts a control plane with controllers, scheduler and simulated nodes; resolves when the nodes are ready. */
export async function startRealCluster(options: RealClusterOptions): Promise<ControlPlane> {
  const { clock = systemClock, nodes = 1 } = options;
  const controlPlane = await startControlPlane({ ...options, withControllers: true });
  const processes = [...controlPlane.processes];
  const rest: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of rest.splice(0).reverse()) await program.stop();
    await controlPlane.stop();
  };
  try {
    for (const start of [startControllerManager, startScheduler, ...(nodes > 0 ? [startKwok] : [])]) {
      rest.push(await start(options, controlPlane, clock));
    }
    const names = Array.from({ length: nodes }, (_, index) => `node-${index}`);
    for (const name of names) await createNode(controlPlane, name);
    for (const name of names) await untilNodeReady(controlPlane, name, clock);
    return { ...controlPlane, processes: [...processes, ...rest], stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startControllerManager(options: RealClusterOptions, plane: ControlPlane, clock: Clock): Promise<Program> {
  const signer = signerFiles(plane.folder);
  const args = [
    `--kubeconfig=${plane.kubeconfig}`,
    "--leader-elect=false",
    `--cluster-signing-cert-file=${signer.certificate}`,
    `--cluster-signing-key-file=${signer.key}`,
    // It makes this folder, by default in a place of the machine's.
    `--flex-volume-plugin-dir=${join(plane.folder, "volume-plugins")}`,
    "--use-service-account-credentials=true",
    `--service-account-private-key-file=${join(plane.folder, "service-accounts.pem")}`,
    `--root-ca-file=${join(plane.folder, "certificates", "apiserver.crt")}`,
    ...rateFlags(options),
  ];
  return startServing(join(options.programs, "kube-controller-manager"), args, { plane, clock });
}

function startScheduler(options: RealClusterOptions, plane: ControlPlane, clock: Clock): Promise<Program> {
  const args = [
    `--kubeconfig=${plane.kubeconfig}`,
    `--authentication-kubeconfig=${plane.kubeconfig}`,
    `--authorization-kubeconfig=${plane.kubeconfig}`,
    "--leader-elect=false",
    ...rateFlags(options),
  ];
  return startServing(join(options.programs, "kube-scheduler"), args, { plane, clock });
}

/** Starts a program that says at a port of its own how it is. */
function startServing(
  path: string,
  args: readonly string[],
  { plane, clock }: { readonly plane: ControlPlane; readonly clock: Clock },
): Promise<Program> {
  return onFreePorts(1, ([port = 0]) => {
    const ready = (): Promise<boolean> => answersOk(port, "/healthz", plane.token);
    const listening = [...args, "--bind-address=127.0.0.1", `--secure-port=${port}`];
    return startProgram({ path, args: listening, ready, clock });
  });
}

function rateFlags({ requestsPerSecond }: RealClusterOptions): readonly string[] {
  if (requestsPerSecond === undefined) return [];
  return [`--kube-api-qps=${requestsPerSecond}`, `--kube-api-burst=${2 * requestsPerSecond}`];
}

function startKwok({ programs }: RealClusterOptions, plane: ControlPlane, clock: Clock): Promise<Program> {
  const stages = join(programs, "kwok.yaml");
  const args = [
    `--kubeconfig=${plane.kubeconfig}`,
    "--manage-all-nodes=true",
    `--config=${stages}`,
    // Without leases the nodes count as lost after 50 s, and their pods as not ready.
    "--node-lease-duration-seconds=40",
  ];
  return startProgram({ path: join(programs, "kwok"), args, ready: () => Promise.resolve(true), clock });
}

async function createNode(plane: ControlPlane, name: string): Promise<void> {
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: { "kubernetes.io/hostname": name, type: "kwok" },
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    },
    status: { capacity: nodeCapacity, allocatable: nodeCapacity },
  };
  const answer = await call(plane, "POST", "/api/v1/nodes", JSON.stringify(node));
  if (answer.status !== 201) throw new Error(`cannot create node ${name}: ${answer.body}`);
}

/** Resolves when the node exists and is ready. */
export async function untilNodeReady(plane: ControlPlane, name: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + NODE_READY_MS_MAX;
  for (;;) {
    const { body } = await call(plane, "GET", `/api/v1/nodes/${name}`);
    const conditions: readonly { type: string; status: string }[] = JSON.parse(body).status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === "Ready" && status === "True")) return;
    if (clock.monotonic() > deadline) throw new Error(`node ${name} is not ready: ${JSON.stringify(conditions)}`);
    await sleep(clock, NODE_READY_POLL_MS);
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function call(plane: ControlPlane, method: string, path: string, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${plane.token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const options = { method, headers, ca: plane.certificateAuthority, agent: false as const };
    const sent = request(`${plane.url}${path}`, options, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
