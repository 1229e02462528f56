/**
 * Everything that an installation consists of, in the order it is applied: what `kubectl kustomize config/default` gives,
 * made without kubectl. The user's patches are those of config/patches; what they may say is a part of kustomize's.
 */
import { join, normalize } from "node:path";
import { schemaOf } from "@kubewright/api/schemas";
import { getKey, type Json, type JsonObject, type KubernetesObject, parseApiVersion } from "@kubewright/core/meta";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "@kubewright/core/patch";
import { parse } from "yaml";
import { CommandError } from "../command/command-error.ts";
import type { LoadedConfig } from "../project/load-config.ts";
import type { OperatorProject } from "../project/load-operator.ts";
import { readObjectFile } from "../project/yaml.ts";
import { manifestFolders } from "./manifest-tree.ts";

/** Kinds in the order that lets each find what it needs. */
const ORDER = ["Namespace", "CustomResourceDefinition", "ServiceAccount", "Role", "ClusterRole"];
const FILE = "config/patches/kustomization.yaml";
const KNOWN_KEYS = new Set(["apiVersion", "kind", "patches", "resources"]);

/** One entry of `patches`. */
interface PatchEntry {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: { readonly kind?: string; readonly name?: string; readonly namespace?: string };
}

/** The objects of an installation, patched, in order. */
export async function installationObjects(
  config: LoadedConfig,
  project: OperatorProject,
): Promise<readonly JsonObject[]> {
  const folders = manifestFolders(config, project).filter(({ installed }) => installed);
  const generated = folders.flatMap(({ objects }) => objects.map(([, object]) => object));
  const { resources, patches } = await readPatches(join(project.folder, "config/patches"));
  const patched = patches.reduce(applyPatch, [...generated, ...resources]);
  return patched.toSorted((left, right) => rank(left) - rank(right));
}

function rank(object: JsonObject): number {
  const index = ORDER.indexOf(String(object["kind"]));
  return index === -1 ? ORDER.length : index;
}

/** A patch with what it is applied to. */
interface Patch {
  readonly from: string;
  readonly patch: Json;
  readonly target: NonNullable<PatchEntry["target"]>;
}

async function readPatches(
  folder: string,
): Promise<{ readonly resources: readonly JsonObject[]; readonly patches: readonly Patch[] }> {
  const found = await readObjectFile(join(folder, "kustomization.yaml")).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const [kustomization = {}] = found;
  const unknown = Object.keys(kustomization).find((key) => !KNOWN_KEYS.has(key));
  if (unknown !== undefined) {
    throw new CommandError(`${FILE} has ${JSON.stringify(unknown)}, which only kustomize knows`, {
      remedy: "use patches and resources there, or: kubectl apply -k config/default",
    });
  }
  const files = (kustomization["resources"] ?? []) as readonly string[];
  const entries = (kustomization["patches"] ?? []) as readonly PatchEntry[];
  return {
    resources: (await Promise.all(files.map((file) => readObjectFile(below(folder, file))))).flat(),
    patches: (await Promise.all(entries.map((entry) => readPatch(folder, entry)))).flat(),
  };
}

/** kustomize, too, reads only what is below the kustomization. */
function below(folder: string, file: string): string {
  const plain = normalize(file);
  if (plain.startsWith("..") || plain.startsWith("/")) {
    throw new CommandError(`${FILE} names ${file}, which is not below config/patches`, {
      remedy: "move the file there",
    });
  }
  return join(folder, plain);
}

async function readPatch(folder: string, entry: PatchEntry): Promise<readonly Patch[]> {
  const from = entry.path ?? FILE;
  const parsed: readonly Json[] =
    entry.path === undefined
      ? [parse(entry.patch ?? "null", { maxAliasCount: 100 }) as Json]
      : await readPatchFile(below(folder, entry.path));
  return parsed.map((patch) => ({ from, patch, target: entry.target ?? targetOf(patch, from) }));
}

async function readPatchFile(path: string): Promise<readonly Json[]> {
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) throw new CommandError(`${FILE} names ${path}, which is not there`);
  const whole = parse(text, { maxAliasCount: 100, logLevel: "silent" }) as Json;
  return Array.isArray(whole) ? [whole] : readObjectFile(path);
}

function targetOf(patch: Json, from: string): NonNullable<PatchEntry["target"]> {
  const { kind, metadata } = (patch ?? {}) as KubernetesObject;
  if (kind !== undefined && metadata?.name !== undefined) return { kind, name: metadata.name };
  throw new CommandError(`the patch in ${from} does not say what it changes`, {
    remedy: "give it kind and metadata.name, or the entry a target",
  });
}

function applyPatch(objects: readonly JsonObject[], { from, patch, target }: Patch): JsonObject[] {
  const matches = (object: JsonObject): boolean => {
    const { kind, metadata } = object as KubernetesObject;
    return (
      (target.kind === undefined || target.kind === kind) &&
      (target.name === undefined || target.name === metadata?.name) &&
      (target.namespace === undefined || target.namespace === metadata?.namespace)
    );
  };
  if (!objects.some(matches)) {
    throw new CommandError(
      `the patch in ${from} changes nothing: there is no ${target.kind ?? "object"} ${target.name}`,
    );
  }
  return objects.flatMap((object) => (matches(object) ? patched(object, patch) : [object]));
}

function patched(object: JsonObject, patch: Json): JsonObject[] {
  if (Array.isArray(patch)) return [applyJsonPatch(object, patch) as JsonObject];
  if (getKey(patch as JsonObject, "$patch") === "delete") return [];
  const { apiVersion = "", kind = "" } = object as KubernetesObject;
  const { group, version } = parseApiVersion(apiVersion);
  const schema = schemaOf(group, version, kind);
  if (schema === undefined) return [applyMergePatch(object, patch) as JsonObject];
  return [applyStrategicMergePatch(object, patch, schema)];
}
