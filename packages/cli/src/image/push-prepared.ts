/** Pushes a prepared image under its name. */
import type { CommandContext } from "../command/command-context.ts";
import { parseImageReference } from "./image-reference.ts";
import type { PreparedImage } from "./prepare-image.ts";
import { pushImage } from "./push-image.ts";

/** Pushes; answers with how many blobs had to be sent. */
export function pushPrepared({ name, image, base }: PreparedImage, context: CommandContext): Promise<number> {
  context.note(`pushing ${name}`);
  return pushImage(image, { reference: parseImageReference(name), base }, context);
}
