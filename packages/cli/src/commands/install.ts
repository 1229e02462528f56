/** `kubewright install`: the project's CRDs in the cluster of the kubeconfig. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const install: CommandSpec = {
  name: "install",
  summary: "install the project's CRDs in a cluster",
  description:
    "Installs the project's CRDs and waits until they are served. Warns of changes that existing objects do not fit.",
  flags: [
    ...CLUSTER_FLAGS,
    { flags: "--timeout <duration>", description: "how long CRDs may take to be served", default: "1m" },
    DRY_RUN,
  ],
  examples: ["kubewright install", "kubewright install --context staging --dry-run"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { installProject } = await import("../cluster/install-project.ts");
    const { project } = await loadProject(context.folder);
    return withCluster(input, context, ({ client }) =>
      installProject(project, {
        client,
        context,
        dryRun: switchFlag(input, "dryRun"),
        timeout: textFlag(input, "timeout") ?? "1m",
      }),
    );
  },
};
