/** `kubewright generate types`: TypeScript for kinds that others define, from their CRDs. */
import { CLUSTER_FLAGS } from "../cluster/cluster-flags.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const generateTypes: CommandSpec = {
  name: "generate types",
  summary: "write TypeScript for kinds that others define",
  description:
    "Writes a module with types and a resource definition for each CRD: from a YAML file, an https:// address, or, by " +
    "the CRD's name, from the cluster of the kubeconfig.",
  arguments: [{ name: "<crds...>", description: "files, addresses or names of CRDs" }],
  flags: [
    { flags: "--folder <folder>", description: "where modules are written", default: "src/api/generated" },
    ...CLUSTER_FLAGS,
    DRY_RUN,
  ],
  examples: [
    "kubewright generate types crds/certificates.yaml",
    "kubewright generate types certificates.cert-manager.io --context staging",
  ],
  async run(input, context) {
    const { planTypes } = await import("../generate/plan-types.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const changes = await planTypes(input, textFlag(input, "folder") ?? "", context);
    return runScaffold(changes, { context, dryRun: switchFlag(input, "dryRun"), force: true });
  },
};
