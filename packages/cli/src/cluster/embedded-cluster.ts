/** An embedded cluster in a folder: its data in SQLite, its keys and its kubeconfig beside it. Only one process runs it at a time. */
import { mkdir } from "node:fs/promises";
import { createStorage } from "@kubewright/apiserver";
import { openSqliteJournal } from "@kubewright/apiserver/sqlite";
import { type Cluster, createCluster } from "@kubewright/cluster";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { keptKeys } from "./cluster-keys.ts";
import { embeddedPaths, removeState, runningState, writeState } from "./embedded-state.ts";

/** How the cluster is. */
export interface EmbeddedOptions {
  /** Where its files are. */
  readonly folder: string;
  /** Whether its data is in memory only. */
  readonly ephemeral: boolean;
  readonly nodes: number;
  /** 0 for any free one. */
  readonly port: number;
}

/** A running embedded cluster. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly url: string;
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
}

/** Starts the cluster of a folder. */
export async function startEmbedded(options: EmbeddedOptions, context: CommandContext): Promise<EmbeddedCluster> {
  const { folder, ephemeral, nodes, port } = options;
  const running = await runningState(folder);
  if (running !== undefined) {
    throw new CommandError(`the cluster in ${folder} runs already (process ${running.pid}, ${running.url})`, {
      remedy: `use it: export KUBECONFIG=${embeddedPaths(folder).kubeconfig}, or end it: kubewright cluster down`,
    });
  }
  await mkdir(folder, { recursive: true });
  const { data, kubeconfig, keys } = embeddedPaths(folder);
  const kept = ephemeral
    ? {}
    : { ...(await keptKeys(keys, context)), storage: createStorage({ journal: openSqliteJournal(data) }) };
  const cluster = await createCluster({ clock: context.clock, nodes, ...kept });
  try {
    const listener = await listen(cluster, port);
    await context.files.write(kubeconfig, listener.kubeconfig ?? "", { mode: 0o600 });
    await writeState(folder, { pid: process.pid, url: listener.url, ephemeral }, context.files);
    const close = async (): Promise<void> => {
      await removeState(folder);
      await cluster.close();
    };
    return { cluster, url: listener.url, kubeconfig, [Symbol.asyncDispose]: close };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function listen(cluster: Cluster, port: number): ReturnType<Cluster["apiServer"]["listen"]> {
  try {
    return await cluster.apiServer.listen({ port });
  } catch (error) {
    throw new CommandError(`cannot listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`, {
      remedy: "choose another with --port, or leave it out",
    });
  }
}
