/** `kubewright image save`: the image as a tar archive, for `ctr images import` and `docker load`. */
import type { CommandSpec } from "../command/command-spec.ts";
import { IMAGE_FLAGS } from "./image-build.ts";

/** The command. */
export const imageSave: CommandSpec = {
  name: "image save",
  summary: "write the operator's image to a tar archive",
  description: "Builds the image and writes it to a tar archive, for `docker load` and `ctr images import`.",
  flags: [...IMAGE_FLAGS, { flags: "--file <path>", description: "where to write it", default: "dist/image.tar" }],
  examples: ["kubewright image save --platform linux/amd64 --file dist/image.tar && docker load -i dist/image.tar"],
  async run(input, context) {
    const { writeOutput } = await import("../output/write-output.ts");
    const { prepareImage } = await import("../image/prepare-image.ts");
    const { saveImage } = await import("../image/save-image.ts");
    const { name, image, base } = await prepareImage(input, context);
    const file = await writeOutput(input, context, await saveImage(image, base, name));
    const { digest } = image.root.descriptor;
    return { text: `wrote ${file}: ${name}@${digest}`, data: { image: name, digest, file } };
  },
};
