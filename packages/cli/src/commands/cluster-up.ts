/** `kubewright cluster up`: an embedded cluster that stays until it is ended, and keeps its data. */
import { resolve } from "node:path";
import { type CommandSpec, countFlag, type FlagSpec, switchFlag, textFlag } from "../command/command-spec.ts";

/** Says which embedded cluster. */
export const FOLDER_FLAG: FlagSpec = {
  flags: "--folder <folder>",
  description: "where its data and its kubeconfig are",
  default: ".kubewright",
};

/** How many simulated nodes a cluster may have. */
export const NODES_MAX = 1000;

/** The command. */
export const clusterUp: CommandSpec = {
  name: "cluster up",
  summary: "start an embedded cluster",
  description: "Starts an embedded cluster and stays until Ctrl-C or `kubewright cluster down`. Its data survives.",
  flags: [
    FOLDER_FLAG,
    { flags: "--ephemeral", description: "keep nothing when it ends" },
    { flags: "--nodes <count>", description: "simulated nodes", default: "1" },
    { flags: "--port <port>", description: "where it listens; 0 for any free port", default: "0" },
  ],
  examples: ["kubewright cluster up", "kubewright cluster up --ephemeral --nodes 3"],
  async run(input, context) {
    const { startEmbedded } = await import("../cluster/embedded-cluster.ts");
    const options = {
      folder: resolve(context.folder, textFlag(input, "folder") ?? ""),
      ephemeral: switchFlag(input, "ephemeral"),
      nodes: countFlag(input, "nodes", NODES_MAX),
      port: countFlag(input, "port", 65535),
    };
    await using embedded = await startEmbedded(options, context);
    const { url, kubeconfig } = embedded;
    if (context.format === "json") context.print(JSON.stringify({ url, kubeconfig }));
    else context.print(`the cluster is at ${url}; Ctrl-C ends it\nexport KUBECONFIG=${kubeconfig}`);
    await new Promise<void>((done) => {
      if (context.signal.aborted) done();
      context.signal.addEventListener("abort", () => done(), { once: true });
    });
    return {};
  },
};
