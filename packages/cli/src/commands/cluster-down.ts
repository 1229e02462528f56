/** `kubewright cluster down`: ends the embedded cluster of a folder; its data stays unless it is to be deleted. */
import { resolve } from "node:path";
import { type CommandSpec, switchFlag, textFlag } from "../command/command-spec.ts";
import { FOLDER_FLAG } from "./cluster-up.ts";

/** The command. */
export const clusterDown: CommandSpec = {
  name: "cluster down",
  summary: "end the embedded cluster",
  description:
    "Ends the embedded cluster of `cluster up` or `dev`, where one runs. Its data stays unless --delete is given.",
  flags: [FOLDER_FLAG, { flags: "--delete", description: "delete its data, too" }],
  examples: ["kubewright cluster down", "kubewright cluster down --delete"],
  async run(input, context) {
    const { stopEmbedded } = await import("../cluster/stop-embedded.ts");
    const folder = resolve(context.folder, textFlag(input, "folder") ?? "");
    const { stopped, deleted } = await stopEmbedded(folder, switchFlag(input, "delete"), context);
    const text = stopped ? "the cluster has ended" : "no cluster runs";
    return { text: deleted ? `${text}; its data is deleted` : text, data: { folder, stopped, deleted } };
  },
};
