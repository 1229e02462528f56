/** A project with a small base image beside it, for tests of images. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ImageConfig, jsonBlob, layerOf, MEDIA_TYPES } from "../src/image/oci.ts";
import { createTar } from "../src/image/tar.ts";
import { projectFolder, run } from "./command-line.ts";

const PLATFORMS = ["amd64", "arm64"];

/** A project, and a small base for two platforms as an OCI layout in its folder "base". */
export async function imageProject(): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const manifests = [];
  for (const architecture of PLATFORMS) {
    const layer = layerOf(createTar([{ path: "base", content: Buffer.from(architecture) }]));
    const config: ImageConfig = {
      architecture,
      os: "linux",
      config: { User: "root", Env: ["PATH=/bin", "NODE_ENV=x"] },
      rootfs: { type: "layers", diff_ids: [layer.diffId] },
    };
    const configBlob = jsonBlob(config, MEDIA_TYPES.config);
    const manifest = jsonBlob(
      { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config: configBlob.descriptor, layers: [layer.descriptor] },
      MEDIA_TYPES.manifest,
    );
    for (const { descriptor, bytes } of [layer, configBlob, manifest])
      await writeBlob(folder.path, descriptor.digest, bytes);
    manifests.push({ ...manifest.descriptor, platform: { os: "linux", architecture } });
  }
  await writeFile(join(folder.path, "base/index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  return folder;
}

/** Puts bytes under a digest into the base, fitting or not. */
export async function writeBlob(folder: string, digest: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(folder, "base/blobs/sha256"), { recursive: true });
  await writeFile(join(folder, "base/blobs/sha256", digest.slice(7)), bytes);
}
