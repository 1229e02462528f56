/** `kubewright plan`: which writes this version of the operator would make on the live cluster. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import type { CommandSpec } from "../command/command-spec.ts";

/** The command. */
export const plan: CommandSpec = {
  name: "plan",
  aliases: ["diff"],
  summary: "show which writes the operator would make, and make none",
  description:
    "Compares what the controllers' children say with the live cluster, and shows what a start of this version would " +
    "create, change and delete. Changes nothing; ends with code 3 when there is something to write.",
  flags: CLUSTER_FLAGS,
  examples: ["kubewright plan", "kubewright plan --context production -o json"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { planWrites } = await import("../plan/plan-writes.ts");
    const { project } = await loadProject(context.folder);
    const { writes, unknown } = await withCluster(input, context, ({ client }) =>
      planWrites(project.operator.controllers, client, context),
    );
    for (const name of unknown) context.note(`the controller ${name} works step by step, so its writes are not known`);
    const text = writes.map(({ action, object, namespace, because, lines }) => {
      const place = namespace === undefined ? "" : ` in ${namespace}`;
      return [`${action.padEnd(7)} ${object}${place} (${because})`, ...lines].join("\n");
    });
    return {
      text: writes.length === 0 ? "nothing would be written" : text.join("\n"),
      data: { writes, unknown },
      differs: writes.length > 0,
    };
  },
};
