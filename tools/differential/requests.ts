/**
 * Random requests about the objects of one namespace, drawn from a seeded source: the same seed gives the same requests. What they
 * take from the server's answers (the version of an object) is a placeholder, which compare.ts fills in for each server.
 */
import { getKey, type Json, type JsonObject, type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { Random } from "@kubewright/core/ports";
import { below, chance, pick } from "../../packages/apiserver/src/server/testdata/random-choices.ts";
import { KINDS, type TestedKind } from "./kinds.ts";

/** Stands for the version of the object that the server has at the request's path. */
export const CURRENT_VERSION = "<current version>";

/** One request. */
export interface PlannedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Where the object of `CURRENT_VERSION` is. */
  readonly versionOf?: string;
}

const NAMES = ["a", "b"];
const MANAGERS = ["one", "two", "three"];
const LABEL_SELECTORS = [
  "app=a",
  "app!=a",
  "app in (a,b)",
  "!app",
  "app notin (a)",
  "tier",
  "app=a,tier=web",
  "a b",
  "app>1",
  "=x",
  "app in (",
];
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** The requests of one run about the objects of a few kinds. */
export function* planRequests(random: Random, namespace: string, count: number): Generator<PlannedRequest> {
  const kinds = [pick(random, KINDS), pick(random, KINDS)];
  for (let index = 0; index < count; index += 1) yield nextRequest(random, pick(random, kinds), namespace);
}

function nextRequest(random: Random, kind: TestedKind, namespace: string): PlannedRequest {
  const collection = `${kind.prefix}${kind.isNamespaced ? `namespaces/${namespace}/` : ""}${kind.plural}`;
  const name = kind.isNamespaced ? pick(random, NAMES) : `${namespace}-${pick(random, NAMES)}`;
  const at: Place = { random, kind, collection, name, path: `${collection}/${name}` };
  const make = pick(random, WAYS);
  return make(at);
}

interface Place {
  readonly random: Random;
  readonly kind: TestedKind;
  readonly collection: string;
  readonly name: string;
  /** Of the object. */
  readonly path: string;
}

function create(at: Place): PlannedRequest {
  return json("POST", at.collection + writeQuery(at), changedObject(at));
}

function get({ random, path, kind, collection }: Place): PlannedRequest {
  const isOne = random.next() < 0.4 || !kind.isNamespaced;
  const table = isOne ? [TABLE, PARTIAL] : [TABLE, PARTIAL_LIST];
  const accept = random.next() < 0.5 ? "application/json" : pick(random, table);
  const query = isOne ? "" : listQuery(random, kind);
  return { method: "GET", path: (isOne ? path : collection) + query, headers: { accept } };
}

