/** `kubewright dev`: the operator on an embedded cluster, and again after each change of the sources. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { usageError } from "../command/command-error.ts";
import { type CommandInput, type CommandSpec, countFlag, switchFlag, textFlag } from "../command/command-spec.ts";
import { NODES_MAX } from "./cluster-up.ts";

/** What CLUSTER_FLAGS are called, in code and on the command line. */
const KUBECONFIG_FLAGS = [
  ["kubeconfig", "--kubeconfig"],
  ["context", "--context"],
  ["allowExecCredentials", "--allow-exec-credentials"],
] as const;

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
    ...CLUSTER_FLAGS.map((flag) => ({ ...flag, description: `with --cluster: ${flag.description}` })),
  ],
  examples: ["kubewright dev", "kubewright dev --ephemeral", "kubewright dev --cluster --context staging"],
  async run(input, context) {
    const { loadConfig } = await import("../project/load-config.ts");
    const { runDev } = await import("../dev/run-dev.ts");
    refuseUnused(input);
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

/** A flag that is passed over in silence would leave the user with another cluster in mind. */
function refuseUnused(input: CommandInput): void {
  if (switchFlag(input, "cluster")) {
    const hasNodes = countFlag(input, "nodes", NODES_MAX) !== 1;
    const unused = switchFlag(input, "ephemeral") ? "--ephemeral" : hasNodes ? "--nodes" : undefined;
    if (unused === undefined) return;
    throw usageError(`${unused} is for the embedded cluster, which --cluster does not use`, "leave out one of them");
  }
  const unused = KUBECONFIG_FLAGS.find(([name]) => input.flags[name] !== undefined);
  if (unused === undefined) return;
  throw usageError(`${unused[1]} is for the cluster of a kubeconfig, while dev uses an embedded one`, "add --cluster");
}
