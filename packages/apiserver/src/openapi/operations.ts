/**
 * The paths of an OpenAPI document: what can be asked of each resource of a group and version. kubectl reads from them
 * which patches a kind takes and whether the server checks unknown fields; `kubectl explain` finds kinds by them. Pure.
 */
import { PATCH_COMPONENT, referenceTo } from "@kubewright/api/openapi";
import type { GroupVersionKind, JsonObject, MutableJsonObject } from "@kubewright/core/meta";
import type { ServedVersion } from "../discovery/served-groups.ts";
import type { ServedResource, ServedSubresource } from "../resource/resource.ts";
import { nameOfKind, nameOfList } from "./components.ts";

/** The paths of one version. */
export function pathsOf({ group, version, resources }: ServedVersion): JsonObject {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return Object.assign({}, ...resources.map((resource) => resourcePaths(root, resource)));
}

function resourcePaths(root: string, resource: ServedResource): JsonObject {
  const { plural, scope } = resource.definition;
  const isNamespaced = scope === "Namespaced";
  const collection = isNamespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const object = `${collection}/{name}`;
  const paths: MutableJsonObject = {};
  const add = (path: string, operations: JsonObject): void => {
    if (Object.keys(operations).length > 0) paths[path] = { ...operations, parameters: pathParameters(path) };
  };
  add(collection, collectionOperations(resource, ["list", "create", "deletecollection"]));
  if (isNamespaced) add(`${root}/${plural}`, collectionOperations(resource, ["list"], "ForAllNamespaces"));
  add(object, objectOperations(resource));
  for (const subresource of resource.subresources) {
    add(`${object}/${subresource.name}`, subresourceOperations(resource, subresource));
  }
  return paths;
}

/** What one operation does. */
interface OperationFacts {
  readonly resource: ServedResource;
  /** The kind of its bodies. */
  readonly kind: GroupVersionKind;
  /** The word for it in `x-kubernetes-action`. */
  readonly action: string;
  readonly method: string;
  /** Distinguishes operations of one kind. */
  readonly suffix: string;
  readonly answersList?: boolean;
}

const COLLECTION_METHODS: Readonly<Record<string, readonly [method: string, action: string]>> = {
  list: ["get", "list"],
  create: ["post", "post"],
  deletecollection: ["delete", "deletecollection"],
};

const OBJECT_METHODS: Readonly<Record<string, readonly [method: string, action: string]>> = {
  get: ["get", "get"],
  create: ["post", "post"],
  update: ["put", "put"],
  patch: ["patch", "patch"],
  delete: ["delete", "delete"],
};

function collectionOperations(resource: ServedResource, verbs: readonly string[], suffix = ""): JsonObject {
  const kind = resource.definition;
  return operations(
    verbs.filter((verb) => (resource.verbs as readonly string[]).includes(verb)),
    COLLECTION_METHODS,
    (verb) => ({ resource, kind, suffix: `Collection${suffix}`, answersList: verb === "list" }),
  );
}

function objectOperations(resource: ServedResource): JsonObject {
  const verbs = resource.verbs.filter((verb) => verb !== "create");
  return operations(verbs, OBJECT_METHODS, () => ({ resource, kind: resource.definition, suffix: "" }));
}

function subresourceOperations(resource: ServedResource, { name, kind, verbs }: ServedSubresource): JsonObject {
  const suffix = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return operations(verbs, OBJECT_METHODS, () => ({ resource, kind: kind ?? resource.definition, suffix }));
}

function operations(
  verbs: readonly string[],
  methods: Readonly<Record<string, readonly [method: string, action: string]>>,
  factsOf: (verb: string) => Omit<OperationFacts, "method" | "action">,
): JsonObject {
  const entries = verbs.flatMap((verb) => {
    const found = methods[verb];
    if (found === undefined) return [];
    const [method, action] = found;
    return [[method, operation({ ...factsOf(verb), method, action })] as const];
  });
  return Object.fromEntries(entries);
}

