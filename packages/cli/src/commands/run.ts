/** `kubewright run`: the operator on this machine, against the cluster of the kubeconfig. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, switchFlag } from "../command/command-spec.ts";

/** The command. */
export const run: CommandSpec = {
  name: "run",
  summary: "run the operator here, against a cluster",
  description: "Runs the operator in this process until Ctrl-C. Arguments after -- are flags of the operator.",
  arguments: [{ name: "[args...]", description: "flags of the operator, after --" }],
  flags: [
    ...CLUSTER_FLAGS,
    { flags: "--install", description: "install the project's CRDs first" },
    { flags: "--samples", description: "apply config/samples first" },
  ],
  examples: ["kubewright run", "kubewright run --install -- --namespace shop --log-level debug"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { runProject } = await import("../dev/run-project.ts");
    const loaded = await loadProject(context.folder);
    await runProject(loaded, {
      input,
      context,
      install: switchFlag(input, "install"),
      samples: switchFlag(input, "samples"),
    });
    return {};
  },
};
