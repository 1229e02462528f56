/**
 * YAML in and out of the command line. Reading takes values as kubectl does, and refuses what is too large, aliases without end and keys that are there
 * twice; writing quotes what older readers would take for something other than text.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/core/meta";
import { type DocumentOptions, parseAllDocuments, type SchemaOptions, stringify } from "yaml";
import { CommandError } from "../command/command-error.ts";

const BYTES_MAX = 20 * 1024 * 1024;
const ALIASES_MAX = 100;

/** YAML 1.1 (`yes` is true, 0777 is octal), whose times and sexagesimals are text, and the octals of 1.2. */
const AS_KUBECTL_READS: DocumentOptions & SchemaOptions = {
  version: "1.1",
  customTags: (tags) => [
    ...tags.filter((tag) => typeof tag === "string" || (tag.format !== "TIME" && !tag.tag.endsWith(":timestamp"))),
    "intOct",
  ],
};

/** The objects in a text; `path` is for messages. */
export function parseObjects(path: string, text: string): JsonObject[] {
  const documents = toValue(path, () => parseAllDocuments(text, AS_KUBECTL_READS)) as ReturnType<
    typeof parseAllDocuments
  >;
  return [...documents].flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new CommandError(`${path} is no YAML: ${error.message}`);
    const object: unknown = toValue(path, () => document.toJS({ maxAliasCount: ALIASES_MAX }));
    if (object === null) return [];
    if (typeof object !== "object" || Array.isArray(object)) throw new CommandError(`${path} holds no object`);
    return [object as JsonObject];
  });
}

/** Too many aliases and too much nesting are thrown by the reader. */
function toValue(path: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The objects in a file. */
export async function readObjectFile(path: string): Promise<JsonObject[]> {
  const { size } = await stat(path);
  if (size > BYTES_MAX) throw new CommandError(`${path} has more than ${BYTES_MAX / 1024 / 1024} MiB`);
  return parseObjects(path, await readFile(path, "utf8"));
}

/** The names of the YAML files of a folder, sorted, without its kustomization; none when there is no such folder. */
export async function objectFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.ya?ml$/.test(name) && !/^kustomization\.ya?ml$/.test(name)).toSorted();
}

/** All objects in the YAML files of a folder; each says what it is. */
export async function readObjects(folder: string): Promise<JsonObject[]> {
  const paths = (await objectFilesIn(folder)).map((name) => join(folder, name));
  const objects = await Promise.all(
    paths.map(async (path) => {
      const found = await readObjectFile(path);
      for (const object of found) checkIdentity(path, object);
      return found;
    }),
  );
  return objects.flat();
}

function checkIdentity(path: string, object: JsonObject): void {
  for (const field of ["apiVersion", "kind"]) {
    if (typeof object[field] === "string" && object[field] !== "") continue;
    throw new CommandError(`${path} holds an object without ${field}`, {
      remedy: "every object has apiVersion, kind and metadata.name; correct the file, or remove it",
    });
  }
}

/** One object as YAML, the same for every reader. */
export function formatYaml(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}
