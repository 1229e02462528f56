/**
 * Requests that no client should send, made from those that clients do: bodies, patches, paths, queries and selectors,
 * damaged at random. The same random gives the same requests. fuzz.test.ts sends them.
 */
import { type Json, type MutableJsonObject, setKey, stringifyJson } from "@kubewright/core/meta";
import type { Random, TransportRequest } from "@kubewright/core/ports";
import { below, chance, pick } from "./random-choices.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const CONTAINER = { name: "c", image: "i", ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } } };
const TEMPLATE = { metadata: { labels: { app: "a" } }, spec: { containers: [CONTAINER] } };

/** Where objects go, and objects that are welcome there. */
const PLACES: readonly (readonly [path: string, object: MutableJsonObject])[] = [
  [`${NAMESPACE}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } }],
  [`${NAMESPACE}/secrets`, { apiVersion: "v1", kind: "Secret", stringData: { a: "1" }, data: { b: "YQ==" } }],
  [`${NAMESPACE}/pods`, { apiVersion: "v1", kind: "Pod", spec: TEMPLATE.spec }],
  [
    `${NAMESPACE}/services`,
    { apiVersion: "v1", kind: "Service", spec: { selector: { app: "a" }, ports: [{ port: 80, targetPort: "http" }] } },
  ],
  [
    "/apis/apps/v1/namespaces/default/deployments",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      spec: { replicas: 1, selector: { matchLabels: { app: "a" } }, template: TEMPLATE },
    },
  ],
  ["/apis/batch/v1/namespaces/default/jobs", { apiVersion: "batch/v1", kind: "Job", spec: { template: TEMPLATE } }],
  [
    "/apis/fuzz.example.com/v1/namespaces/default/widgets",
    { apiVersion: "fuzz.example.com/v1", kind: "Widget", spec: { size: 1, note: "n" }, status: { phase: "x" } },
  ],
  [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    },
  ],
  [
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      spec: {
        group: "fuzz.example.com",
        scope: "Namespaced",
        names: { plural: "gadgets", kind: "Gadget" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", properties: { size: { type: "integer", minimum: 0 } } } },
                "x-kubernetes-validations": [{ rule: "self.spec.size > 0" }],
              },
            },
          },
        ],
      },
    },
  ],
];

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  -1,
  0.5,
  9007199254740993n as unknown as Json,
  1e300,
  "",
  "\u0000",
  "\ud800",
  "ä/ö",
  "a".repeat(300),
  "1Gi",
  "*",
  [],
  [null],
  {},
  { __proto__: null, constructor: "x" },
  [[[[]]]],
  { matchLabels: { "a b": 1 } },
];
const ODD_KEYS = ["__proto__", "constructor", "", "a.b/c", "$patch", "$setElementOrder/ports", "metadata", "apiVersion"];
const ODD_SEGMENTS = ["", "..", "%", "%2F", "%00", "ä", "status", "scale", "log", "proxy", "watch", "a".repeat(400), "*"];
const QUERY_NAMES = [
  "labelSelector",
  "fieldSelector",
  "limit",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "watch",
  "timeoutSeconds",
  "allowWatchBookmarks",
  "sendInitialEvents",
  "dryRun",
  "fieldManager",
  "fieldValidation",
  "force",
  "propagationPolicy",
  "gracePeriodSeconds",
  "pretty",
  "includeObject",
];
const QUERY_VALUES = ["", "1", "0", "-1", "true", "All", "Strict", "Exact", "NotOlderThan", "99999999999999999999", "%zz", "ä"];
const SELECTOR_PARTS = ["a", "b/c", "=", "==", "!=", "!", " in ", " notin ", "(", ")", ",", " ", ">", "<", "metadata.name", "\\"];
const MEDIA_TYPES = [
  "application/json",
  "application/json",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
  "",
  ";;",
];
const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/json",
];
const METHODS = "GET GET POST POST POST PUT PUT PUT PATCH PATCH PATCH PATCH DELETE HEAD OPTIONS FOO".split(" ");
const ACCEPTS = [
  "application/json",
  "application/json",
  "application/json",
  "application/json",
  "application/json",
  "application/json",
  "application/yaml",
  "*/*",
  "",
  "text/html",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/vnd.kubernetes.protobuf",
  "q=;;,",
];

/** One request. */
export function nextRequest(random: Random): TransportRequest {
  const [path, object] = pick(random, PLACES);
  const name = pick(random, ["a", "b", "c", "kubernetes"]);
  const method = pick(random, METHODS);
  const isOnObject = method !== "POST" && chance(random, 0.8);
  const body = method === "GET" ? undefined : bodyFor(random, { method, object, name });
  const contentType = method === "PATCH" ? pick(random, PATCH_TYPES) : pick(random, MEDIA_TYPES);
  return {
    method,
    path: `${pathFor(random, isOnObject ? `${path}/${name}` : path)}${queryFor(random, method)}`,
    headers: { "content-type": contentType, accept: pick(random, ACCEPTS), "user-agent": "fuzz" },
    ...(body === undefined ? {} : { body }),
  };
}

function pathFor(random: Random, path: string): string {
  if (chance(random, 0.7)) return path;
  const segments = path.split("/");
  segments.splice(1 + below(random, segments.length), below(random, 2), pick(random, ODD_SEGMENTS));
  return segments.join("/");
}

function queryFor(random: Random, method: string): string {
  const apply = method === "PATCH" ? ["fieldManager=m", ...(chance(random, 0.5) ? ["force=true"] : [])] : [];
  const odd = Array.from({ length: below(random, 3) }, () => {
    const name = pick(random, QUERY_NAMES);
    return `${name}=${name.endsWith("Selector") ? encodeURIComponent(selector(random)) : pick(random, QUERY_VALUES)}`;
  });
  return `?${[...apply, ...odd].join("&")}`;
}

function selector(random: Random): string {
  return Array.from({ length: below(random, 8) }, () => pick(random, SELECTOR_PARTS)).join("");
}

interface BodyPlan {
  readonly method: string;
  readonly object: MutableJsonObject;
  readonly name: string;
}

function bodyFor(random: Random, { method, object, name }: BodyPlan): string | Uint8Array {
  const whole = damaged(random, { ...object, metadata: { name, labels: { app: "a" } } });
  const value = method === "PATCH" && chance(random, 0.4) ? operations(random, whole) : whole;
  const text = stringifyJson(value);
  if (chance(random, 0.1)) return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0]), damagedBytes(random, text)]);
  return chance(random, 0.25) ? damagedBytes(random, text) : text;
}

function operations(random: Random, value: Json): Json {
  const paths = ["", "/", "/spec", "/metadata/labels/x", "/spec/template/spec/containers/0", "/spec/-", "/~2", "/data/a"];
  return Array.from({ length: 1 + below(random, 3) }, () => ({
    op: pick(random, ["add", "remove", "replace", "move", "copy", "test", "bad"]),
    path: pick(random, paths),
    from: pick(random, paths),
    value: chance(random, 0.5) ? value : pick(random, ODD_VALUES),
  }));
}

/** A copy with some of its values replaced, removed or added to. */
function damaged(random: Random, value: Json): Json {
  if (chance(random, 0.04)) return pick(random, ODD_VALUES);
  if (Array.isArray(value)) return value.map((item) => damaged(random, item as Json));
  if (typeof value !== "object" || value === null) return value;
  const copy: MutableJsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (!chance(random, 0.02)) setKey(copy, key, damaged(random, child as Json));
  }
  if (chance(random, 0.03)) setKey(copy, pick(random, ODD_KEYS), pick(random, ODD_VALUES));
  return copy;
}

function damagedBytes(random: Random, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  for (let count = 1 + below(random, 4); count > 0 && bytes.byteLength > 0; count--) {
    bytes[below(random, bytes.byteLength)] = below(random, 256);
  }
  return chance(random, 0.3) ? bytes.subarray(0, below(random, bytes.byteLength)) : bytes;
}
