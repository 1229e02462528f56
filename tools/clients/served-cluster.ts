/** An embedded cluster that listens, for programs that know nothing but a kubeconfig. One for each test, gone with it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, createCluster } from "@kubewright/cluster";

const POLL_MS = 50;
/** Programs of other languages take long to start where many others run; nobody waits longer than they do. */
const PATIENCE_MS = 300_000;

/** A cluster for a foreign program. */
export interface ServedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly client: Cluster["client"];
  /** Path of a kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** A temporary folder, for the program's own files. */
  readonly folder: string;
}

/** Starts a cluster on a free loopback port. */
export async function startServedCluster(): Promise<ServedCluster> {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-clients-"));
  const cluster = await createCluster();
  const listener = await cluster.apiServer.listen();
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, listener.kubeconfig ?? "", { mode: 0o600 });
  return {
    cluster,
    client: cluster.client,
    kubeconfig,
    folder,
    async [Symbol.asyncDispose]() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks until there is an answer: what `look` finds, once it is neither undefined nor false. `tell` says more of a failure. */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | undefined | false>,
  tell: () => string = () => "",
): Promise<Found> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) {
      throw new Error(`after ${PATIENCE_MS / 1000} s it is still not so that ${what}\n${tell()}`);
    }
    await delay(POLL_MS);
  }
}
