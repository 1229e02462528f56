/** `kubewright deploy`: the operator in the cluster of the kubeconfig. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { usageError } from "../command/command-error.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const deploy: CommandSpec = {
  name: "deploy",
  summary: "install the operator in a cluster",
  description: "Applies CRDs, RBAC and the operator, patched by config/patches, and waits until the operator is ready.",
  flags: [
    ...CLUSTER_FLAGS,
    { flags: "--image <image>", description: "the operator's image; the configuration's when left out" },
    { flags: "--no-wait", description: "do not wait until the operator is ready" },
    { flags: "--timeout <duration>", description: "how long it may take", default: "3m" },
    DRY_RUN,
  ],
  examples: [
    "kubewright deploy --image registry.example.com/team/memcached-operator:v1.0.0",
    "kubewright deploy --dry-run",
  ],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { imageProblem } = await import("../project/names.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { deployProject } = await import("../cluster/deploy-project.ts");
    const loaded = await loadProject(context.folder);
    const image = textFlag(input, "image") ?? loaded.config.image;
    const problem = imageProblem(image);
    if (problem !== undefined) throw usageError(problem);
    return withCluster(input, context, ({ client }) =>
      deployProject(loaded, {
        client,
        context,
        image,
        dryRun: switchFlag(input, "dryRun"),
        wait: switchFlag(input, "wait"),
        timeout: textFlag(input, "timeout") ?? "3m",
      }),
    );
  },
};