function listQuery(random: Random, kind: TestedKind): string {
  const fields = ["metadata.name", "metadata.namespace", "spec.nothing", ...kind.fields, ...kind.fields];
  const values = ["a", "b", "", "Small", "Pending", "ClusterIP", "0"];
  const parts = [
    ...(chance(random, 0.4) ? [`labelSelector=${encodeURIComponent(pick(random, LABEL_SELECTORS))}`] : []),
    ...(chance(random, 0.4)
      ? [
          `fieldSelector=${encodeURIComponent(`${pick(random, fields)}${pick(random, ["=", "!=", "=="])}${pick(random, values)}`)}`,
        ]
      : []),
    ...(chance(random, 0.2) ? [`limit=${pick(random, ["1", "2", "0", "-1", "x"])}`] : []),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function replace(at: Place): PlannedRequest {
  const body = changedObject(at);
  const version = pick(at.random, [CURRENT_VERSION, CURRENT_VERSION, undefined, "1"]);
  const sub = subresource(at, 0.2);
  return withVersion(at, json("PUT", at.path + sub + writeQuery(at), body), version);
}

/** Puts a version into the metadata of a body. */
function withVersion({ path }: Place, request: PlannedRequest, version: string | undefined): PlannedRequest {
  const { body } = request;
  if (version === undefined || !isObject(body) || !isObject(getKey(body, "metadata") as Json)) return request;
  const metadata = { ...(getKey(body, "metadata") as JsonObject), resourceVersion: version };
  return { ...request, body: { ...body, metadata }, versionOf: path };
}

function mergePatch(at: Place): PlannedRequest {
  return patch(at, "application/merge-patch+json", partOf(at));
}

function strategicPatch(at: Place): PlannedRequest {
  return patch(at, "application/strategic-merge-patch+json", partOf(at));
}

function apply(at: Place): PlannedRequest {
  const { random } = at;
  const body = chance(random, 0.5) ? changedObject(at) : withIdentity(at, partOf(at));
  const query = `?fieldManager=${pick(random, MANAGERS)}${chance(random, 0.4) ? "&force=true" : ""}`;
  return { ...patch(at, "application/apply-patch+yaml", body), path: at.path + subresource(at, 0.1) + query };
}

function jsonPatch(at: Place): PlannedRequest {
  const { random, kind } = at;
  const operations = Array.from({ length: 1 + below(random, 2) }, () => {
    const [path, values] = pick(random, Object.entries(kind.changes));
    const value = pick(random, values) ?? null;
    const op = pick(random, ["add", "add", "replace", "remove", "test", "copy", "move"]);
    return op === "copy" || op === "move" ? { op, from: path, path: "/metadata/annotations" } : { op, path, value };
  });
  return patch(at, "application/json-patch+json", operations);
}

function patch(at: Place, type: string, body: Json): PlannedRequest {
  const path = at.path + subresource(at, 0.15) + writeQuery(at);
  return { method: "PATCH", path, headers: { "content-type": type }, body };
}

function remove(at: Place): PlannedRequest {
  const { random } = at;
  const options = pick<Json | undefined>(random, [
    undefined,
    { propagationPolicy: "Background" },
    { propagationPolicy: "Foreground" },
    { propagationPolicy: "Orphan" },
    { propagationPolicy: "X" },
    { gracePeriodSeconds: 0 },
    { preconditions: { resourceVersion: "1" } },
    { preconditions: { uid: "11111111-1111-1111-1111-111111111111" } },
    { dryRun: ["All"] },
    { dryRun: ["Some"] },
  ]);
  return json("DELETE", at.path, options);
}

function scale(at: Place): PlannedRequest {
  const { random, kind, path, name } = at;
  if (!kind.subresources.includes("scale")) return get(at);
  const replicas = pick<Json | undefined>(random, [0, 1, 5, -1, "x", undefined]);
  const spec = replicas === undefined ? {} : { spec: { replicas } };
  if (chance(random, 0.3)) return { method: "GET", path: `${path}/scale`, headers: {} };
  if (chance(random, 0.5)) return { ...patch(at, "application/merge-patch+json", spec), path: `${path}/scale` };
  const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, ...spec };
  return withVersion(at, json("PUT", `${path}/scale`, body), pick(random, [CURRENT_VERSION, undefined]));
}

/** Removes what holds an object that is to go, so that runs do not end with objects that stay for ever. */
function release(at: Place): PlannedRequest {
  const body = { metadata: { finalizers: null } };
  return { method: "PATCH", path: at.path, headers: { "content-type": "application/merge-patch+json" }, body };
}

const WAYS: readonly ((at: Place) => PlannedRequest)[] = [
  create,
  create,
  create,
  create,
  get,
  get,
  get,
  replace,
  replace,
  replace,
  mergePatch,
  mergePatch,
  strategicPatch,
  strategicPatch,
  apply,
  apply,
  apply,
  jsonPatch,
  remove,
  scale,
  release,
];

function subresource({ random, kind }: Place, probability: number): string {
  return chance(random, probability) && kind.subresources.includes("status") ? "/status" : "";
}

function writeQuery({ random }: Place): string {
  const parts = [
    ...(chance(random, 0.7) ? [`fieldManager=${pick(random, MANAGERS)}`] : []),
    ...(chance(random, 0.3) ? [`fieldValidation=${pick(random, ["Strict", "Warn", "Ignore", "X"])}`] : []),
    ...(chance(random, 0.08) ? [`dryRun=${pick(random, ["All", "All", "X"])}`] : []),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** The good object, with up to three changes. */
function changedObject(at: Place): JsonObject {
  const whole = withIdentity(at, structuredClone(at.kind.object) as MutableJsonObject);
  return change(at, whole);
}

/** An object with nothing but one to three changes. */
function partOf(at: Place): MutableJsonObject {
  return change(at, {}, 1);
}

function change({ random, kind }: Place, object: MutableJsonObject, atLeast = 0): MutableJsonObject {
  for (let count = atLeast + below(random, 3); count > 0; count -= 1) {
    const [path, values] = pick(random, Object.entries(kind.changes));
    setAt(object, path.slice(1).split("/"), pick(random, values));
  }
  return object;
}

function withIdentity({ kind, name }: Place, object: MutableJsonObject): MutableJsonObject {
  const { apiVersion = "", kind: kindName = "" } = kind.object as {
    readonly apiVersion?: string;
    readonly kind?: string;
  };
  const metadata = { labels: { app: "a" }, ...((getKey(object, "metadata") as JsonObject | undefined) ?? {}), name };
  return { apiVersion, kind: kindName, ...object, metadata };
}

/** Sets or removes what is at a path; makes the objects on the way, never lists. */
function setAt(object: MutableJsonObject, [first = "", ...rest]: readonly string[], value: Json | undefined): void {
  if (rest.length === 0) {
    if (value === undefined) delete object[first];
    else setKey(object, first, structuredClone(value));
    return;
  }
  const next = getKey(object, first) as Json | undefined;
  if (Array.isArray(next)) {
    const [index = "0", ...deeper] = rest;
    const item = next[Number(index)] as Json | undefined;
    if (isObject(item)) setAt(item as MutableJsonObject, deeper, value);
    return;
  }
  if (isObject(next)) {
    setAt(next as MutableJsonObject, rest, value);
    return;
  }
  if (/^\d+$/.test(rest[0] ?? "")) return;
  const made: MutableJsonObject = {};
  setKey(object, first, made);
  setAt(made, rest, value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function json(method: string, path: string, body: Json | undefined): PlannedRequest {
  const headers = { "content-type": "application/json" };
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}
