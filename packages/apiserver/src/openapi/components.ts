/**
 * The components of an OpenAPI document: the schemas of the kinds that one group and version serves, and all they point
 * to. Built-in ones come from `@kubewright/api/openapi`, those of CRDs from their structural schemas. Pure.
 */
import { componentNameOf, componentOf, referenceTo } from "@kubewright/api/openapi";
import type { GroupVersionKind, JsonObject } from "@kubewright/core/meta";
import type { ServedVersion } from "../discovery/served-groups.ts";
import type { ServedResource } from "../resource/resource.ts";
import { customSchema } from "./custom-schema.ts";

/** Schemas by name, sorted. */
export type Components = ReadonlyMap<string, JsonObject>;

const LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/** The name of the component of a kind that is served; undefined for kinds that have no schema, such as PodExecOptions. */
export function nameOfKind(
  { custom }: Pick<ServedResource, "custom">,
  { group, version, kind }: GroupVersionKind,
): string | undefined {
  const builtin = componentNameOf(group, version, kind);
  if (builtin !== undefined || !custom) return builtin;
  return `${group.split(".").toReversed().join(".")}.${version}.${kind}`;
}

/** The name of the component of the list of a resource. */
export function nameOfList(resource: ServedResource): string | undefined {
  const { kind, listKind = `${kind}List` } = resource.definition;
  const name = nameOfKind(resource, resource.definition);
  return name === undefined ? undefined : `${name.slice(0, -kind.length)}${listKind}`;
}

/** The components of one version whose paths are `paths`. */
export async function componentsOf({ resources }: ServedVersion, paths: JsonObject): Promise<Components> {
  const own = new Map<string, JsonObject>();
  for (const resource of resources) await addOwn(resource, own);
  const shared = reachable([paths, ...own.values()].flatMap(referencesOf));
  return new Map([...shared, ...own].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** What is not shared with other groups: the list of a resource, and the schema of a CRD. */
async function addOwn(resource: ServedResource, own: Map<string, JsonObject>): Promise<void> {
  const { definition, custom } = resource;
  const name = nameOfKind(resource, definition);
  if (name === undefined) return;
  if (custom) own.set(name, await ownSchema(resource));
  const listName = nameOfList(resource);
  if (listName !== undefined && resource.verbs.includes("list")) own.set(listName, listSchema(resource, name));
}

async function ownSchema(resource: ServedResource): Promise<JsonObject> {
  const schema = (await resource.schema?.()) ?? {};
  return { ...marked(customSchema(schema), resource.definition), ...selectable(resource) };
}

/** Which fields selectors may name. */
function selectable({ custom, strategy }: ServedResource): JsonObject {
  const fields = Object.keys(strategy.selectableFields ?? {}).map((fieldPath) => ({ fieldPath }));
  return custom && fields.length > 0 ? { "x-kubernetes-selectable-fields": fields } : {};
}

function marked(schema: JsonObject, { group, version, kind }: GroupVersionKind): JsonObject {
  return { ...schema, "x-kubernetes-group-version-kind": [{ group, kind, version }] };
}

function listSchema(resource: ServedResource, name: string): JsonObject {
  const { definition } = resource;
  const { kind, listKind = `${kind}List` } = definition;
  const properties = {
    apiVersion: { type: "string" },
    items: { type: "array", items: referenceTo(name) },
    kind: { type: "string" },
    metadata: referenceTo(LIST_META),
  };
  const list = { type: "object", required: ["items"], properties, ...selectable(resource) };
  return marked(list, { ...definition, kind: listKind });
}

/** All shared components that can be reached from some names. */
function reachable(names: readonly string[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const component = found.has(name) ? undefined : componentOf(name);
    if (component === undefined) continue;
    found.set(name, component.schema);
    waiting.push(...component.references);
  }
  return found;
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

function referencesOf(schema: JsonObject): readonly string[] {
  return [...JSON.stringify(schema, bigintAsText).matchAll(REFERENCE)].map(([, name = ""]) => name);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