function operation(facts: OperationFacts): JsonObject {
  const { resource, kind, action, method, suffix } = facts;
  const name = nameOfKind(resource, kind);
  const { group, version } = resource.definition;
  const place = camel(`${group === "" ? "core" : group.replace(/\.k8s\.io$/, "")} ${version}`);
  const listName = facts.answersList === true ? nameOfList(resource) : undefined;
  const body = bodyOf(facts, name);
  return {
    tags: [`${group === "" ? "core" : group.replace(/\.k8s\.io$/, "")}_${version}`],
    operationId: `${action}${place}${resource.definition.kind}${suffix}`,
    parameters: QUERIES[action] ?? [],
    ...(body !== undefined && { requestBody: body }),
    responses: responses(method, listName ?? (method === "delete" ? STATUS : name)),
    "x-kubernetes-action": name === undefined ? "connect" : action,
    "x-kubernetes-group-version-kind": markOf(resource.custom ? resource.definition : kind),
  };
}

/** Operations of custom resources always name the resource's own kind, those on their scale, too. */
function markOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

const STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
const DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
const PATCHES = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];

function bodyOf({ resource, method }: OperationFacts, name: string | undefined): JsonObject | undefined {
  switch (method) {
    case "patch": {
      // Strategic merges are for built-in kinds alone: kubectl asks here before it sends one.
      const types = resource.custom ? PATCHES : [...PATCHES, "application/strategic-merge-patch+json"];
      const content = types.map((type) => [type, { schema: referenceTo(PATCH_COMPONENT) }]);
      return { content: Object.fromEntries(content), required: true };
    }
    case "post":
    case "put":
      return name === undefined ? undefined : { content: { "*/*": { schema: referenceTo(name) } }, required: true };
    case "delete":
      return { content: { "*/*": { schema: referenceTo(DELETE_OPTIONS) } } };
    default:
      return undefined;
  }
}

function responses(method: string, name: string | undefined): JsonObject {
  const schema = name === undefined ? { type: "string" } : referenceTo(name);
  const answer = (description: string): JsonObject => ({ description, content: { "application/json": { schema } } });
  return {
    200: answer("OK"),
    ...((method === "post" || method === "put" || method === "patch") && { 201: answer("Created") }),
    ...((method === "post" || method === "delete") && { 202: answer("Accepted") }),
    401: { description: "Unauthorized" },
  };
}

function query(name: string, type = "string"): JsonObject {
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

const WRITE_QUERIES = [query("dryRun"), query("fieldManager"), query("fieldValidation")];
const SELECT_QUERIES = [query("fieldSelector"), query("labelSelector"), query("limit", "integer"), query("continue")];
const VERSION_QUERIES = [query("resourceVersion"), query("resourceVersionMatch")];
const DELETE_QUERIES = [
  query("dryRun"),
  query("gracePeriodSeconds", "integer"),
  query("orphanDependents", "boolean"),
  query("propagationPolicy"),
];

/** The parameters of each action. */
const QUERIES: Readonly<Record<string, readonly JsonObject[]>> = {
  list: [
    ...SELECT_QUERIES,
    ...VERSION_QUERIES,
    query("watch", "boolean"),
    query("allowWatchBookmarks", "boolean"),
    query("sendInitialEvents", "boolean"),
    query("timeoutSeconds", "integer"),
  ],
  post: WRITE_QUERIES,
  put: WRITE_QUERIES,
  patch: [...WRITE_QUERIES, query("force", "boolean")],
  delete: DELETE_QUERIES,
  deletecollection: [...DELETE_QUERIES, ...SELECT_QUERIES, ...VERSION_QUERIES],
};

function pathParameters(path: string): readonly JsonObject[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return [...parameters, query("pretty")];
}

/** "apps v1" → "AppsV1". */
function camel(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
