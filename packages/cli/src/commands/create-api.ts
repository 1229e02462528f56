/** `kubewright create api`: a kind with its controller, a test that passes and a sample. */
import { type CommandSpec, DRY_RUN, switchFlag } from "../command/command-spec.ts";
import { API_FLAGS, apiInput } from "../scaffold/api-input.ts";

/** The command. */
export const createApi: CommandSpec = {
  name: "create api",
  summary: "add a kind and its controller to the project",
  description: "Adds a kind to the project: its definition, a controller with a test that passes, and a sample.",
  flags: [...API_FLAGS, { flags: "--force", description: "replace files that are there already" }, DRY_RUN],
  examples: [
    "kubewright create api --group cache --version v1alpha1 --kind Memcached",
    "kubewright create api --group infra --version v1 --kind Region --no-namespaced --dry-run",
  ],
  async run(input, context) {
    const { loadConfig } = await import("../project/load-config.ts");
    const { planCreateApi } = await import("../scaffold/plan-api.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const { names, parts } = apiInput(input, (await loadConfig(context.folder)).domain);
    const force = switchFlag(input, "force");
    const changes = await planCreateApi(context.folder, { names, parts, force });
    if (!parts.controller) {
      context.note(
        `${names.kind} has no CRD until a controller in src/main.ts is for ${names.version} of it, or owns it`,
      );
    }
    return runScaffold(changes, {
      context,
      dryRun: switchFlag(input, "dryRun"),
      force,
      next: ["npm test", "npx kubewright dev", "npx kubewright manifests"],
    });
  },
};
