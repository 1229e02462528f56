/**
 * The components of an OpenAPI document: the schemas of the kinds that one group and version serves, and all they point
 * to. Built-in ones come from `@kubewright/api/openapi`, those of CRDs from their structural schemas. Pure.
 */
import { componentNameOf, componentOf, PATCH_COMPONENT, referenceTo } from "@kubewright/api/openapi";
import type { GroupVersionKind, JsonObject } from "@kubewright/core/meta";
import type { ServedVersion } from "../discovery/served-groups.ts";
import type { ServedResource } from "../resource/resource.ts";
import { customSchema } from "./custom-schema.ts";

/** Schemas by name, sorted. */
export type Components = ReadonlyMap<string, JsonObject>;

const LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
const ALWAYS = [
  PATCH_COMPONENT,
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

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

/** The components of one version. */
export async function componentsOf({ resources }: ServedVersion): Promise<Components> {
  const own = new Map<string, JsonObject>();
  for (const resource of resources) await addOwn(resource, own);
  const pointedTo = [...own.values()].flatMap(referencesOf);
  const shared = reachable([...ALWAYS, LIST_META, ...pointedTo]);
  return new Map([...shared, ...own].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The kinds of a resource and of its subresources, marked as kinds, and its list. */
async function addOwn(resource: ServedResource, own: Map<string, JsonObject>): Promise<void> {
  const { definition, custom, subresources } = resource;
  const name = nameOfKind(resource, definition);
  if (name === undefined) return;
  const schema = custom ? customSchema((await resource.schema?.()) ?? {}) : (componentOf(name)?.schema ?? {});
  own.set(name, marked(schema, definition));
  const listName = nameOfList(resource);
  if (listName !== undefined && resource.verbs.includes("list")) own.set(listName, listSchema(resource, name));
  for (const { kind } of subresources) {
    const partName = kind === undefined ? undefined : componentNameOf(kind.group, kind.version, kind.kind);
    if (kind === undefined || partName === undefined || own.has(partName)) continue;
    own.set(partName, marked(componentOf(partName)?.schema ?? {}, kind));
  }
}

function marked(schema: JsonObject, { group, version, kind }: GroupVersionKind): JsonObject {
  return { ...schema, "x-kubernetes-group-version-kind": [{ group, kind, version }] };
}

function listSchema({ definition }: ServedResource, name: string): JsonObject {
  const { kind, listKind = `${kind}List` } = definition;
  const properties = {
    apiVersion: { type: "string" },
    items: { type: "array", items: referenceTo(name) },
    kind: { type: "string" },
    metadata: referenceTo(LIST_META),
  };
  return marked({ type: "object", required: ["items"], properties }, { ...definition, kind: listKind });
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
