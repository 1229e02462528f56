/** Modules for CRDs of others: finds the CRDs, makes the text of each module, and says which files change. */
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { moduleOfCrd } from "@kubewright/api/codegen";
import type { JsonObject } from "@kubewright/core/meta";
import type { Crd } from "@kubewright/core/schema";
import { withCluster } from "../cluster/connect.ts";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import type { CommandInput } from "../command/command-spec.ts";
import { parseObjects, readObjectFile } from "../project/yaml.ts";
import type { FileChange } from "../scaffold/file-change.ts";
import { fetchText } from "./fetch-text.ts";

/** What nobody would call a group: who writes it means a file. */
const FILE_NAME = /\.(?:ya?ml|json)$/;
const CRD_NAME = /^[a-z0-9][-a-z0-9]*(?:\.[a-z0-9][-a-z0-9]*)+$/;

/** The changes that bring the modules up to date. */
export async function planTypes(
  input: CommandInput,
  folder: string,
  context: CommandContext,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const source of input.args) {
    const crds = (await objectsOf(source, input, context)).filter(({ kind }) => kind === "CustomResourceDefinition");
    if (crds.length === 0) {
      throw new CommandError(`${source} holds no CustomResourceDefinition`, { remedy: "name a file with CRDs" });
    }
    for (const crd of crds) changes.push(...(await changeFor(crd, source, join(folder), context.folder)));
  }
  return changes;
}

async function changeFor(
  object: JsonObject,
  source: string,
  folder: string,
  root: string,
): Promise<readonly FileChange[]> {
  // What is no CRD after all is refused by moduleOfCrd.
  const crd = object as unknown as Crd;
  const text = moduleText(crd, source);
  const name = crd.metadata.name;
  if (!CRD_NAME.test(name)) throw new CommandError(`${source}: ${JSON.stringify(name)} is no name of a CRD`);
  const path = join(folder, `${name}.ts`);
  const before = await readFile(resolve(root, path), "utf8").catch(() => undefined);
  if (before === text) return [];
  return [{ action: before === undefined ? "create" : "update", path, text }];
}

function moduleText(crd: Crd, source: string): string {
  try {
    return moduleOfCrd(crd);
  } catch (error) {
    throw new CommandError(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function objectsOf(source: string, input: CommandInput, context: CommandContext): Promise<readonly JsonObject[]> {
  if (/^[a-z]+:\/\//.test(source)) return parseObjects(source, await fetchText(source, context.signal));
  const path = resolve(context.folder, source);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw new CommandError(`${source} is a folder`, { remedy: `name the files in it: ${join(source, "*.yaml")}` });
  }
  if (found !== undefined) return readObjectFile(path);
  if (!CRD_NAME.test(source) || FILE_NAME.test(source)) {
    throw new CommandError(`${source} is no file, and no name of a CRD`);
  }
  return withCluster(input, context, async ({ client, server }) => {
    const crd = await client.find(CustomResourceDefinition, source);
    if (crd !== undefined) return [crd as unknown as JsonObject];
    throw new CommandError(`${source} is no file, and the cluster at ${server} has no such CRD`, {
      remedy: "kubectl get crd shows those there are",
    });
  });
}
