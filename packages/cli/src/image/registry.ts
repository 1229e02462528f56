/**
 * A client of OCI registries: what reading a base and pushing an image need. HTTPS, except for registries on this machine;
 * credentials come from docker's configuration and go to the registry and its token service only.
 */
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { type BlobSource, verified } from "./blob-source.ts";
import { findCredentials } from "./credentials.ts";
import type { ImageReference } from "./image-reference.ts";
import { type Blob, type Descriptor, digestOf, MEDIA_TYPES } from "./oci.ts";

const ACCEPT = [MEDIA_TYPES.index, MEDIA_TYPES.manifest, MEDIA_TYPES.dockerIndex, MEDIA_TYPES.dockerManifest].join(
  ", ",
);
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

/** A repository of a registry. */
export class Registry {
  readonly #image: ImageReference;
  readonly #context: CommandContext;
  readonly #base: string;
  #authorization: string | undefined;

  constructor(image: ImageReference, context: CommandContext) {
    this.#image = image;
    this.#context = context;
    const host = image.registry === "docker.io" ? "registry-1.docker.io" : image.registry;
    const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
    this.#base = `${isLocal ? "http" : "https"}://${host}/v2/${image.repository}`;
  }

  /** The image, for reading. */
  source(): BlobSource {
    const name = `${this.#image.registry}/${this.#image.repository}`;
    const get = async (kind: "manifests" | "blobs", reference: string): Promise<Response> =>
      this.#checked(await this.#send("GET", `${this.#base}/${kind}/${reference}`, { headers: { accept: ACCEPT } }));
    const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());
    return {
      name,
      root: async () => {
        const response = await get("manifests", this.#image.reference);
        const bytes = await bytesOf(response);
        if (bytes.length > MANIFEST_BYTES_MAX) throw new CommandError(`the manifest of ${name} is too large`);
        const mediaType = response.headers.get("content-type") ?? MEDIA_TYPES.manifest;
        const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length };
        if (this.#image.reference.startsWith("sha256:")) {
          verified(bytes, { ...descriptor, digest: this.#image.reference }, name);
        }
        return { descriptor, bytes };
      },
      manifest: async (descriptor) =>
        verified(await bytesOf(await get("manifests", descriptor.digest)), descriptor, name),
      blob: async (descriptor) => verified(await bytesOf(await get("blobs", descriptor.digest)), descriptor, name),
    };
  }

  /** Whether the repository has a blob. */
  async has({ digest }: Descriptor): Promise<boolean> {
    const response = await this.#send("HEAD", `${this.#base}/blobs/${digest}`);
    if (response.status === 404) return false;
    this.#checked(response);
    return true;
  }

  /** Stores a blob. */
  async putBlob({ descriptor, bytes }: Blob): Promise<void> {
    const opened = this.#checked(await this.#send("POST", `${this.#base}/blobs/uploads/`));
    const location = new URL(opened.headers.get("location") ?? "", `${this.#base}/`);
    if (location.origin !== new URL(this.#base).origin) {
      throw new CommandError(`${this.#image.registry} wants the upload at ${location.origin}, which is another server`);
    }
    location.searchParams.set("digest", descriptor.digest);
    const headers = { "content-type": "application/octet-stream" };
    this.#checked(await this.#send("PUT", location.href, { headers, body: bytes }));
  }

  /** Stores a manifest or an index under a tag or its digest. */
  async putManifest({ descriptor, bytes }: Blob, reference: string): Promise<void> {
    const headers = { "content-type": descriptor.mediaType };
    this.#checked(await this.#send("PUT", `${this.#base}/manifests/${reference}`, { headers, body: bytes }));
  }

  async #send(
    method: string,
    url: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: Uint8Array } = {},
  ): Promise<Response> {
    const attempt = (): Promise<Response> => {
      const authorization = this.#authorization === undefined ? {} : { authorization: this.#authorization };
      const init = { method, headers: { ...headers, ...authorization }, signal: this.#context.signal };
      return fetch(url, body === undefined ? init : { ...init, body: Buffer.from(body) });
    };
    const response = await this.#reached(attempt);
    if (response.status !== 401 || this.#authorization !== undefined) return response;
    this.#authorization = await this.#authorize(response.headers.get("www-authenticate") ?? "");
    return this.#authorization === undefined ? response : this.#reached(attempt);
  }

  async #reached(attempt: () => Promise<Response>): Promise<Response> {
    try {
      return await attempt();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(`the registry ${this.#image.registry} does not answer: ${cause}`, {
        remedy: "look at its name and whether it can be reached from here",
        cause: error,
      });
    }
  }

  /** What the challenge asks for: basic credentials, or a token of the service it names. */
  async #authorize(challenge: string): Promise<string | undefined> {
    const credentials = await findCredentials(this.#image.registry, this.#context);
    const basic = credentials === undefined ? undefined : `Basic ${credentials}`;
    if (!/^bearer /i.test(challenge)) return basic;
    const part = (name: string): string | undefined => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1];
    const realm = new URL(part("realm") ?? "invalid:");
    if (realm.protocol !== "https:" && realm.hostname !== "127.0.0.1" && realm.hostname !== "localhost")
      return undefined;
    realm.searchParams.set("service", part("service") ?? "");
    realm.searchParams.set("scope", `repository:${this.#image.repository}:pull,push`);
    const headers: Record<string, string> = basic === undefined ? {} : { authorization: basic };
    const response = await this.#reached(() => fetch(realm, { headers, signal: this.#context.signal }));
    if (!response.ok) return undefined;
    const answer = (await response.json()) as { readonly token?: string; readonly access_token?: string };
    const token = answer.token ?? answer.access_token;
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  #checked(response: Response): Response {
    if (response.ok) return response;
    const { registry, repository, reference } = this.#image;
    if (response.status === 401 || response.status === 403) {
      throw new CommandError(`the registry ${registry} refuses access to ${repository} (${response.status})`, {
        remedy: `log in: docker login ${registry} (credentials are read from docker's config.json)`,
      });
    }
    if (response.status === 404) {
      throw new CommandError(`the registry ${registry} has no ${repository}:${reference}`, {
        remedy: "look at the name and the tag",
      });
    }
    throw new CommandError(`the registry ${registry} answered ${response.status} ${response.statusText}`);
  }
}
