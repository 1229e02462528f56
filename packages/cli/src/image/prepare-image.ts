/** From the flags of `image` commands to a built image: the project, its bundle and the base. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError, usageError } from "../command/command-error.ts";
import { type CommandInput, listFlag, textFlag } from "../command/command-spec.ts";
import { loadConfig } from "../project/load-config.ts";
import { imageProblem } from "../project/names.ts";
import { type BlobSource, layoutSource } from "./blob-source.ts";
import { type BuiltImage, buildImage } from "./build-image.ts";
import { bundleOperator } from "./bundle-operator.ts";
import { folderSource } from "./folder-source.ts";
import { parseImageReference } from "./image-reference.ts";
import { Registry } from "./registry.ts";

/** A built image with what pushing and saving it needs. */
export interface PreparedImage {
  readonly name: string;
  readonly image: BuiltImage;
  readonly base: BlobSource;
}

/** Builds the image that the flags ask for. */
export async function prepareImage(input: CommandInput, context: CommandContext): Promise<PreparedImage> {
  const config = await loadConfig(context.folder);
  const name = textFlag(input, "image") ?? config.image;
  const problem = imageProblem(name);
  if (problem !== undefined) throw usageError(problem);
  const platforms = (textFlag(input, "platform") ?? "").split(",").filter((each) => each !== "");
  const base = await baseSource(textFlag(input, "base") ?? "", platforms, context);
  const bundle = await bundleOperator(context.folder);
  const image = await buildImage({
    bundle,
    name: config.name,
    version: await versionOf(context.folder),
    base,
    platforms,
    labels: labelsOf(listFlag(input, "label")),
  });
  return { name, image, base };
}

/** A root file system, a folder with an OCI layout, or the name of an image in a registry. */
async function baseSource(base: string, platforms: readonly string[], context: CommandContext): Promise<BlobSource> {
  if (base.startsWith("folder:")) return folderSource(resolve(context.folder, base.slice(7)), platforms);
  const folder = resolve(context.folder, base.replace(/^oci:/, ""));
  if (base.startsWith("oci:") || existsSync(join(folder, "index.json"))) return layoutSource(folder);
  return new Registry(parseImageReference(base), context).source();
}

async function versionOf(folder: string): Promise<string> {
  const path = join(folder, "package.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) throw new CommandError(`${path} is not there`, { remedy: "go to the project's folder" });
  return String((JSON.parse(text) as { readonly version?: string }).version ?? "0.0.0");
}

function labelsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at < 1) throw usageError(`--label ${JSON.stringify(each)} must look like key=value`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}
