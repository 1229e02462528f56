/** `kubewright image build`: an OCI image of the operator, without a daemon. */
import { resolve } from "node:path";
import { type CommandSpec, type FlagSpec, switchFlag, textFlag } from "../command/command-spec.ts";

/** Flags of the commands that make an image. */
export const IMAGE_FLAGS: readonly FlagSpec[] = [
  { flags: "--image <image>", description: "its name; the configuration's when left out" },
  {
    flags: "--base <image>",
    description: "an image in a registry, oci:<folder> with a layout, or folder:<root file system>",
    default: "node:24-slim",
  },
  { flags: "--platform <list>", description: "linux/amd64,linux/arm64; all that the base has when left out" },
  { flags: "--label <key=value>", description: "a label; may be repeated", repeats: true },
];

/** The command. */
export const imageBuild: CommandSpec = {
  name: "image build",
  summary: "build an image of the operator",
  description:
    "Bundles the operator to one file and puts it on a base image with Node.js, not as root. The same sources and the " +
    "same base give the same digest. Writes an OCI layout to dist/image; --push pushes it, too.",
  flags: [
    ...IMAGE_FLAGS,
    { flags: "--push", description: "push it to its registry" },
    { flags: "--folder <folder>", description: "where the OCI layout is written", default: "dist/image" },
  ],
  examples: [
    "kubewright image build --image registry.example.com/team/memcached-operator:v1.0.0 --push",
    "kubewright image build --base oci:base --platform linux/amd64,linux/arm64",
  ],
  async run(input, context) {
    const { prepareImage } = await import("../image/prepare-image.ts");
    const { layoutFiles } = await import("../image/save-image.ts");
    const prepared = await prepareImage(input, context);
    const { name, image, base } = prepared;
    const folder = textFlag(input, "folder") ?? "";
    for (const { path, content } of await layoutFiles(image, base, name)) {
      await context.files.write(resolve(context.folder, folder, path), content);
    }
    const push = switchFlag(input, "push");
    if (push) await (await import("../image/push-prepared.ts")).pushPrepared(prepared, context);
    const { digest } = image.root.descriptor;
    return {
      text: `${push ? "pushed" : "built"} ${name}@${digest} (${image.platforms.join(", ")}), layout in ${folder}`,
      data: { image: name, digest, platforms: image.platforms, folder, pushed: push },
    };
  },
};
