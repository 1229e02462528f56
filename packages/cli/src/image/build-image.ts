/**
 * An image of an operator, made without a daemon: a base, and one layer with the operator in one file. One image for
 * each platform of the base that is asked for; the layer is the same for all, since it holds no machine code.
 */
import { CommandError } from "../command/command-error.ts";
import type { BlobSource } from "./blob-source.ts";
import type { OperatorBundle } from "./bundle-operator.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-flags.ts";
import {
  type Blob,
  type Descriptor,
  type ImageConfig,
  type ImageIndex,
  type ImageManifest,
  isIndexType,
  jsonBlob,
  layerOf,
  MEDIA_TYPES,
  type Platform,
} from "./oci.ts";
import { sbomOf } from "./sbom.ts";
import { createTar } from "./tar.ts";

/** What an image is made from. */
export interface ImageInput {
  readonly bundle: OperatorBundle;
  readonly name: string;
  readonly version: string;
  readonly base: BlobSource;
  /** "linux/amd64"; all that the base has when empty. */
  readonly platforms: readonly string[];
  /** Labels beside those that every image gets. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A finished image: everything that a registry needs of it, except what the base has. */
export interface BuiltImage {
  /** The index, or the manifest when there is one platform only. */
  readonly root: Blob;
  /** Manifests below the root. */
  readonly manifests: readonly Blob[];
  /** Configurations and the layer of the operator. */
  readonly blobs: readonly Blob[];
  /** Layers of the base, fetched when they are needed. */
  readonly baseLayers: readonly Descriptor[];
  readonly platforms: readonly string[];
}

/** No user of any base image. */
const USER = "65532:65532";
const ENTRYPOINT = ["node", ...NODE_FLAGS, "/app/main.js"];

/** Builds the image. */
export async function buildImage(input: ImageInput): Promise<BuiltImage> {
  const layer = layerOf(createTar(filesOf(input)));
  const bases = await baseManifests(input);
  const images = await Promise.all(bases.map((base) => imageOn(base, layer, input)));
  const [only] = images;
  if (only === undefined) throw new CommandError(`the base ${input.base.name} has no image`);
  const manifests = images.map(({ manifest }) => manifest);
  const root = images.length === 1 ? only.manifest : indexOf(images);
  return {
    root,
    manifests: images.length === 1 ? [] : manifests,
    blobs: [layer, ...images.map(({ config }) => config)],
    baseLayers: uniqueByDigest(images.flatMap(({ baseLayers }) => baseLayers)),
    platforms: images.map(({ platform }) => formatPlatform(platform)),
  };
}

function filesOf({ bundle, name, version }: ImageInput): Parameters<typeof createTar>[0] {
  return [
    { path: "app/", content: new Uint8Array() },
    { path: "app/main.js", content: bundle.code },
    { path: "app/package.json", content: Buffer.from(`${JSON.stringify({ name, version, type: "module" })}\n`) },
    { path: "app/sbom.cdx.json", content: Buffer.from(sbomOf({ name, version }, bundle.packages)) },
  ];
}

/** The manifests of the base for the platforms asked for. */
async function baseManifests({ base, platforms }: ImageInput): Promise<readonly ImageManifest[]> {
  const { descriptor, bytes } = await base.root();
  if (!isIndexType(descriptor.mediaType)) return [parse<ImageManifest>(bytes)];
  const { manifests } = parse<ImageIndex>(bytes);
  const runnable = manifests.filter(({ platform }) => platform !== undefined && platform.os === "linux");
  const chosen =
    platforms.length === 0
      ? runnable
      : platforms.map((wanted) => {
          const found = runnable.find(({ platform }) => platform !== undefined && formatPlatform(platform) === wanted);
          if (found !== undefined) return found;
          const known = runnable.map(({ platform }) => (platform === undefined ? "" : formatPlatform(platform)));
          throw new CommandError(`the base ${base.name} has no ${wanted}`, { remedy: `it has ${known.join(", ")}` });
        });
  return Promise.all(chosen.map(async (each) => parse<ImageManifest>(await base.manifest(each))));
}

interface PlatformImage {
  readonly platform: Platform;
  readonly config: Blob;
  readonly manifest: Blob;
  readonly baseLayers: readonly Descriptor[];
}

async function imageOn(
  base: ImageManifest,
  layer: Blob & { readonly diffId: string },
  input: ImageInput,
): Promise<PlatformImage> {
  const below = parse<ImageConfig>(await input.base.blob(base.config));
  const config = jsonBlob(configOn(below, layer.diffId, input), MEDIA_TYPES.config);
  const baseLayers = base.layers.map((each) => ({ ...each, mediaType: ociLayerType(each.mediaType) }));
  const manifest: ImageManifest = {
    schemaVersion: 2,
    mediaType: MEDIA_TYPES.manifest,
    config: config.descriptor,
    layers: [...baseLayers, layer.descriptor],
    annotations: labelsOf(input),
  };
  const { os, architecture, variant } = below;
  const platform = { os, architecture, ...(variant === undefined ? {} : { variant }) };
  return { platform, config, manifest: jsonBlob(manifest, MEDIA_TYPES.manifest), baseLayers };
}

function configOn(base: ImageConfig, diffId: string, input: ImageInput): ImageConfig {
  const { os, architecture, variant, config, rootfs, history = [] } = base;
  const env = (config?.Env ?? []).filter((each) => !Object.hasOwn(NODE_ENVIRONMENT, each.split("=", 1)[0] ?? ""));
  return {
    architecture,
    os,
    ...(variant === undefined ? {} : { variant }),
    config: {
      User: USER,
      Env: [...env, ...Object.entries(NODE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`)],
      Entrypoint: ENTRYPOINT,
      WorkingDir: "/app",
      Labels: { ...config?.Labels, ...labelsOf(input) },
    },
    rootfs: { type: "layers", diff_ids: [...rootfs.diff_ids, diffId] },
    history: [...history, { created_by: "kubewright image build" }],
  };
}

function labelsOf({ name, version, labels }: ImageInput): Readonly<Record<string, string>> {
  return { "org.opencontainers.image.title": name, "org.opencontainers.image.version": version, ...labels };
}

/** OCI manifests name layers in OCI's words; the bytes are the same as docker's. */
function ociLayerType(mediaType: string): string {
  return mediaType === "application/vnd.docker.image.rootfs.diff.tar.gzip" ? MEDIA_TYPES.layer : mediaType;
}

function indexOf(images: readonly PlatformImage[]): Blob {
  const manifests = images.map(({ manifest, platform }) => ({ ...manifest.descriptor, platform }));
  return jsonBlob({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests }, MEDIA_TYPES.index);
}

function uniqueByDigest(descriptors: readonly Descriptor[]): readonly Descriptor[] {
  return [...new Map(descriptors.map((each) => [each.digest, each])).values()];
}

function formatPlatform({ os, architecture, variant }: Platform): string {
  return [os, architecture, ...(variant === undefined ? [] : [variant])].join("/");
}

function parse<Document>(bytes: Uint8Array): Document {
  return JSON.parse(new TextDecoder().decode(bytes)) as Document;
}
