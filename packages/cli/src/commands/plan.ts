/** `kubewright plan`: which writes this version of the operator would make on the live cluster. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, switchFlag } from "../command/command-spec.ts";

/** The command. */
export const plan: CommandSpec = {
  name: "plan",
  aliases: ["diff"],
  summary: "show which writes the operator would make, and make none",
  description:
    "Compares what the controllers' children say with the live cluster, and shows what a start of this version would " +
    "create, change and delete. Changes nothing; ends with code 3 when there is something to write.",
  flags: [
    ...CLUSTER_FLAGS,
    {
      flags: "--steps",
      description:
        "run controllers that work step by step, too, every write as a dry run; what they do elsewhere is done",
    },
  ],
  examples: ["kubewright plan", "kubewright plan --context production -o json", "kubewright plan --steps"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { withCluster } = await import("../cluster/connect.ts");
    const { planProject } = await import("../plan/plan-project.ts");
    const { project } = await loadProject(context.folder);
    const plan = await withCluster(input, context, (cluster) =>
      planProject(project.operator.controllers, { cluster, context, steps: switchFlag(input, "steps") }),
    );
    for (const name of plan.unknown) {
      context.note(`the controller ${name} works step by step: plan --steps runs it with every write as a dry run`);
    }
    for (const line of plan.stopped) context.note(`could not go on without a write: ${line}`);
    const text = plan.writes.map(({ action, object, namespace, because, lines }) => {
      const place = namespace === undefined ? "" : ` in ${namespace}`;
      return [`${action.padEnd(7)} ${object}${place} (${because})`, ...lines].join("\n");
    });
    return {
      text: text.length === 0 ? "nothing would be written" : text.join("\n"),
      data: plan,
      differs: text.length > 0,
    };
  },
};
