/** Where blobs and manifests come from: a registry, or an OCI layout on disk. Whatever is read is checked by its digest. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../command/command-error.ts";
import { type Descriptor, digestOf, type ImageIndex } from "./oci.ts";

/** Reads an image, piece by piece. */
export interface BlobSource {
  /** Names it in messages. */
  readonly name: string;
  /** The manifest or index that the image's name leads to. */
  root(): Promise<{ readonly descriptor: Descriptor; readonly bytes: Uint8Array }>;
  /** The bytes of a manifest. */
  manifest(descriptor: Descriptor): Promise<Uint8Array>;
  /** The bytes of a blob. */
  blob(descriptor: Descriptor): Promise<Uint8Array>;
}

/** Refuses bytes that are not what their digest says. */
export function verified(bytes: Uint8Array, { digest }: Descriptor, name: string): Uint8Array {
  if (digestOf(bytes) === digest) return bytes;
  throw new CommandError(`${name}: ${digest} has other bytes than its digest says; it is damaged or was tampered with`);
}

/** An OCI layout in a folder. */
export function layoutSource(folder: string): BlobSource {
  const blob = async (descriptor: Descriptor): Promise<Uint8Array> => {
    const [algorithm = "", hash = ""] = descriptor.digest.split(":");
    if (algorithm !== "sha256" || !/^[0-9a-f]{64}$/.test(hash)) {
      throw new CommandError(`${folder}: ${JSON.stringify(descriptor.digest)} is no SHA-256 digest`);
    }
    return verified(await readFile(join(folder, "blobs", algorithm, hash)), descriptor, folder);
  };
  return {
    name: folder,
    async root() {
      const text = await readFile(join(folder, "index.json"), "utf8").catch(() => undefined);
      if (text === undefined) throw new CommandError(`${folder} is no OCI layout: it has no index.json`);
      const { manifests } = JSON.parse(text) as ImageIndex;
      const [first] = manifests;
      if (first === undefined) throw new CommandError(`${folder} has no image`);
      if (manifests.length === 1) return { descriptor: first, bytes: await blob(first) };
      const bytes = Buffer.from(text);
      const mediaType = "application/vnd.oci.image.index.v1+json";
      return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
    },
    manifest: blob,
    blob,
  };
}
