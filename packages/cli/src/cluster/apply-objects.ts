/** Applies objects by server-side apply, one after the other, and tells what became of each in kubectl's words. */
import { deepEqual, type JsonObject, type KubernetesObject, parseApiVersion } from "@kubewright/core/meta";
import { type AnyDefinition, type Client, createDiscovery, type Discovery } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";

/** What became of one object. */
export interface AppliedObject {
  /** "deployment.apps/web" */
  readonly object: string;
  readonly namespace?: string;
  readonly result: "created" | "configured" | "unchanged";
}

/** How objects are applied. */
export interface ApplyOptions {
  readonly client: Client;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Told about each object. */
  readonly onApplied: (applied: AppliedObject) => void;
}

/** Applies all, in their order. */
export async function applyObjects(
  objects: readonly JsonObject[],
  options: ApplyOptions,
): Promise<readonly AppliedObject[]> {
  const discovery = createDiscovery(options.client);
  const applied: AppliedObject[] = [];
  const newNamespaces = new Set<string>();
  for (const object of objects) {
    const { definition, target } = await locate(object, discovery);
    const missing = options.dryRun && newNamespaces.has(target.namespace ?? "");
    const result = missing ? "created" : await applyOne(object, definition, options);
    if (definition.kind === "Namespace" && result === "created") newNamespaces.add(target.name);
    const one = { object: titleOf(definition, target.name), ...namespaceOf(target), result };
    options.onApplied(one);
    applied.push(one);
  }
  return applied;
}

async function applyOne(
  object: JsonObject,
  definition: AnyDefinition,
  { client, dryRun, signal }: ApplyOptions,
): Promise<AppliedObject["result"]> {
  const target = targetOf(object);
  const before = await client.find(definition, target, { signal });
  const input = object as JsonObject & { readonly metadata: { readonly name: string } };
  const after = await client.apply(definition, input, { force: true, dryRun, signal });
  if (before === undefined) return "created";
  return deepEqual(withoutBookkeeping(before), withoutBookkeeping(after)) ? "unchanged" : "configured";
}

/** What changes with every write, and does not count as a change. */
function withoutBookkeeping(object: KubernetesObject): JsonObject {
  const { resourceVersion: _, managedFields: __, generation: ___, ...metadata } = object.metadata ?? {};
  return { ...object, metadata } as unknown as JsonObject;
}

/** The definition and the name of an object; the cluster must know its kind. */
export async function locate(
  object: JsonObject,
  discovery: Discovery,
): Promise<{ readonly definition: AnyDefinition; readonly target: ObjectTarget }> {
  const { apiVersion = "", kind = "" } = object as KubernetesObject;
  const definition = await discovery.find({ ...parseApiVersion(apiVersion), kind });
  if (definition !== undefined) return { definition, target: targetOf(object) };
  throw new CommandError(`the cluster has no kind ${kind} in ${apiVersion}`, {
    remedy:
      "install what defines it first; kubewright install brings the kinds and versions that controllers in src/main.ts are for or own",
  });
}

/** Where an object is. */
export interface ObjectTarget {
  readonly name: string;
  readonly namespace?: string;
}

function targetOf(object: JsonObject): ObjectTarget {
  const { metadata, kind } = object as KubernetesObject;
  if (metadata?.name === undefined) throw new CommandError(`a ${kind ?? "object"} without metadata.name`);
  return { name: metadata.name, ...namespaceOf(metadata) };
}

function namespaceOf({ namespace }: { readonly namespace?: string | undefined }): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

/** "deployment.apps/web", as kubectl names objects. */
export function titleOf(definition: AnyDefinition, name: string): string {
  const suffix = definition.group === "" ? "" : `.${definition.group}`;
  return `${definition.singular}${suffix}/${name}`;
}
