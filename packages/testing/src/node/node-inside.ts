/**
 * The inside of a real node: runs as the first process of namespaces of its own (see node-cluster.ts) and starts there a
 * control plane with controllers, containerd and kubelet. Ends when its input ends, and the kernel ends everything else
 * with it: processes, mounts, bridge and addresses.
 */
import { execFileSync } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import type { ControlPlane } from "../real/control-plane.ts";
import { startRealCluster, untilNodeReady } from "../real/controllers.ts";
import { inputEnded, startProgram } from "../real/program.ts";
import {
  containerdSettings,
  containerdSocket,
  kubeletSettings,
  NODE_ADDRESS,
  NODE_NAME,
  type NodePlaces,
  networkSettings,
  SERVICE_ADDRESS,
} from "./node-settings.ts";
import { startRelay } from "./relay.ts";

/** What the inside is told. */
export interface InsideOptions extends NodePlaces {
  readonly apiServerFlags: readonly string[];
  /** Ports of the machine's loopback that are reachable at the same port inside. */
  readonly loopbackPorts: readonly number[];
}

/** What the inside tells when it is ready. */
export interface InsideReady {
  readonly certificateAuthority: string;
  readonly token: string;
}

/** The sockets and files through which inside and outside meet, all in the folder of the node. */
export const MEETING = {
  /** Leads to the API server. */
  apiServer: (folder: string): string => join(folder, "api-server.sock"),
  /** Leads to a port of the machine's loopback. */
  loopback: (folder: string, port: number): string => join(folder, `loopback-${port}.sock`),
  /** Holds `InsideReady` once the node is ready. */
  ready: (folder: string): string => join(folder, "ready.json"),
};

/** Starts everything, says so, and resolves when the input ends. */
export async function runNodeInside(options: InsideOptions): Promise<void> {
  await prepareNamespaces(options);
  for (const port of options.loopbackPorts) {
    await startRelay({ from: { host: "127.0.0.1", port }, to: { path: MEETING.loopback(options.folder, port) } });
  }
  const plane = await startPlane(options);
  await startContainerd(options);
  await startKubelet(options, plane);
  await untilNodeReady(plane, NODE_NAME, systemClock);
  const { certificateAuthority, token } = plane;
  await tell(options.folder, { certificateAuthority, token });
  await inputEnded();
}

/** What kubelet wants of the kernel. It would set it for the whole machine, so it is shown files that say so already. */
const KERNEL_SETTINGS: Readonly<Record<string, string>> = {
  "vm/overcommit_memory": "1",
  "vm/panic_on_oom": "0",
  "kernel/panic": "10",
  "kernel/panic_on_oops": "1",
  "kernel/keys/root_maxkeys": "1000000",
  "kernel/keys/root_maxbytes": "25000000",
};

/** Mounts that keep writes below /run and /var off the machine, and the addresses of the node. */
export const NAMESPACE_COMMANDS: readonly string[] = [
  "mount --make-rshared /",
  "mount -t tmpfs tmpfs /run",
  "mkdir /run/var /run/work",
  "mount -t overlay -o lowerdir=/var,upperdir=/run/var,workdir=/run/work overlay /var",
  "ip link set lo up",
  `ip address add ${SERVICE_ADDRESS}/32 dev lo`,
  "ip link add cni0 type bridge",
  `ip address add ${NODE_ADDRESS}/16 dev cni0`,
  "ip link set cni0 up",
];

async function prepareNamespaces({ folder }: InsideOptions): Promise<void> {
  for (const command of NAMESPACE_COMMANDS) run(command.split(" "));
  await mkdir(join(folder, "kernel"));
  for (const [index, [name, value]] of Object.entries(KERNEL_SETTINGS).entries()) {
    const file = join(folder, "kernel", String(index));
    await writeFile(file, `${value}\n`);
    run(["mount", "--bind", file, `/proc/sys/${name}`]);
  }
}

function run([command = "", ...args]: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
}

/** The control plane and its controllers; the API server answers at its own address, the node's and its ClusterIP. */
async function startPlane(options: InsideOptions): Promise<ControlPlane> {
  const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const client = authority.issue({
    commonName: "kube-apiserver",
    organizations: ["system:masters"],
    usages: ["client auth"],
  });
  const file = (name: string): string => join(options.folder, name);
  await writeFile(file("kubelet-clients.crt"), authority.certificate);
  await writeFile(file("kubelet-client.crt"), client.certificate);
  await writeFile(file("kubelet-client.key"), client.key, { mode: 0o600 });
  const apiServerFlags = [
    `--advertise-address=${NODE_ADDRESS}`,
    `--kubelet-client-certificate=${file("kubelet-client.crt")}`,
    `--kubelet-client-key=${file("kubelet-client.key")}`,
    "--kubelet-preferred-address-types=InternalIP",
    // There is no kube-proxy: services of webhooks and aggregated APIs are reached through their endpoints.
    "--enable-aggregator-routing=true",
    ...options.apiServerFlags,
  ];
  const plane = await startRealCluster({ programs: options.programs, nodes: 0, apiServerFlags });
  const port = Number(new URL(plane.url).port);
  const to = { host: "127.0.0.1", port };
  await startRelay({ from: { host: SERVICE_ADDRESS, port: 443 }, to });
  await startRelay({ from: { host: NODE_ADDRESS, port }, to });
  await startRelay({ from: { path: MEETING.apiServer(options.folder) }, to });
  return plane;
}

async function startContainerd(options: InsideOptions): Promise<void> {
  const { folder, programs } = options;
  await mkdir(join(folder, "cni"));
  await writeFile(join(folder, "cni", "pods.conflist"), networkSettings(options));
  const settings = join(folder, "containerd.toml");
  await writeFile(settings, containerdSettings(options));
  const ctr = ["--address", containerdSocket(folder), "--namespace", "k8s.io"];
  const ready = async (): Promise<boolean> => {
    run([join(programs, "ctr"), ...ctr, "version"]);
    return true;
  };
  const path = join(programs, "containerd");
  await startProgram({ path, args: ["--config", settings], ready, clock: systemClock });
  run([join(programs, "ctr"), ...ctr, "images", "import", join(programs, "pause.tar")]);
}

async function startKubelet(options: InsideOptions, plane: ControlPlane): Promise<void> {
  const { folder, programs } = options;
  const settings = join(folder, "kubelet.json");
  await writeFile(settings, kubeletSettings(options));
  const args = [
    `--config=${settings}`,
    `--kubeconfig=${plane.kubeconfig}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${NODE_ADDRESS}`,
    `--root-dir=${join(folder, "kubelet")}`,
    `--cert-dir=${join(folder, "kubelet-certificates")}`,
  ];
  const ready = async (): Promise<boolean> => (await fetch("http://127.0.0.1:10248/healthz")).ok;
  await startProgram({ path: join(programs, "kubelet"), args, ready, clock: systemClock });
}

/** Whoever sees the file sees all of it. */
async function tell(folder: string, message: InsideReady): Promise<void> {
  const file = MEETING.ready(folder);
  await writeFile(`${file}.new`, JSON.stringify(message), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
