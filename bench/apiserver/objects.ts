/** The objects that are written and read: a custom resource as operators have them, and a ConfigMap. */

/** Where they are. */
export const NAMESPACE = "bench";

/** Which tenth of the objects the label selector of the benchmark matches. */
export const SELECTOR = "tier=hot";
const SELECTED_EVERY = 10;

/** A kind to measure. */
export interface MeasuredKind {
  readonly collection: string;
  /** A new object. */
  create(index: number): object;
  /** The object with another content. */
  change(object: Json, index: number): Json;
}

type Json = Record<string, unknown>;

/** The definition of the custom resource. */
export const WIDGET_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.bench.example.com" },
  spec: {
    group: "bench.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: widgetSpec(), status: widgetStatus() } } },
      },
    ],
  },
};

function widgetSpec(): object {
  return {
    type: "object",
    required: ["image"],
    properties: {
      image: { type: "string", minLength: 1 },
      replicas: { type: "integer", minimum: 0, maximum: 100, default: 1 },
      paused: { type: "boolean", default: false },
      settings: { type: "object", additionalProperties: { type: "string" } },
      ports: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name", "port"],
          properties: {
            name: { type: "string" },
            port: { type: "integer", minimum: 1, maximum: 65535 },
            protocol: { type: "string", enum: ["TCP", "UDP"], default: "TCP" },
          },
        },
      },
    },
  };
}

function widgetStatus(): object {
  return { type: "object", properties: { ready: { type: "integer" }, message: { type: "string" } } };
}

/** The custom resource. */
export const WIDGETS: MeasuredKind = {
  collection: `/apis/bench.example.com/v1/namespaces/${NAMESPACE}/widgets`,
  create: (index) => ({
    apiVersion: "bench.example.com/v1",
    kind: "Widget",
    metadata: metadataOf("widget", index),
    spec: {
      image: "registry.example.com/team/service:1.2.3",
      replicas: index % 5,
      settings: { mode: "steady", region: "north", owner: `team-${index % 20}` },
      ports: [
        { name: "http", port: 8080 },
        { name: "metrics", port: 9090, protocol: "TCP" },
      ],
    },
  }),
  change: (object, index) => ({ ...object, spec: { ...(object["spec"] as Json), replicas: 10 + (index % 50) } }),
};

/** ConfigMaps. */
export const CONFIG_MAPS: MeasuredKind = {
  collection: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  create: (index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadataOf("config", index),
    data: { "app.conf": "listen = 8080\nworkers = 4\n".repeat(8), mode: "steady", owner: `team-${index % 20}` },
  }),
  change: (object, index) => ({ ...object, data: { ...(object["data"] as Json), mode: `changed-${index}` } }),
};

function metadataOf(prefix: string, index: number): object {
  return {
    name: nameOf(prefix, index),
    labels: { app: `app-${index % 100}`, tier: index % SELECTED_EVERY === 0 ? "hot" : "cold" },
    annotations: { "bench.example.com/note": "made by the benchmark" },
  };
}

function nameOf(prefix: string, index: number): string {
  return `${prefix}-${String(index).padStart(6, "0")}`;
}
