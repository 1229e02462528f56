/** `kubewright uninstall`: removes the project's CRDs, and tells first which objects would go with them. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const uninstall: CommandSpec = {
  name: "uninstall",
  summary: "remove the project's CRDs from a cluster",
  description: "Removes the project's CRDs. Refuses while there are objects of them, which would be deleted, too.",
  flags: [
    ...CLUSTER_FLAGS,
    { flags: "--force", description: "delete the objects, too" },
    { flags: "--timeout <duration>", description: "how long objects may take to go away", default: "2m" },
    DRY_RUN,
  ],
  examples: ["kubewright uninstall", "kubewright uninstall --force --timeout 5m"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { uninstallProject } = await import("../cluster/install-project.ts");
    const { project } = await loadProject(context.folder);
    return withCluster(input, context, ({ client }) =>
      uninstallProject(project, {
        client,
        context,
        dryRun: switchFlag(input, "dryRun"),
        force: switchFlag(input, "force"),
        timeout: textFlag(input, "timeout") ?? "2m",
      }),
    );
  },
};
