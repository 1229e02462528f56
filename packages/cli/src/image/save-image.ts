/** An image in one tar archive, as an OCI layout: for `ctr images import`, `docker load`, `podman load` and `skopeo`. */

import type { BlobSource } from "./blob-source.ts";
import type { BuiltImage } from "./build-image.ts";
import { fullImageName, parseImageReference } from "./image-reference.ts";
import { type Blob, blobOf, type Descriptor, type ImageManifest, isIndexType } from "./oci.ts";
import { createTar, type TarEntry } from "./tar.ts";

/** All files of the image's OCI layout. */
export async function layoutFiles(image: BuiltImage, base: BlobSource, name: string): Promise<readonly TarEntry[]> {
  const fetched = await Promise.all(
    image.baseLayers.map(async (layer) => blobOf(await base.blob(layer), layer.mediaType)),
  );
  const blobs = [image.root, ...image.manifests, ...image.blobs, ...fetched];
  const reference = parseImageReference(name);
  const annotations = {
    // containerd imports it under this very name, and kubelet asks for whole names only.
    "io.containerd.image.name": fullImageName(reference),
    "org.opencontainers.image.ref.name": reference.reference,
  };
  const index = { schemaVersion: 2, manifests: [{ ...image.root.descriptor, annotations }] };
  return [
    { path: "oci-layout", content: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { path: "index.json", content: Buffer.from(JSON.stringify(index)) },
    ...(isIndexType(image.root.descriptor.mediaType) ? [] : [dockerManifest(image.root, name)]),
    ...[...new Map(blobs.map((blob) => [blob.descriptor.digest, blob])).values()].map(
      ({ descriptor, bytes }): TarEntry => ({ path: blobPath(descriptor), content: bytes }),
    ),
  ];
}

/** The image as a tar archive. */
export async function saveImage(image: BuiltImage, base: BlobSource, name: string): Promise<Uint8Array> {
  return createTar(await layoutFiles(image, base, name));
}

/** What older versions of `docker load` read in place of the index. */
function dockerManifest({ bytes }: Blob, name: string): TarEntry {
  const { config, layers } = JSON.parse(new TextDecoder().decode(bytes)) as ImageManifest;
  const entry = { Config: blobPath(config), RepoTags: [name], Layers: layers.map(blobPath) };
  return { path: "manifest.json", content: Buffer.from(JSON.stringify([entry])) };
}

function blobPath({ digest }: Descriptor): string {
  return `blobs/${digest.replace(":", "/")}`;
}
