/** `kubewright edit`: changes what kubewright.config.ts says. */
import { usageError } from "../command/command-error.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const edit: CommandSpec = {
  name: "edit",
  summary: "change the project's configuration",
  description: "Changes kubewright.config.ts; everything else in the file stays as it is.",
  flags: [
    { flags: "--image <image>", description: "the operator's image, with its tag" },
    { flags: "--namespace <namespace>", description: "where the operator runs" },
    { flags: "--scope <scope>", description: "where the operator works", choices: ["cluster", "namespaced"] },
    { flags: "--replicas <count>", description: "replicas of the operator" },
    { flags: "--prometheus <on>", description: "install a ServiceMonitor", choices: ["true", "false"] },
    DRY_RUN,
  ],
  examples: [
    "kubewright edit --image registry.example.com/team/memcached-operator:v1.0.0",
    "kubewright edit --scope namespaced",
  ],
  async run(input, context) {
    const { planEdit } = await import("../scaffold/edit-config.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const values = ["image", "namespace", "scope", "replicas", "prometheus"].flatMap((key) => {
      const text = textFlag(input, key);
      return text === undefined ? [] : [{ key, text }];
    });
    if (values.length === 0) throw usageError("nothing to edit; say what to change", "kubewright edit --help");
    const changes = await planEdit(context.folder, values);
    return runScaffold(changes, { context, dryRun: switchFlag(input, "dryRun"), next: ["npx kubewright manifests"] });
  },
};
