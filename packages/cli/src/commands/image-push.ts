/** `kubewright image push`: builds the image and pushes it to its registry. */
import type { CommandSpec } from "../command/command-spec.ts";
import { IMAGE_FLAGS } from "./image-build.ts";

/** The command. */
export const imagePush: CommandSpec = {
  name: "image push",
  summary: "push the operator's image to its registry",
  description: "Builds the image and pushes what the registry lacks of it. Credentials come from docker's config.json.",
  flags: IMAGE_FLAGS,
  examples: ["kubewright image push --image registry.example.com/team/memcached-operator:v1.0.0"],
  async run(input, context) {
    const { prepareImage } = await import("../image/prepare-image.ts");
    const { pushPrepared } = await import("../image/push-prepared.ts");
    const prepared = await prepareImage(input, context);
    const sent = await pushPrepared(prepared, context);
    const { name, image } = prepared;
    const { digest } = image.root.descriptor;
    return {
      text: `pushed ${name}@${digest} (${sent} blobs sent)`,
      data: { image: name, digest, platforms: image.platforms, sent },
    };
  },
};
