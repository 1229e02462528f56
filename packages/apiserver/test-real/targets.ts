/**
 * What suites with real clients run against: an embedded server over TLS, and kube-apiserver, which proves that the
 * expectations are right. tools/test-real.ts sets the environment.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kubewright/node";
import { createApiServer } from "../src/server/server.ts";
import { type Command, commandOf } from "./command.ts";

/** A server with the clients of one case. */
export interface Target extends AsyncDisposable {
  /** kubectl, with further arguments for every run. */
  kubectl(...extra: readonly string[]): Command;
  /** helm, likewise. */
  helm(...extra: readonly string[]): Command;
  /** Path of the kubeconfig, for other clients. */
  readonly kubeconfig: string;
}

/** A kind of target. */
export interface TargetKind {
  readonly name: string;
  readonly isEmbedded: boolean;
  open(): Promise<Target>;
}

const programs = environment("KUBEWRIGHT_PROGRAMS");
const kubectl = join(programs, "kubectl");
const otherKubectl = process.env["KUBEWRIGHT_OTHER_KUBECTL"];

/** All targets; the machine's own kubectl, when it has one, shows that older clients work, too. */
export const targets: readonly TargetKind[] = [
  { name: "embedded", isEmbedded: true, open: () => openEmbedded(kubectl) },
  ...(otherKubectl === undefined
    ? []
    : [{ name: "embedded, with the machine's kubectl", isEmbedded: true, open: () => openEmbedded(otherKubectl) }]),
  { name: "kube-apiserver", isEmbedded: false, open: openReal },
];

async function openEmbedded(program: string): Promise<Target> {
  const folder = makeFolder();
  const server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, listener.kubeconfig ?? "");
  return target(program, { folder, kubeconfig, close: () => server.close() });
}

async function openReal(): Promise<Target> {
  const kubeconfig = environment("KUBEWRIGHT_REAL_KUBECONFIG");
  return target(kubectl, { folder: makeFolder(), kubeconfig, close: async () => {} });
}

interface TargetParts {
  /** The home of the clients: their caches must not outlive the server. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly close: () => Promise<void>;
}

function target(program: string, { folder, kubeconfig, close }: TargetParts): Target {
  const env = { HOME: folder, KUBECONFIG: kubeconfig, PATH: process.env["PATH"] ?? "" };
  return {
    kubectl: (...extra) => commandOf(program, env, extra),
    helm: (...extra) => commandOf(join(programs, "helm"), env, extra),
    kubeconfig,
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "kubewright-clients-"));
}

/** A variable that tools/test-real.ts sets. */
export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run this suite by npm run test:real`);
  return value;
}
