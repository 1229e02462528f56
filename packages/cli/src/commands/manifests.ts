/** `kubewright manifests`: CRDs, RBAC and the installation as a kustomize tree in config/, derived from the code. */
import { type CommandSpec, DRY_RUN, switchFlag } from "../command/command-spec.ts";

/** The command. */
export const manifests: CommandSpec = {
  name: "manifests",
  summary: "derive CRDs, RBAC and the installation from the code",
  description:
    "Writes config/ as a kustomize tree: CRDs, RBAC, the operator's Deployment and what surrounds it. Your own changes " +
    "live in config/patches, which is never rewritten.",
  flags: [
    { flags: "--check", description: "change nothing, and end with code 3 when config/ is not up to date" },
    DRY_RUN,
  ],
  examples: ["kubewright manifests", "kubewright manifests --check", "kubectl apply -k config/default"],
  async run(input, context) {
    const { loadProject } = await import("../project/load-project.ts");
    const { planManifests } = await import("../manifests/plan-manifests.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const { config, project } = await loadProject(context.folder);
    const changes = await planManifests(config, project);
    const check = switchFlag(input, "check");
    const dryRun = check || switchFlag(input, "dryRun");
    const result = await runScaffold(changes, { context, dryRun, force: true });
    if (changes.length === 0) return { ...result, text: "config/ is up to date" };
    return check ? { ...result, text: `${result.text}\nrun: kubewright manifests`, differs: true } : result;
  },
};
