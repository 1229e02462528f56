/**
 * A real control plane, as envtest runs it: etcd and kube-apiserver on free loopback ports, in a temporary folder that
 * goes away with it. The programs come from tools/real-cluster in this repository, or from any folder that holds them.
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Random } from "@kubewright/core/ports";
import { formatKubeconfig } from "@kubewright/core/protocol";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { onFreePorts } from "./free-ports.ts";
import { type Program, startProgram } from "./program.ts";

/** Where the programs are, and what differs from envtest's settings. */
export interface ControlPlaneOptions {
  /** Folder with `etcd` and `kube-apiserver`. */
  readonly programs: string;
  /** Further flags for kube-apiserver. @default [] */
  readonly apiServerFlags?: readonly string[];
  /** Whether controllers will run too, so that pods get their service account. @default false */
  readonly withControllers?: boolean;
  /** @default the system's */
  readonly clock?: Clock;
  /** @default the system's */
  readonly random?: Random;
}

/** A running control plane. */
export interface ControlPlane {
  /** Where the API server listens: https://127.0.0.1:PORT. */
  readonly url: string;
  /** The API server's certificate authority, as PEM. */
  readonly certificateAuthority: string;
  /** A token of a member of system:masters. */
  readonly token: string;
  /** Path of a kubeconfig with that token. */
  readonly kubeconfig: string;
  /** Where etcd listens: http://127.0.0.1:PORT. */
  readonly etcdUrl: string;
  /** The temporary folder; gone after `stop`. */
  readonly folder: string;
  /** The processes, for measuring. */
  readonly processes: readonly Program[];
  /** Stops everything that was started and removes the folder. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts etcd and kube-apiserver and waits until requests are served. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const clock = options.clock ?? systemClock;
  const folder = await mkdtemp(join(tmpdir(), "kubewright-control-plane-"));
  const token = Buffer.from((options.random ?? systemRandom).bytes(24)).toString("base64url");
  const processes: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of processes.splice(0).reverse()) await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const etcdUrl = await startEtcd(options, folder, clock, processes);
    const port = await startApiServer(options, { folder, clock, processes, token, etcdUrl });
    const url = `https://127.0.0.1:${port}`;
    const certificateAuthority = await readFile(join(folder, "certificates", "apiserver.crt"), "utf8");
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, formatKubeconfig({ name: "real", server: url, certificateAuthority, token }), {
      mode: 0o600,
    });
    return {
      url,
      etcdUrl,
      certificateAuthority,
      token,
      kubeconfig,
      folder,
      processes,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startEtcd(options: ControlPlaneOptions, folder: string, clock: Clock, processes: Program[]): Promise<string> {
  return onFreePorts(2, async ([clientPort = 0, peerPort = 0]) => {
    const clientUrl = `http://127.0.0.1:${clientPort}`;
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    const args = [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${clientUrl}`,
      `--advertise-client-urls=${clientUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      "--unsafe-no-fsync",
    ];
    const ready = () => connects(clientPort);
    processes.push(await startProgram({ path: join(options.programs, "etcd"), args, ready, clock }));
    return clientUrl;
  });
}

interface ApiServerParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Program[];
  readonly token: string;
  readonly etcdUrl: string;
}

async function startApiServer(options: ControlPlaneOptions, parts: ApiServerParts): Promise<number> {
  const tokens = join(parts.folder, "tokens.csv");
  const signer = join(parts.folder, "service-accounts.pem");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(tokens, `${parts.token},admin,admin,system:masters\n`, { mode: 0o600 });
  await writeFile(signer, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const args = [
    `--etcd-servers=${parts.etcdUrl}`,
    `--cert-dir=${join(parts.folder, "certificates")}`,
    "--bind-address=127.0.0.1",
    `--token-auth-file=${tokens}`,
    `--service-account-key-file=${signer}`,
    `--service-account-signing-key-file=${signer}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    "--authorization-mode=RBAC",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--allow-privileged=true",
    ...(options.withControllers
      ? [`--client-ca-file=${await writeSigner(parts.folder, options)}`]
      : ["--disable-admission-plugins=ServiceAccount"]),
    ...(options.apiServerFlags ?? []),
  ];
  const path = join(options.programs, "kube-apiserver");
  return onFreePorts(1, async ([port = 0]) => {
    const ready = (): Promise<boolean> => answersOk(port, "/readyz", parts.token);
    const listening = [...args, `--secure-port=${port}`];
    parts.processes.push(await startProgram({ path, args: listening, ready, clock: parts.clock }));
    return port;
  });
}

/** The files of the authority by which kube-controller-manager signs certificates of clients. */
export function signerFiles(folder: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(folder, "signer.crt"), key: join(folder, "signer.key") };
}

async function writeSigner(folder: string, options: ControlPlaneOptions): Promise<string> {
  const { clock = systemClock, random = systemRandom } = options;
  const authority = createCertificateAuthority({ clock, random });
  const { certificate, key } = signerFiles(folder);
  await writeFile(certificate, authority.certificate);
  await writeFile(key, authority.key, { mode: 0o600 });
  return certificate;
}

/** Whether somebody listens at a port of the loopback. */
export function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (connected: boolean): void => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}

/** Whether `path` answers 200. The certificate is new and self-signed, so it cannot be verified yet. */
export function answersOk(port: number, path: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port, path, headers, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    sent.on("error", () => resolve(false)); // May come twice while a server starts.
    sent.end();
  });
}
