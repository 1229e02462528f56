/** CRDs that are wrong in one way each, for the oracle: what does a real kube-apiserver say about them? */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = Record<string, Json>;

/** One wrong CRD; with `old`, it is an update of that one. */
export interface Case {
  readonly name: string;
  readonly crd: JsonObject;
  readonly old?: JsonObject;
}

const ok: JsonObject = { type: "object", properties: { spec: { type: "object" } } };

/** A CRD whose spec has one field of the given schema. */
function field(schema: JsonObject): JsonObject {
  return crd({ schema: { type: "object", properties: { spec: { type: "object", properties: { f: schema } } } } });
}

function crd(
  parts: {
    readonly spec?: JsonObject;
    readonly version?: JsonObject;
    readonly schema?: Json;
    readonly metadata?: JsonObject;
  } = {},
): JsonObject {
  const { spec = {}, version = {}, schema = ok, metadata = {} } = parts;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "samples.example.com", ...metadata },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "samples", singular: "sample", kind: "Sample", listKind: "SampleList" },
      conversion: { strategy: "None" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  };
}

function names(change: JsonObject): JsonObject {
  return crd({
    spec: { names: { plural: "samples", singular: "sample", kind: "Sample", listKind: "SampleList", ...change } },
  });
}

function version(name: string, change: JsonObject = {}): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: ok }, ...change };
}

function list(change: JsonObject): JsonObject {
  const items: JsonObject = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  };
  return field({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items,
    ...change,
  });
}

function rule(rule: JsonObject, schema: JsonObject = { type: "string" }): JsonObject {
  return field({ ...schema, "x-kubernetes-validations": [rule] });
}

function webhook(config: JsonObject, versions: Json = ["v1"]): JsonObject {
  return crd({
    spec: {
      conversion: { strategy: "Webhook", webhook: { clientConfig: config, conversionReviewVersions: versions } },
    },
  });
}

const service = { namespace: "default", name: "converter", path: "/convert", port: 443 };

