/** `kubewright version`: the version of the command, of Node.js and of the Kubernetes API it knows. */
import { arch, platform } from "node:os";
import type { CommandSpec } from "../command/command-spec.ts";
import { VERSION } from "../version.ts";

/** The command. */
export const version: CommandSpec = {
  name: "version",
  summary: "print the version",
  description: "Prints the versions of Kubewright, of the Kubernetes API that it knows and of Node.js.",
  examples: ["kubewright version", "kubewright version -o json"],
  async run() {
    const data = {
      kubewright: VERSION,
      node: process.versions.node,
      kubernetes: "1.36",
      platform: `${platform()}/${arch()}`,
    };
    return {
      data,
      text: `kubewright ${data.kubewright} (Kubernetes API ${data.kubernetes}, Node.js ${data.node}, ${data.platform})`,
    };
  },
};
