/** `kubewright undeploy`: removes what `deploy` installed. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const undeploy: CommandSpec = {
  name: "undeploy",
  summary: "remove the operator from a cluster",
  description: "Removes what deploy installed. Refuses while there are objects of its kinds, unless CRDs are kept.",
  flags: [
    ...CLUSTER_FLAGS,
    { flags: "--keep-crds", description: "leave the CRDs and their objects" },
    { flags: "--force", description: "delete the objects of its kinds, too" },
    { flags: "--timeout <duration>", description: "how long it may take", default: "3m" },
    DRY_RUN,
  ],
  examples: ["kubewright undeploy --keep-crds", "kubewright undeploy --force"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { undeployProject } = await import("../cluster/deploy-project.ts");
    const loaded = await loadProject(context.folder);
    return withCluster(input, context, ({ client }) =>
      undeployProject(loaded, {
        client,
        context,
        dryRun: switchFlag(input, "dryRun"),
        force: switchFlag(input, "force"),
        keepCrds: switchFlag(input, "keepCrds"),
        timeout: textFlag(input, "timeout") ?? "3m",
      }),
    );
  },
};
