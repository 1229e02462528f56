/** Names of images: where they are, in which repository, under which tag or digest. */
import { usageError } from "../command/command-error.ts";

/** A name, in parts. */
export interface ImageReference {
  /** "registry.example.com:5000"; "docker.io" when the name has none. */
  readonly registry: string;
  readonly repository: string;
  /** A tag, or "sha256:…". */
  readonly reference: string;
}

const NAME =
  /^(?:(?<registry>[^/]+[.:][^/]*|localhost(?::\d+)?)\/)?(?<repository>[a-z0-9][a-z0-9._/-]*?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** The parts of an image's name. */
export function parseImageReference(name: string): ImageReference {
  const { registry = "docker.io", repository, tag = "latest", digest } = NAME.exec(name)?.groups ?? {};
  if (repository === undefined || repository.split("/").some((part) => part === "" || /^\.+$/.test(part))) {
    throw usageError(`${JSON.stringify(name)} is no name of an image; write registry.example.com/team/name:tag`);
  }
  const isShort = registry === "docker.io" && !repository.includes("/");
  return { registry, repository: isShort ? `library/${repository}` : repository, reference: digest ?? tag };
}

/** The whole name, with everything that may be left out: how containerd and docker keep images. */
export function fullImageName({ registry, repository, reference }: ImageReference): string {
  return `${registry}/${repository}${reference.startsWith("sha256:") ? "@" : ":"}${reference}`;
}
