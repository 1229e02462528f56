/** OCI images as data: blobs by digest, manifests, configurations and indexes. Pure; the same input gives the same digests. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** The media types of the OCI image specification. */
export const MEDIA_TYPES = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  dockerIndex: "application/vnd.docker.distribution.manifest.list.v2+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
} as const;

/** Points to a blob. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What an image runs on. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
}

/** The manifest of one image. */
export interface ImageManifest {
  readonly schemaVersion: 2;
  readonly mediaType: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An image for each platform. */
export interface ImageIndex {
  readonly schemaVersion: 2;
  readonly mediaType: string;
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The configuration of an image: what of it this program reads and writes. */
export interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly variant?: string;
  readonly created?: string;
  readonly config?: {
    readonly User?: string;
    readonly Env?: readonly string[];
    readonly Entrypoint?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly WorkingDir?: string;
    readonly Labels?: Readonly<Record<string, string>>;
    readonly ExposedPorts?: Readonly<Record<string, object>>;
  };
  readonly rootfs: { readonly type: "layers"; readonly diff_ids: readonly string[] };
  readonly history?: readonly { readonly created_by?: string; readonly empty_layer?: boolean }[];
}

/** Bytes under their digest. */
export interface Blob {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** "sha256:…" of bytes. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Bytes as a blob. */
export function blobOf(bytes: Uint8Array, mediaType: string): Blob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}

/** A document as a blob. */
export function jsonBlob(value: object, mediaType: string): Blob {
  return blobOf(Buffer.from(JSON.stringify(value)), mediaType);
}

/** A layer of a tar archive; `diffId` is the digest of what is in it. */
export function layerOf(tar: Uint8Array): Blob & { readonly diffId: string } {
  const packed = gzipSync(tar, { level: 9 });
  packed[9] = 255; // The system it was packed on is nobody's business, and would change the digest.
  return { ...blobOf(packed, MEDIA_TYPES.layer), diffId: digestOf(tar) };
}

/** Whether a document of this type is an index. */
export function isIndexType(mediaType: string): boolean {
  return mediaType === MEDIA_TYPES.index || mediaType === MEDIA_TYPES.dockerIndex;
}
