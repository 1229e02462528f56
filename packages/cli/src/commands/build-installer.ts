/** `kubewright build-installer`: the whole installation in one file. */
import { usageError } from "../command/command-error.ts";
import { type CommandSpec, textFlag } from "../command/command-spec.ts";

/** The command. */
export const buildInstaller: CommandSpec = {
  name: "build-installer",
  summary: "write the whole installation to one file",
  description: "Writes CRDs, RBAC and the operator to one file, patched by config/patches, for `kubectl apply -f`.",
  flags: [
    { flags: "--image <image>", description: "the operator's image; the configuration's when left out" },
    { flags: "--file <path>", description: "where to write it", default: "dist/install.yaml" },
  ],
  examples: ["kubewright build-installer --image registry.example.com/team/memcached-operator:v1.0.0"],
  async run(input, context) {
    const { writeOutput } = await import("../output/write-output.ts");
    const { loadProject } = await import("../project/load-project.ts");
    const { imageProblem } = await import("../project/names.ts");
    const { installationObjects } = await import("../manifests/installation.ts");
    const { formatYaml } = await import("../project/yaml.ts");
    const { config, project } = await loadProject(context.folder);
    const image = textFlag(input, "image") ?? config.image;
    const problem = imageProblem(image);
    if (problem !== undefined) throw usageError(problem);
    const objects = await installationObjects({ ...config, image }, project);
    const file = await writeOutput(input, context, objects.map(formatYaml).join("---\n"));
    return {
      text: `wrote ${file}: ${objects.length} objects, image ${image}`,
      data: { file, image, objects: objects.length },
    };
  },
};
