/** Pushes an image: first what it consists of (only what the registry lacks), then the manifests, then the tag. */
import type { CommandContext } from "../command/command-context.ts";
import type { BlobSource } from "./blob-source.ts";
import type { BuiltImage } from "./build-image.ts";
import type { ImageReference } from "./image-reference.ts";
import { blobOf } from "./oci.ts";
import { Registry } from "./registry.ts";

/** Pushes; answers with how many blobs had to be sent. */
export async function pushImage(
  image: BuiltImage,
  to: { readonly reference: ImageReference; readonly base: BlobSource },
  context: CommandContext,
): Promise<number> {
  const registry = new Registry(to.reference, context);
  let sent = 0;
  for (const layer of image.baseLayers) {
    if (await registry.has(layer)) continue;
    await registry.putBlob(blobOf(await to.base.blob(layer), layer.mediaType));
    sent += 1;
  }
  for (const blob of image.blobs) {
    if (await registry.has(blob.descriptor)) continue;
    await registry.putBlob(blob);
    sent += 1;
  }
  for (const manifest of image.manifests) await registry.putManifest(manifest, manifest.descriptor.digest);
  await registry.putManifest(image.root, to.reference.reference);
  return sent;
}
