/** `kubewright dev`: the operator on an embedded cluster, and again after each change of the sources. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, countFlag, switchFlag, textFlag } from "../command/command-spec.ts";
import { NODES_MAX } from "./cluster-up.ts";

/** The command. */
export const dev: CommandSpec = {
  name: "dev",
  summary: "run the operator on an embedded cluster, and again after each change",
  description:
    "Starts an embedded cluster (kept in .kubewright), installs the CRDs, applies config/samples and runs the operator. " +
    "When a source changes, CRDs are installed anew and the operator starts again; type errors are shown. " +
    "With -o json, what happens is told as an object a line, and the operator logs JSON on standard error.",
  flags: [
    { flags: "--cluster", description: "use the cluster of the kubeconfig instead of an embedded one" },
    { flags: "--ephemeral", description: "keep nothing of the embedded cluster when it ends" },
    { flags: "--no-samples", description: "do not apply config/samples" },
    { flags: "--nodes <count>", description: "simulated nodes of the embedded cluster", default: "1" },
    ...CLUSTER_FLAGS,
  ],
  examples: ["kubewright dev", "kubewright dev --ephemeral", "kubewright dev --cluster --context staging"],
  async run(input, context) {
    const { loadConfig } = await import("../project/load-config.ts");
    const { runDev } = await import("../dev/run-dev.ts");
    await loadConfig(context.folder);
    const embedded = !switchFlag(input, "cluster");
    if (!embedded) {
      const { expectCluster } = await import("../cluster/connect.ts");
      await expectCluster(input, context);
    }
    await runDev(
      {
        embedded,
        ephemeral: switchFlag(input, "ephemeral"),
        samples: switchFlag(input, "samples"),
        nodes: countFlag(input, "nodes", NODES_MAX),
        kubeconfig: textFlag(input, "kubeconfig"),
        kubeContext: textFlag(input, "context"),
        allowExecCredentials: switchFlag(input, "allowExecCredentials"),
      },
      context,
    );
    return {};
  },
};
