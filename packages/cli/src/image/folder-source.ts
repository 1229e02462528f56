/** A base image made of a folder: a root file system with Node.js in it, as one layer for one platform. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, usageError } from "../command/command-error.ts";
import type { BlobSource } from "./blob-source.ts";
import { type Blob, type Descriptor, type ImageConfig, jsonBlob, layerOf, MEDIA_TYPES } from "./oci.ts";
import { createTar, type TarEntry } from "./tar.ts";

/** The folder as an image. What is in it is for one platform, which must be named. */
export async function folderSource(folder: string, platforms: readonly string[]): Promise<BlobSource> {
  const [os = "", architecture] = platforms[0]?.split("/") ?? [];
  if (platforms.length !== 1 || architecture === undefined) {
    throw usageError("a base from a folder is for one platform; name it: --platform linux/amd64");
  }
  const layer = layerOf(createTar(await entriesBelow(folder, "")));
  const config: ImageConfig = {
    architecture,
    os,
    config: { Env: ["PATH=/usr/local/bin:/usr/bin:/bin"] },
    rootfs: { type: "layers", diff_ids: [layer.diffId] },
  };
  const configBlob = jsonBlob(config, MEDIA_TYPES.config);
  const manifest = jsonBlob(
    { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config: configBlob.descriptor, layers: [layer.descriptor] },
    MEDIA_TYPES.manifest,
  );
  const blobs = new Map<string, Blob>([layer, configBlob, manifest].map((each) => [each.descriptor.digest, each]));
  const blob = async ({ digest }: Descriptor): Promise<Uint8Array> => {
    const found = blobs.get(digest);
    if (found === undefined) throw new CommandError(`${folder} has no ${digest}`);
    return found.bytes;
  };
  return { name: folder, root: async () => manifest, manifest: blob, blob };
}

async function entriesBelow(folder: string, prefix: string): Promise<readonly TarEntry[]> {
  const found = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => {
    throw new CommandError(`${folder} is no folder that can be read`);
  });
  const entries = await Promise.all(
    found.map(async (entry): Promise<readonly TarEntry[]> => {
      const path = `${prefix}${entry.name}`;
      if (entry.isDirectory()) {
        return [{ path: `${path}/`, content: new Uint8Array() }, ...(await entriesBelow(folder, `${path}/`))];
      }
      if (!entry.isFile()) {
        const kind = entry.isSymbolicLink() ? "a link" : "no plain file";
        throw new CommandError(`${join(folder, path)} is ${kind}; a base from a folder has plain files only`);
      }
      // Who may run it is kept; set-user-id bits are not.
      const executable = ((await stat(join(folder, path))).mode & 0o111) !== 0;
      return [{ path, content: await readFile(join(folder, path)), mode: executable ? 0o755 : 0o644 }];
    }),
  );
  return entries.flat();
}
