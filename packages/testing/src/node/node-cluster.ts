/**
 * A real cluster with a real node: a control plane, controllers, containerd and kubelet on this machine, so that pods run. All
 * of it lives in network, mount and process namespaces of its own (node-inside.ts), of which this machine sees one port of its
 * loopback, a folder and a control group. Closing the namespaces ends everything in them, even after a crash.
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Clock } from "@kubewright/core/ports";
import { formatKubeconfig } from "@kubewright/core/protocol";
import { systemClock, systemProcess } from "@kubewright/node";
import { type ControlPlane, connects } from "../real/control-plane.ts";
import { onFreePorts } from "../real/free-ports.ts";
import { type Program, startProgram } from "../real/program.ts";
import { controlGroupProblem, createControlGroup } from "./control-groups.ts";
import { type InsideOptions, type InsideReady, MEETING, NAMESPACE_COMMANDS } from "./node-inside.ts";
import type { OutsideOptions } from "./node-outside.ts";
import { containerdSocket } from "./node-settings.ts";
import type { Relay } from "./relay.ts";

/** How a cluster with a real node is started. */
export interface NodeClusterOptions {
  /** Folder with the programs of all levels, and with pause.tar. */
  readonly programs: string;
  /** Further flags for kube-apiserver. @default [] */
  readonly apiServerFlags?: readonly string[];
  /** Ports of this machine's loopback that the node reaches at the same place, a registry's for example. @default [] */
  readonly loopbackPorts?: readonly number[];
  /** @default the system's */
  readonly clock?: Clock;
}

/** A running cluster with a real node; its etcd cannot be reached from outside. */
export interface NodeCluster extends Omit<ControlPlane, "etcdUrl"> {
  /** Gives the node the images of an archive: an OCI layout or what `docker save` writes. */
  importImages(archive: string): Promise<void>;
}

/** Starts the cluster; resolves when its node is ready. `program` is the file that runs the inside. */
export async function startNode(program: string, options: NodeClusterOptions): Promise<NodeCluster> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(`no real node can run here: ${problem}`);
  const folder = await mkdtemp(join(tmpdir(), "kubewright-node-"));
  const processes: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const each of processes.splice(0).reverse()) await each.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const parts = { ...options, program, folder };
    const port = await onFreePorts(1, async ([free = 0]) => {
      processes.push(await startOutside(parts, free));
      return free;
    });
    createControlGroup(basename(folder));
    processes.push(await startInside(parts));
    const access = await accessThrough(folder, port);
    const importImages = (archive: string): Promise<void> => importArchive(options.programs, folder, archive);
    return { ...access, folder, processes: [...processes], importImages, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** New namespaces; whatever runs in them ends with the first process. */
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Why no real node can run on this machine; undefined when one can. */
export function nodeProblem(): string | undefined {
  if (userInfo().uid !== 0) return "it needs root";
  const folders = (systemProcess.env["PATH"] ?? "").split(delimiter);
  const missing = ["unshare", "mount", "ip"].filter((name) => !folders.some((each) => existsSync(join(each, name))));
  if (missing.length > 0) return `it needs ${missing.join(", ")} (util-linux, mount, iproute2)`;
  return namespacesProblem() ?? controlGroupProblem();
}

/** Does in namespaces what a node will do there, and what containerd and the network's plugins will: all of it ends with them. */
function namespacesProblem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-probe-"));
  const commands = [
    ...NAMESPACE_COMMANDS,
    "ip link add probe type veth",
    `mkdir ${folder}/lower ${folder}/upper ${folder}/work ${folder}/root`,
    `mount -t overlay -o lowerdir=${folder}/lower,upperdir=${folder}/upper,workdir=${folder}/work overlay ${folder}/root`,
    `mount --bind /dev/null /proc/sys/kernel/panic`,
  ];
  const args = [...NAMESPACES, "sh", "-ec", commands.join("\n")];
  const { status, stderr } = spawnSync("unshare", args, { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? undefined : `namespaces for it are refused: ${stderr.trim()}`;
}

interface NodeParts extends NodeClusterOptions {
  readonly program: string;
  readonly folder: string;
}

function startOutside(parts: NodeParts, port: number): Promise<Program> {
  const { program, folder, loopbackPorts = [], clock = systemClock } = parts;
  const local = (each: number) => ({ host: "127.0.0.1", port: each });
  const relays: readonly Relay[] = [
    // The first, since it may find its port taken; the sockets would then be there already when it is started again.
    { from: local(port), to: { path: MEETING.apiServer(folder) } },
    ...loopbackPorts.map((each) => ({ from: { path: MEETING.loopback(folder, each) }, to: local(each) })),
  ];
  const outside: OutsideOptions = { folder, relays };
  const args = [program, "outside", JSON.stringify(outside)];
  return startProgram({ path: ownNode(), args, ready: () => connects(port), endsWithInput: true, clock });
}

function startInside(parts: NodeParts): Promise<Program> {
  const { program, folder, programs, apiServerFlags = [], loopbackPorts = [], clock = systemClock } = parts;
  const inside: InsideOptions = { folder, programs, controlGroup: basename(folder), apiServerFlags, loopbackPorts };
  return startProgram({
    path: "unshare",
    args: [...NAMESPACES, ownNode(), program, "inside", JSON.stringify(inside)],
    // containerd finds its shim in the PATH; temporary folders of what runs inside go away with this one.
    env: { ...systemProcess.env, PATH: `${programs}${delimiter}${systemProcess.env["PATH"] ?? ""}`, TMPDIR: folder },
    ready: async () => existsSync(MEETING.ready(folder)),
    endsWithInput: true,
    clock,
  });
}

/** The Node.js that runs this, wherever the PATH leads. */
function ownNode(): string {
  return readlinkSync("/proc/self/exe");
}

type Access = Pick<ControlPlane, "url" | "certificateAuthority" | "token" | "kubeconfig">;

async function accessThrough(folder: string, port: number): Promise<Access> {
  const { certificateAuthority, token }: InsideReady = JSON.parse(await readFile(MEETING.ready(folder), "utf8"));
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = join(folder, "kubeconfig");
  const text = formatKubeconfig({ name: "node", server: url, certificateAuthority, token });
  await writeFile(kubeconfig, text, { mode: 0o600 });
  return { url, certificateAuthority, token, kubeconfig };
}

async function importArchive(programs: string, folder: string, archive: string): Promise<void> {
  const args = ["--address", containerdSocket(folder), "--namespace", "k8s.io", "images", "import", archive];
  await promisify(execFile)(join(programs, "ctr"), args);
}
