/**
 * What is known on disk about an embedded cluster: which process runs it and where it listens. Written by `cluster up`
 * and `dev` into the cluster's folder, beside its kubeconfig and its data.
 */
import { readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Files } from "@kubewright/core/ports";

/** The process that runs a cluster. */
export interface EmbeddedState {
  readonly pid: number;
  readonly url: string;
  /** Whether its data is gone when it ends. */
  readonly ephemeral: boolean;
}

/** The files in the folder of an embedded cluster. */
export function embeddedPaths(folder: string): {
  readonly state: string;
  readonly kubeconfig: string;
  readonly data: string;
  readonly keys: string;
} {
  return {
    state: join(folder, "cluster.json"),
    kubeconfig: join(folder, "kubeconfig"),
    data: join(folder, "cluster.sqlite"),
    keys: join(folder, "cluster-keys.json"),
  };
}

/** What the state says, when its process lives and listens: after a crash its number may be that of any other process. */
export async function runningState(folder: string): Promise<EmbeddedState | undefined> {
  const text = await readFile(embeddedPaths(folder).state, "utf8").catch(() => undefined);
  const state = text === undefined ? undefined : (JSON.parse(text) as EmbeddedState);
  return state !== undefined && isAlive(state.pid) && (await listens(state.url)) ? state : undefined;
}

/** Writes the state. */
export async function writeState(folder: string, state: EmbeddedState, files: Files): Promise<void> {
  await files.write(embeddedPaths(folder).state, `${JSON.stringify(state)}\n`);
}

/** Forgets the state, and the kubeconfig that leads nowhere now. */
export async function removeState(folder: string): Promise<void> {
  const { state, kubeconfig } = embeddedPaths(folder);
  await rm(state, { force: true });
  await rm(kubeconfig, { force: true });
}

/** Whether somebody listens at an address of this machine. */
function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Whether a process with this id lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
