/** `kubewright delete api`: takes back what `create api` made. */
import { type CommandSpec, DRY_RUN, switchFlag } from "../command/command-spec.ts";
import { API_FLAGS, apiInput } from "../scaffold/api-input.ts";

/** The command. */
export const deleteApi: CommandSpec = {
  name: "delete api",
  summary: "remove a kind and its controller from the project",
  description:
    "Removes what `create api` made, with the same flags. Files that were changed since are kept unless --force is given.",
  flags: [...API_FLAGS, { flags: "--force", description: "remove files that were changed, too" }, DRY_RUN],
  examples: ["kubewright delete api --group cache --version v1alpha1 --kind Memcached --dry-run"],
  async run(input, context) {
    const { loadConfig } = await import("../project/load-config.ts");
    const { planDeleteApi } = await import("../scaffold/plan-api.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const { names, parts } = apiInput(input, (await loadConfig(context.folder)).domain);
    const changes = await planDeleteApi(context.folder, { names, parts, force: switchFlag(input, "force") });
    return runScaffold(changes, { context, dryRun: switchFlag(input, "dryRun"), next: ["npx kubewright manifests"] });
  },
};
