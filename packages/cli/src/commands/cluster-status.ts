/** `kubewright cluster status`: whether the embedded cluster of a folder runs, and where. */
import { resolve } from "node:path";
import { type CommandSpec, textFlag } from "../command/command-spec.ts";
import { FOLDER_FLAG } from "./cluster-up.ts";

/** The command. */
export const clusterStatus: CommandSpec = {
  name: "cluster status",
  summary: "tell whether the embedded cluster runs",
  description: "Tells whether an embedded cluster runs, and how to reach it; ends with code 0 in both cases.",
  flags: [FOLDER_FLAG],
  examples: ["kubewright cluster status", "kubewright cluster status -o json"],
  async run(input, context) {
    const { embeddedPaths, runningState } = await import("../cluster/embedded-state.ts");
    const folder = resolve(context.folder, textFlag(input, "folder") ?? "");
    const state = await runningState(folder);
    const { kubeconfig } = embeddedPaths(folder);
    if (state === undefined) return { text: `no cluster runs in ${folder}`, data: { running: false, folder } };
    return {
      text: `running at ${state.url} (process ${state.pid})\nexport KUBECONFIG=${kubeconfig}`,
      data: { running: true, folder, kubeconfig, ...state },
    };
  },
};
