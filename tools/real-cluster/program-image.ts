/**
 * An image that holds one static program, as an archive that `ctr images import` reads: for pods on a machine that reaches
 * no registry. Made by build.ts from programs of modules/images.
 */
import { readFileSync } from "node:fs";
import { arch } from "node:process";
import { type ImageConfig, jsonBlob, layerOf, MEDIA_TYPES } from "../../packages/cli/src/image/oci.ts";
import { saveImage } from "../../packages/cli/src/image/save-image.ts";
import { createTar } from "../../packages/cli/src/image/tar.ts";

const USER = "65532:65532";

/** The archive of an image `name` that runs the program at `path`, without any privilege. */
export function programImage(path: string, name: string): Promise<Uint8Array> {
  const layer = layerOf(createTar([{ path: "program", content: readFileSync(path), mode: 0o755 }]));
  const config: ImageConfig = {
    architecture: arch === "x64" ? "amd64" : arch,
    os: "linux",
    config: { User: USER, Entrypoint: ["/program"] },
    rootfs: { type: "layers", diff_ids: [layer.diffId] },
  };
  const configBlob = jsonBlob(config, MEDIA_TYPES.config);
  const root = jsonBlob(
    { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config: configBlob.descriptor, layers: [layer.descriptor] },
    MEDIA_TYPES.manifest,
  );
  const image = { root, manifests: [], blobs: [layer, configBlob], baseLayers: [], platforms: [] };
  return saveImage(image, NO_BASE, name);
}

const nothing = (): never => {
  throw new Error("an image of one program has no base");
};
const NO_BASE = { name: "nothing", root: nothing, manifest: nothing, blob: nothing };
