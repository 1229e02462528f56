/** `kubewright image bundle`: the operator in one file, as images have it; for a Dockerfile of one's own. */
import type { CommandSpec } from "../command/command-spec.ts";

/** The command. */
export const imageBundle: CommandSpec = {
  name: "image bundle",
  summary: "bundle the operator to one file",
  description: "Bundles the operator to one file, as images have it, for a Dockerfile of your own.",
  flags: [{ flags: "--file <path>", description: "where to write it", default: "dist/main.js" }],
  examples: ["kubewright image bundle --file dist/main.js && node dist/main.js --help"],
  async run(input, context) {
    const { writeOutput } = await import("../output/write-output.ts");
    const { bundleOperator } = await import("../image/bundle-operator.ts");
    const { NODE_ENVIRONMENT, NODE_FLAGS } = await import("../image/node-flags.ts");
    const { loadConfig } = await import("../project/load-config.ts");
    await loadConfig(context.folder);
    const { code, packages } = await bundleOperator(context.folder);
    const file = await writeOutput(input, context, code);
    return {
      text: `wrote ${file}: ${Math.ceil(code.length / 1024)} KiB, ${packages.length} packages`,
      data: { file, bytes: code.length, packages, nodeFlags: NODE_FLAGS, environment: NODE_ENVIRONMENT },
    };
  },
};