const wrong: Readonly<Record<string, JsonObject>> = {
  "nothing wrong": crd(),
  "name does not match": crd({ metadata: { name: "others.example.com" } }),
  "name is no subdomain": crd({ metadata: { name: "Samples.example.com" } }),
  "no group": crd({ spec: { group: "" } }),
  "group without a dot": crd({ metadata: { name: "samples.example" }, spec: { group: "example" } }),
  "group in upper case": crd({ spec: { group: "Example.com" } }),
  "no scope": crd({ spec: { scope: "" } }),
  "unknown scope": crd({ spec: { scope: "Galaxy" } }),
  "protected group": crd({ metadata: { name: "samples.x.k8s.io" }, spec: { group: "x.k8s.io" } }),
  "protected group with a bad approval": crd({
    metadata: { name: "samples.kubernetes.io", annotations: { "api-approved.kubernetes.io": "yes" } },
    spec: { group: "kubernetes.io" },
  }),
  "protected group with an approval": crd({
    metadata: { name: "samples.x.k8s.io", annotations: { "api-approved.kubernetes.io": "https://example.com/1" } },
    spec: { group: "x.k8s.io" },
  }),
  "preserveUnknownFields at the top": crd({ spec: { preserveUnknownFields: true } }),
  "bad singular": names({ singular: "Sample" }),
  "bad kind": names({ kind: "Sam_ple" }),
  "bad list kind": names({ listKind: "9List" }),
  "kind is list kind": names({ listKind: "Sample" }),
  "bad short name": names({ shortNames: ["ok", "not_ok"] }),
  "bad category": names({ categories: ["All"] }),
  "two storage versions": crd({
    spec: { versions: [version("v1", { storage: true }), version("v2", { storage: true })] },
  }),
  "no storage version": crd({ spec: { versions: [version("v1")] } }),
  "version twice": crd({ spec: { versions: [version("v1", { storage: true }), version("v1")] } }),
  "bad version name": crd({ version: { name: "1.0" } }),
  "no schema": crd({ version: { schema: {} } }),
  "warning without deprecation": crd({ version: { deprecationWarning: "old" } }),
  "empty warning": crd({ version: { deprecated: true, deprecationWarning: "" } }),
  "warning with a line break": crd({ version: { deprecated: true, deprecationWarning: "old\nnew" } }),
  "warning with an invisible character": crd({ version: { deprecated: true, deprecationWarning: "é\u200b\u00a0" } }),
  "long warning": crd({ version: { deprecated: true, deprecationWarning: "x".repeat(257) } }),
  "column without path": crd({ version: { additionalPrinterColumns: [{ name: "a", type: "string", jsonPath: "" }] } }),
  "column without dot": crd({
    version: { additionalPrinterColumns: [{ name: "a", type: "string", jsonPath: "spec" }] },
  }),
  "column of a bad type": crd({
    version: { additionalPrinterColumns: [{ name: "a", type: "object", jsonPath: ".a" }] },
  }),
  "column of a bad format": crd({
    version: { additionalPrinterColumns: [{ name: "a", type: "string", format: "x", jsonPath: ".a" }] },
  }),
  "column without name and type": crd({
    version: { additionalPrinterColumns: [{ name: "", type: "", jsonPath: ".a" }] },
  }),
  "scale outside spec": crd({
    version: { subresources: { scale: { specReplicasPath: ".size", statusReplicasPath: ".status.size" } } },
  }),
  "scale without paths": crd({
    version: { subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } } },
  }),
  "scale selector elsewhere": crd({
    version: {
      subresources: {
        scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a", labelSelectorPath: ".a" },
      },
    },
  }),
  "scale without dots": crd({
    version: { subresources: { scale: { specReplicasPath: "spec.a", statusReplicasPath: "status.a" } } },
  }),
  "selectable field that is not there": crd({ version: { selectableFields: [{ jsonPath: ".spec.color" }] } }),
  "selectable field of metadata": crd({
    version: { selectableFields: [{ jsonPath: ".metadata.name" }] },
    schema: { type: "object", properties: { metadata: { type: "object", properties: { name: { type: "string" } } } } },
  }),
  "selectable object": crd({ version: { selectableFields: [{ jsonPath: ".spec" }] } }),
  "selectable field twice": crd({
    version: { selectableFields: [{ jsonPath: ".spec.a" }, { jsonPath: ".spec.a" }] },
    schema: { type: "object", properties: { spec: { type: "object", properties: { a: { type: "string" } } } } },
  }),
  "selectable field with brackets": crd({ version: { selectableFields: [{ jsonPath: ".spec['a']" }] } }),
  "selectable field without path": crd({ version: { selectableFields: [{ jsonPath: "" }] } }),
  "nine selectable fields": crd({
    version: { selectableFields: [..."abcdefghi"].map((name) => ({ jsonPath: `.${name}` })) },
    schema: {
      type: "object",
      properties: Object.fromEntries([..."abcdefghi"].map((name) => [name, { type: "string" }])),
    },
  }),
  "unknown conversion": crd({ spec: { conversion: { strategy: "Magic" } } }),
  "no conversion with a webhook": crd({
    spec: {
      conversion: {
        strategy: "None",
        webhook: { clientConfig: { url: "https://x" }, conversionReviewVersions: ["v1"] },
      },
    },
  }),
  "webhook without configuration": crd({ spec: { conversion: { strategy: "Webhook" } } }),
  "webhook with url and service": webhook({ url: "https://x", service }),
  "webhook over http": webhook({ url: "http://user@x/path?a=b#c" }),
  "webhook without host": webhook({ url: "https:///path" }),
  "webhook service without name": webhook({ service: { ...service, name: "" } }),
  "webhook service with a bad path": webhook({ service: { ...service, path: "convert//X/" } }),
  "webhook service with a bad port": webhook({ service: { ...service, port: 70000 } }),
  "webhook without versions": webhook({ service }, []),
  "webhook with unknown versions": webhook({ service }, ["v2", "v2", "Bad"]),
  webhook: webhook({ service }),
  "root is no object": crd({ schema: { type: "string" } }),
  "root without type": crd({ schema: { properties: { spec: { type: "object" } } } }),
  "root is nullable": crd({ schema: { type: "object", nullable: true } }),
  "root with additionalProperties": crd({ schema: { type: "object", additionalProperties: { type: "string" } } }),
  "root with anyOf beside status": crd({
    version: { subresources: { status: {} } },
    schema: { type: "object", anyOf: [{ required: ["spec"] }] },
  }),
  "root is no object beside status": crd({
    version: { subresources: { status: {} } },
    schema: { type: "array", items: { type: "string" } },
  }),
  "metadata with labels": crd({
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    },
  }),
  "metadata with a description": crd({
    schema: { type: "object", properties: { metadata: { type: "object", description: "x" } } },
  }),
  "metadata with a name": crd({
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
    },
  }),
  "metadata is a string": crd({ schema: { type: "object", properties: { metadata: { type: "string" } } } }),
  "kind is an object": crd({
    schema: { type: "object", properties: { kind: { type: "object" }, apiVersion: { type: "integer" } } },
  }),
  "default in metadata": crd({
    schema: {
      type: "object",
      properties: {
        metadata: { type: "object", default: {}, properties: { name: { type: "string", default: "x" } } },
        kind: { type: "string", default: "X" },
      },
    },
  }),
  "no type": field({}),
  "bad type": field({ type: "date" }),
  "type null": field({ type: "null" }),
  "array without items": field({ type: "array" }),
  "items without type": field({ type: "array", items: {} }),
  "items are a list": field({ type: "array", items: [{ type: "string" }] }),
  "unique items": field({ type: "array", uniqueItems: true, items: { type: "string" } }),
  "properties and additionalProperties": field({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "string" },
  }),
  "additionalProperties false": field({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: false,
  }),
  "additionalProperties true": field({ type: "object", additionalProperties: true }),
  reference: field({ $ref: "#/x" }),
  "id, definitions, dependencies": field({
    type: "object",
    id: "x",
    definitions: { a: { type: "string" } },
    dependencies: { a: ["b"] },
  }),
  "pattern properties": field({ type: "object", patternProperties: { a: { type: "string" } } }),
  "additional items": field({ type: "array", items: { type: "string" }, additionalItems: true }),
  "keep unknown false": field({ type: "object", "x-kubernetes-preserve-unknown-fields": false }),
  "embedded string": field({ type: "string", "x-kubernetes-embedded-resource": true }),
  "embedded without properties": field({ type: "object", "x-kubernetes-embedded-resource": true }),
  "embedded with additionalProperties": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    additionalProperties: { type: "string" },
  }),
  "embedded in metadata": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    properties: {
      metadata: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
  }),
  "int-or-string that keeps unknown": field({
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "int-or-string embedded": field({ "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true }),
  "int-or-string": field({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }),
  "int-or-string in allOf": field({
    "x-kubernetes-int-or-string": true,
    allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^a" }],
  }),
  "int-or-string the other way round": field({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "string" }, { type: "integer" }],
  }),
  "type in anyOf": field({ type: "string", anyOf: [{ type: "string" }] }),
  "everything in oneOf": field({
    type: "object",
    properties: { a: { type: "string" } },
    oneOf: [
      {
        title: "t",
        description: "d",
        nullable: true,
        default: {},
        additionalProperties: { type: "string" },
        properties: {
          a: {
            pattern: "^x",
            "x-kubernetes-list-type": "set",
            "x-kubernetes-map-type": "atomic",
            "x-kubernetes-list-map-keys": ["a"],
          },
          metadata: {},
        },
        "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-int-or-string": true,
        "x-kubernetes-validations": [{ rule: "true" }],
      },
    ],
  }),
  "anyOf about a field that is not there": field({
    type: "object",
    properties: { a: { type: "string" } },
    anyOf: [{ properties: { b: { minLength: 1 } } }],
  }),
  "not about items that are not there": field({
    type: "object",
    properties: { a: { type: "string" } },
    not: { items: { minLength: 1 } },
  }),
  "allOf about known fields": field({
    type: "object",
    properties: { a: { type: "string" } },
    allOf: [{ properties: { a: { minLength: 1 } }, required: ["a"] }],
  }),
  "bad pattern": field({ type: "string", pattern: "(?!x)" }),
  "bad pattern in not": field({ type: "string", not: { pattern: "[" } }),
  "list type on a string": field({ type: "string", "x-kubernetes-list-type": "atomic" }),
  "list type without type": field({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-list-type": "atomic" }),
  "unknown list type": field({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "bag" }),
  "set of objects": field({ type: "array", items: { type: "object" }, "x-kubernetes-list-type": "set" }),
  "set of sets": field({
    type: "array",
    items: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    "x-kubernetes-list-type": "set",
  }),
  "set of nullable items": field({
    type: "array",
    items: { type: "string", nullable: true },
    "x-kubernetes-list-type": "set",
  }),
  "map of strings": list({ items: { type: "string" } }),
  "map without keys": list({ "x-kubernetes-list-map-keys": [] }),
  "keys without map": list({ "x-kubernetes-list-type": "set" }),
  "keys without list type": field({
    type: "array",
    items: { type: "object", properties: { name: { type: "string" } } },
    "x-kubernetes-list-map-keys": ["name"],
  }),
  "map by an unknown key": list({ "x-kubernetes-list-map-keys": ["name", "nope"] }),
  "map by a key twice": list({ "x-kubernetes-list-map-keys": ["name", "name"] }),
  "map by a list": list({ "x-kubernetes-list-map-keys": ["tags"] }),
  "map by an optional key": list({
    items: { type: "object", properties: { name: { type: "string", nullable: true } } },
  }),
  "map by a key with a default": list({
    items: { type: "object", properties: { name: { type: "string", default: "x" } } },
  }),
  "map type on a string": field({ type: "string", "x-kubernetes-map-type": "atomic" }),
  "map type without type": field({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic" }),
  "unknown map type": field({ type: "object", "x-kubernetes-map-type": "loose" }),
  "empty rule": rule({ rule: " " }),
  "empty message": rule({ rule: "true", message: " " }),
  "message with a line break": rule({ rule: "true", message: "a\nb" }),
  "rule with a line break": rule({ rule: "true ||\nfalse" }),
  "empty message expression": rule({ rule: "true", messageExpression: " " }),
  "unknown reason": rule({ rule: "true", reason: "Because" }),
  "field path of a string": rule({ rule: "true", fieldPath: ".a" }),
  "empty field path": rule({ rule: "true", fieldPath: " " }, { type: "object", properties: { a: { type: "string" } } }),
  "field path": rule({ rule: "true", fieldPath: ".a" }, { type: "object", properties: { a: { type: "string" } } }),
  "field path with brackets": rule(
    { rule: "true", fieldPath: ".m['a.b']" },
    { type: "object", properties: { m: { type: "object", additionalProperties: { type: "string" } } } },
  ),
  "oldSelf in a list": field({
    type: "array",
    maxItems: 5,
    items: { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
  }),
  "oldSelf in an atomic map": field({
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: { a: { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
  }),
  "optionalOldSelf without oldSelf": rule(
    { rule: "self == self", optionalOldSelf: true },
    { type: "string", maxLength: 5 },
  ),
  "rule that does not parse": rule({ rule: "self ==" }, { type: "string", maxLength: 5 }),
  "rule that is no boolean": rule({ rule: "self + 'x'" }, { type: "string", maxLength: 5 }),
  "rule about an unknown field": rule(
    { rule: "self.b == 1" },
    { type: "object", properties: { a: { type: "string" } } },
  ),
  "message expression that is no text": rule(
    { rule: "true", messageExpression: "1" },
    { type: "string", maxLength: 5 },
  ),
  "default of a bad type": field({ type: "integer", default: "x" }),
  "default with unknown fields": field({ type: "object", default: { b: 1 }, properties: { a: { type: "string" } } }),
  "default out of bounds": field({ type: "integer", minimum: 5, default: 1 }),
  "default not in the enum": field({ type: "string", enum: ["a", "b"], default: "c" }),
  "default in items": field({ type: "array", items: { type: "string", default: 1 } }),
  "unknown format": field({ type: "string", format: "postcode" }),
  "formats that depend on the type": field({
    type: "object",
    properties: {
      a: { type: "integer", format: "int16" },
      b: { type: "number", format: "float" },
      c: { type: "string", format: "k8s-short-name" },
      d: { type: "boolean", format: "x" },
      e: { type: "string", format: "date-time" },
    },
  }),
  "two versions, one of them wrong": crd({
    spec: {
      versions: [
        version("v1", { storage: true }),
        version("v2", { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } }),
      ],
    },
  }),
  "two versions with the same mistake": crd({
    spec: {
      versions: [
        version("v1", { storage: true, schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } }),
        version("v2", { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } }),
      ],
    },
  }),
};

const text: JsonObject = { type: "string" };

/** Rules that can cost too much, or just not. */
const expensive: Readonly<Record<string, JsonObject>> = {
  "rule over a list without a limit": rule({ rule: "self.all(x, x == 'a')" }, { type: "array", items: text }),
  "rule over a list of numbers without a limit": rule(
    { rule: "self.all(x, x > 1)" },
    { type: "array", items: { type: "integer" } },
  ),
  "rule over a list with a limit": rule(
    { rule: "self.all(x, x == 'a')" },
    { type: "array", maxItems: 100, items: text },
  ),
  "rule over pairs of a list": rule(
    { rule: "self.all(x, self.exists_one(y, x == y))" },
    { type: "array", maxItems: 1000, items: { type: "string", maxLength: 30 } },
  ),
  "rule over pairs of a short list": rule(
    { rule: "self.all(x, self.exists_one(y, x == y))" },
    { type: "array", maxItems: 500, items: { type: "string", maxLength: 30 } },
  ),
  "rule inside of a list without a limit": field({
    type: "array",
    items: { type: "object", properties: { a: { ...text, "x-kubernetes-validations": [{ rule: "self == 'x'" }] } } },
  }),
  "rule about a long text inside of a map": field({
    type: "object",
    additionalProperties: { ...text, "x-kubernetes-validations": [{ rule: "self.contains('aaaaaaaaaaaaaaaaaaaa')" }] },
  }),
  "rule about two texts without a limit": rule(
    { rule: "self.a.contains(self.b)" },
    { type: "object", properties: { a: text, b: text } },
  ),
  "pattern that comes with the object": rule(
    { rule: "self.a.matches(self.b)" },
    { type: "object", properties: { a: { type: "string", maxLength: 1000 }, b: { type: "string", maxLength: 1000 } } },
  ),
  "message that can cost too much": rule(
    { rule: "self.size() > 0", messageExpression: "self.map(x, x + x).join(', ')" },
    { type: "array", items: text },
  ),
  "rules that cost too much together": field({
    type: "object",
    properties: Object.fromEntries(
      ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"].map((name, index) => [
        name,
        {
          type: "array",
          maxItems: 400_000 + index * 10_000,
          items: { type: "integer" },
          "x-kubernetes-validations": [{ rule: "self.all(x, x > 1 && x < 100 && x != 50)" }],
        },
      ]),
    ),
  }),
  "rule with oldSelf over keyed items": rule(
    { rule: "self.all(x, oldSelf.exists(y, y.name == x.name && y.value == x.value))" },
    {
      type: "array",
      maxItems: 64,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string", maxLength: 63 }, value: { type: "string", maxLength: 1024 } },
      },
    },
  ),
};

const updates: Readonly<Record<string, JsonObject>> = {
  "update that changes nothing": crd(),
  "update of the group": crd({ spec: { group: "example.org" } }),
  "update of the scope": crd({ spec: { scope: "Cluster" } }),
  "update of the kind": names({ kind: "Other", listKind: "OtherList" }),
  "update of the plural": names({ plural: "others" }),
  "update that drops a stored version": crd({ spec: { versions: [version("v2", { storage: true })] } }),
};

/** All cases, in a fixed order. */
export const cases: readonly Case[] = [
  ...Object.entries(wrong).map(([name, crd]) => ({ name, crd })),
  ...Object.entries(expensive).map(([name, crd]) => ({ name, crd })),
  ...Object.entries(updates).map(([name, crd]) => ({ name, crd, old: crdBefore() })),
];

function crdBefore(): JsonObject {
  return crd();
}
