/**
 * A base image with Node.js, made of what is on this machine: the Node.js that runs this and the libraries it loads. For
 * machines that reach no registry; written as an OCI layout, which `image build --base oci:<folder>` takes.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { blobOf, digestOf, type ImageConfig, jsonBlob, MEDIA_TYPES } from "../src/image/oci.ts";
import { createTar, type TarEntry } from "../src/image/tar.ts";

/** Writes the layout to `folder`. */
export async function writeNodeBase(folder: string): Promise<void> {
  const node: TarEntry = { path: "usr/local/bin/node", content: await readFile(process.execPath), mode: 0o755 };
  const libraries = await Promise.all(
    librariesOf(process.execPath).map(
      async (path): Promise<TarEntry> => ({ path: path.slice(1), content: await readFile(path), mode: 0o755 }),
    ),
  );
  const tar = createTar([node, ...libraries]);
  // Packed fast: 120 MB would take longer than everything else, and nobody downloads this.
  const layer = blobOf(gzipSync(tar, { level: 1 }), MEDIA_TYPES.layer);
  const config: ImageConfig = {
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    config: { Env: ["PATH=/usr/local/bin"] },
    rootfs: { type: "layers", diff_ids: [digestOf(tar)] },
  };
  const configBlob = jsonBlob(config, MEDIA_TYPES.config);
  const manifest = jsonBlob(
    { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config: configBlob.descriptor, layers: [layer.descriptor] },
    MEDIA_TYPES.manifest,
  );
  await mkdir(join(folder, "blobs/sha256"), { recursive: true });
  for (const { descriptor, bytes } of [layer, configBlob, manifest]) {
    await writeFile(join(folder, "blobs/sha256", descriptor.digest.slice(7)), bytes);
  }
  await writeFile(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [manifest.descriptor] }));
}

/** The paths of the shared libraries and of the loader, as the loader says them. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync("ldd", [program], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => /(?:=> |^\s*)(\/\S+) \(0x/.exec(line)?.slice(1) ?? []);
}
