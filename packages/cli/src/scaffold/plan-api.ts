/** What `create api` and `delete api` change: the kind's files, and its controller's entry in src/main.ts. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../command/command-error.ts";
import { type ApiNames, type ApiParts, apiFiles, controllerName } from "./api-files.ts";
import { addController, type ControllerEntry, removeController } from "./edit-main.ts";
import type { FileChange } from "./file-change.ts";

const MAIN = "src/main.ts";

/** The changes that add a kind. */
export async function planCreateApi(
  folder: string,
  { names, parts, force }: ApiOptions,
): Promise<readonly FileChange[]> {
  const created = apiFiles(names, parts);
  if (!parts.controller) return created;
  const before = await readMain(folder);
  const text = addController(before, entryOf(names));
  const [definition, controller] = created.map(({ path }) => existsSync(join(folder, path)));
  if (parts.resource && !force && definition === false && controller === true) throw hasController(names);
  return text === before ? created : [...created, { action: "update", path: MAIN, text }];
}

/** Which kind is added or taken back, and whether what its user wrote goes, too. */
export interface ApiOptions {
  readonly names: ApiNames;
  readonly parts: ApiParts;
  readonly force: boolean;
}

/** The changes that take a kind back. */
export async function planDeleteApi(
  folder: string,
  { names, parts, force }: ApiOptions,
): Promise<readonly FileChange[]> {
  const there: FileChange[] = [];
  const changed: string[] = [];
  for (const file of apiFiles(names, parts)) {
    const text = await readFile(join(folder, file.path), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    if (file.action === "create" && text !== file.text) changed.push(file.path);
    there.push({ action: "delete", path: file.path });
  }
  if (there.length === 0) throw noSuchApi(names);
  if (changed.length > 0 && !force) {
    throw new CommandError(`${changed.join(", ")} ${changed.length === 1 ? "was" : "were"} changed since created`, {
      remedy: "look at what would be lost, then repeat it with --force",
    });
  }
  if (!parts.controller) return there;
  const before = await readMain(folder);
  const text = removeController(before, entryOf(names));
  return text === before ? there : [...there, { action: "update", path: MAIN, text }];
}

/** Another version of a kind has no controller of its own; --force would replace the one there is. */
function hasController({ version, kind }: ApiNames): CommandError {
  return new CommandError(
    `the project has a controller of ${kind} already, in src/controllers/${kind.toLowerCase()}.ts`,
    {
      remedy: `add ${version} alone: --no-controller; its CRD has the versions that controllers are for or own`,
    },
  );
}

function noSuchApi({ group, domain, version, kind }: ApiNames): CommandError {
  return new CommandError(`the project has no ${kind} in ${group}.${domain}/${version}`, {
    remedy: "the kinds of the project are in src/api",
  });
}

function entryOf(names: ApiNames): ControllerEntry {
  return { name: controllerName(names), path: `./controllers/${names.kind.toLowerCase()}.ts` };
}

async function readMain(folder: string): Promise<string> {
  const text = await readFile(join(folder, MAIN), "utf8").catch(() => undefined);
  if (text !== undefined) return text;
  throw new CommandError(`${MAIN} is not there, so the controller cannot be added or removed`, {
    remedy: "make it anew as in a new project: export const operator = { controllers: [] };",
  });
}
