/**
 * The cases whose answers of Kubernetes are recorded: schema, object, and the object it replaces. record.ts asks the
 * oracle and writes the golden files.
 */
import type { Json } from "../../packages/core/src/meta/json.ts";
import type { StructuralSchema } from "../../packages/core/src/schema/structural.ts";
import type { SchemaCase } from "./case.ts";
import { formatCases } from "./corpus-formats.ts";

const integer = { type: "integer" } as const;
const string = { type: "string" } as const;
const anything = { "x-kubernetes-preserve-unknown-fields": true } as const;

/** A schema whose `spec.v` has the given schema. */
function around(v: StructuralSchema): StructuralSchema {
  return { type: "object", properties: { spec: { type: "object", properties: { v } } } };
}

/** A case about `spec.v`. */
function value(name: string, schema: StructuralSchema, v: Json, ...old: Json[]): SchemaCase {
  const replaced = old.length > 0 ? { old: { spec: { v: old[0] as Json } } } : {};
  return { name, schema: around(schema), object: { spec: { v } }, ...replaced };
}

/** A case about a whole object. */
function whole(name: string, schema: StructuralSchema, object: Json, ...old: Json[]): SchemaCase {
  return { name, schema, object, ...(old.length > 0 ? { old: old[0] as Json } : {}) };
}

const types: SchemaCase[] = (["string", "integer", "number", "boolean", "object", "array"] as const).flatMap((type) =>
  (
    [
      ["text", "a"],
      ["int", 1],
      ["fraction", 1.5],
      ["bool", true],
      ["object", {}],
      ["list", []],
    ] as [string, Json][]
  ).map(([name, v]) => value(`${name} for ${type}`, type === "array" ? { type, items: string } : { type }, v)),
);

const numbers: SchemaCase[] = [
  value("maximum", { ...integer, maximum: 5 }, 6),
  value("maximum reached", { ...integer, maximum: 5 }, 5),
  value("exclusive maximum", { ...integer, maximum: 5, exclusiveMaximum: true }, 5),
  value("minimum", { ...integer, minimum: 1 }, 0),
  value("exclusive minimum", { ...integer, minimum: 0, exclusiveMinimum: true }, 0),
  value("both bounds wrong", { ...integer, minimum: 10, maximum: -10 }, 0),
  value("fractional bounds", { type: "number", minimum: 0.5, maximum: 1.5 }, 2.25),
  value("integer below fractional bound", { type: "number", minimum: 1.5 }, 1),
  value("fraction above large bound", { type: "number", maximum: 1000000 }, 2000000.5),
  value("fractional maximum of an integer", { ...integer, maximum: 2.5 }, 3),
  value("int32 overflow", { ...integer, format: "int32" }, 3000000000),
  value("int32 bound overflow", { ...integer, format: "int32", maximum: 3000000000 }, 5),
  value("float overflow", { type: "number", format: "float" }, 1e39),
  value("double is fine", { type: "number", format: "double" }, 1e39),
  value("int64 with fraction", { ...integer, format: "int64" }, 1.5),
  value("text for int32", { ...integer, format: "int32" }, "5"),
  value("bool for int32", { ...integer, format: "int32" }, true),
  value("bool for double", { type: "number", format: "double" }, false),
  value("multipleOf", { ...integer, multipleOf: 3 }, 7),
  value("multipleOf kept", { ...integer, multipleOf: 3 }, 9),
  value("fractional multipleOf", { type: "number", multipleOf: 0.1 }, 0.35),
  value("fractional multipleOf kept", { type: "number", multipleOf: 0.1 }, 0.3),
  value("fractional multipleOf of an integer value", { type: "number", multipleOf: 0.5 }, 3),
  value("fractional multipleOf of an integer type", { ...integer, multipleOf: 0.5 }, 3),
  value("fraction against multipleOf", { type: "number", multipleOf: 2 }, 3.5),
  value("large integer", { ...integer, maximum: 10 }, 9007199254740991),
];

const texts: SchemaCase[] = [
  value("too long", { ...string, maxLength: 3 }, "abcd"),
  value("too long by one character", { ...string, maxLength: 1 }, "ab"),
  value("length counts characters", { ...string, maxLength: 2 }, "éé"),
  value("length counts code points", { ...string, maxLength: 2 }, "😀😀"),
  value("too short", { ...string, minLength: 3 }, "ab"),
  value("too short before pattern", { ...string, minLength: 3, pattern: "^x" }, "ab"),
  value("pattern", { ...string, pattern: "^[a-z]+$" }, "A1"),
  value("pattern matches anywhere", { ...string, pattern: "b" }, "abc"),
  value("pattern with flags", { ...string, pattern: "(?i)^ABC$" }, "abc"),
  value("pattern with class", { ...string, pattern: "^[[:alpha:]]+$" }, "ab1"),
  value("pattern with quotes", { ...string, pattern: '^"x"$' }, 'say "y"\n\ttab'),
  value("control characters in the value", { ...string, pattern: "^x$" }, "\u0001\u007f é 😀 \u200b"),
  value("invalid pattern", { ...string, pattern: "(" }, "a"),
  value("lookahead is not RE2", { ...string, pattern: "(?=a)" }, "a"),
  value("enum", { ...string, enum: ["A", "B"] }, "C"),
  value("enum kept", { ...string, enum: ["A", "B"] }, "B"),
  value("enum of numbers", { ...integer, enum: [1, 2] }, 3),
  value("enum of numbers with a fraction", { type: "number", enum: [1, 2] }, 1.5),
  value("enum of anything", { ...anything, enum: [{ a: 1 }, [1, "x"], "t"] }, { a: 2 }),
  value("enum of objects kept", { ...anything, enum: [{ a: 1 }] }, { a: 1 }),
  value("enum with wrong type", { ...string, enum: ["A"] }, 5),
  value("enum with a bool", { type: "boolean", enum: [true] }, false),
  value("null in enum", { ...string, nullable: true, enum: ["A"] }, null),
];

const lists: SchemaCase[] = [
  value("too many items", { type: "array", items: integer, maxItems: 2 }, [1, 2, 3]),
  value("one item too many", { type: "array", items: integer, maxItems: 1 }, [1, 2]),
  value("too few items", { type: "array", items: integer, minItems: 2 }, [1]),
  value("wrong items", { type: "array", items: integer }, [1, "a", null, 2.5]),
  value("nullable items", { type: "array", items: { ...integer, nullable: true } }, [1, null]),
  value("nested lists", { type: "array", items: { type: "array", items: string } }, [["a"], [1], "b"]),
  value("unique items", { type: "array", items: integer, uniqueItems: true }, [1, 2, 1]),
  value("set with duplicates", { type: "array", items: string, "x-kubernetes-list-type": "set" }, ["a", "b", "a", "a"]),
  value("set of numbers", { type: "array", items: integer, "x-kubernetes-list-type": "set" }, [1, 2, 2]),
  value(
    "set of objects",
    {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { b: integer, a: integer } },
    },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ),
  value("map list with duplicates", mapList("name"), [{ name: "a" }, { name: "b" }, { name: "a" }, { name: "a" }]),
  value("map list without keys", mapList("name"), [{}, {}, { name: "a" }]),
  value("map list with two keys", mapList("name", "port"), [
    { name: "a", port: 1 },
    { port: 1, name: "a" },
    { name: "a", port: 2 },
  ]),
  value("map list of texts", mapList("name"), ["a", "a"]),
  value(
    "set in a map",
    { type: "object", additionalProperties: { type: "array", items: string, "x-kubernetes-list-type": "set" } },
    { k: ["a", "a"] },
  ),
  value(
    "duplicates stay when they were there",
    { type: "array", items: string, "x-kubernetes-list-type": "set" },
    ["a", "a", "b"],
    ["a", "a"],
  ),
  value("new duplicates", { type: "array", items: string, "x-kubernetes-list-type": "set" }, ["a", "a"], ["a"]),
];

function mapList(...keys: string[]): StructuralSchema {
  return {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
    items: {
      type: "object",
      properties: {
        name: string,
        port: integer,
        v: { ...integer, maximum: 10 },
        list: { type: "array", items: { ...integer, maximum: 10 } },
      },
    },
  };
}

const objects: SchemaCase[] = [
  value("required", { type: "object", required: ["a", "b"], properties: { a: string, b: string } }, { a: "x" }),
  whole("required at the root", { type: "object", required: ["spec"] }, {}),
  whole(
    "wrong type at the root",
    { type: "object", properties: { spec: { type: "object" }, n: integer } },
    { spec: "x", n: "y" },
  ),
  value("too many properties", { type: "object", additionalProperties: string, maxProperties: 1 }, { a: "x", b: "y" }),
  value("too few properties", { type: "object", additionalProperties: string, minProperties: 1 }, {}),
  value("wrong additional property", { type: "object", additionalProperties: integer }, { a: 1, "b.c": "x" }),
  whole("additional property at the root", { type: "object", additionalProperties: integer }, { a: "x" }),
  value(
    "keys like __proto__",
    { type: "object", additionalProperties: integer },
    JSON.parse('{"__proto__": "x", "constructor": 1}') as Json,
  ),
  value("null for an object", { type: "object", properties: { a: string } }, null),
  value("null where nullable", { type: "object", nullable: true }, null),
  value("int-or-string takes an int", { "x-kubernetes-int-or-string": true }, 5),
  value("int-or-string takes a text", { "x-kubernetes-int-or-string": true }, "50%"),
  value("int-or-string refuses a bool", { "x-kubernetes-int-or-string": true }, true),
  value(
    "int-or-string with pattern",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%?$" },
    "x",
  ),
  value(
    "int-or-string with anyOf refuses a list",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    [],
  ),
  value("int-or-string with bounds", { "x-kubernetes-int-or-string": true, maximum: 5 }, 6),
  value("anything goes", anything, { a: [1, { b: null }] }),
];

const alternatives: SchemaCase[] = [
  value("oneOf none", oneOf(["a"], ["b"]), {}),
  value("oneOf both", oneOf(["a"], ["b"]), { a: "x", b: "y" }),
  value("oneOf one", oneOf(["a"], ["b"]), { a: "x" }),
  value("oneOf three", oneOf(["a"], ["b"], ["c", "d"]), { c: "x" }),
  value("anyOf none", { ...string, anyOf: [{ pattern: "^a" }, { minLength: 5 }] }, "b"),
  value("anyOf first", { ...string, anyOf: [{ pattern: "^a" }, { minLength: 5 }] }, "a"),
  value(
    "anyOf closest",
    {
      type: "object",
      properties: { a: string, b: integer },
      anyOf: [{ required: ["z"] }, { properties: { a: { enum: ["x"] }, b: { minimum: 5 } } }],
    },
    { a: "x", b: 1 },
  ),
  value("allOf none", { ...integer, allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 3),
  value("allOf one", { ...integer, allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 4),
  value("not", { ...string, not: { enum: ["bad"] } }, "bad"),
  value("not kept", { ...string, not: { enum: ["bad"] } }, "good"),
  value(
    "nested alternatives",
    {
      type: "object",
      properties: { a: string, b: string },
      oneOf: [
        { allOf: [{ required: ["a"] }, { properties: { a: { minLength: 3 } } }] },
        { not: { anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
      ],
    },
    { a: "x" },
  ),
  value(
    "alternatives about list entries",
    { type: "array", items: { ...string, oneOf: [{ pattern: "^a" }, { pattern: "b$" }] } },
    ["ab", "a", "c"],
  ),
  whole(
    "alternatives at the root",
    { type: "object", properties: { a: string, b: string }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    {},
  ),
  value("the same text is told once", { ...integer, allOf: [{ minimum: 5 }, { minimum: 5 }] }, 3),
];

function oneOf(...required: string[][]): StructuralSchema {
  return {
    type: "object",
    properties: { a: string, b: string, c: string, d: string },
    oneOf: required.map((names) => ({ required: names })),
  };
}

const pruning: SchemaCase[] = [
  value("unknown fields", { type: "object", properties: { a: string } }, { a: "x", b: 1, c: { d: 1 } }),
  whole(
    "unknown fields at the root",
    { type: "object", properties: { spec: { type: "object" } } },
    { apiVersion: "g/v1", kind: "K", metadata: { name: "x", unknown: 1 }, spec: { a: 1 }, extra: 1 },
  ),
  value("unknown fields in lists", { type: "array", items: { type: "object", properties: { a: string } } }, [
    { a: "x", b: 1 },
    { c: 1 },
  ]),
  value(
    "unknown fields in maps",
    { type: "object", additionalProperties: { type: "object", properties: { a: string } } },
    { "k.x": { a: "x", b: 1 } },
  ),
  value(
    "preserved fields",
    {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { a: { type: "object", properties: { b: string } } },
    },
    { a: { b: "x", c: 1 }, d: { e: 1 } },
  ),
  value(
    "preserved list entries",
    {
      type: "array",
      "x-kubernetes-preserve-unknown-fields": true,
      items: { type: "object", properties: { a: { type: "object", properties: { b: string } } } },
    } as StructuralSchema,
    [{ a: { b: "x", c: 1 }, d: 1 }],
  ),
  value(
    "embedded resource",
    {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: string } } },
    },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels: { a: "b" } }, spec: { a: "x", b: 1 }, status: {} },
  ),
  value(
    "embedded resource preserving",
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { a: 1 } },
  ),
  value("objects where nothing is declared", { type: "object" }, { a: 1 }),
  value(
    "additional properties allowed without a schema",
    { type: "object", additionalProperties: true } as StructuralSchema,
    { a: { b: 1 }, c: [{ d: 1 }] },
  ),
];

const embedded: SchemaCase[] = [
  ...(
    [
      ["without type", {}],
      ["with numbers", { apiVersion: 1, kind: 2 }],
      ["with empty texts", { apiVersion: "", kind: "" }],
      ["with a bad version", { apiVersion: "a/b/c", kind: "Pod" }],
      ["with a bad kind", { apiVersion: "v1", kind: "Po d" }],
      ["with a bad name", { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b" } }],
      [
        "with bad labels",
        { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { "a b": "x", ok: "not ok" } } },
      ],
      ["with a namespace", { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "Bad_Namespace" } }],
    ] as [string, Json][]
  ).map(([name, v]) =>
    value(
      `embedded resource ${name}`,
      { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      v,
    ),
  ),
];

const defaulting: SchemaCase[] = [
  value(
    "default",
    { type: "object", properties: { a: { ...string, default: "x" }, b: { ...integer, default: 0 } } },
    {},
  ),
  value(
    "default of an object",
    {
      type: "object",
      properties: { a: { type: "object", default: {}, properties: { b: { ...integer, default: 5 } } } },
    },
    {},
  ),
  value(
    "no default without its object",
    { type: "object", properties: { a: { type: "object", properties: { b: { ...integer, default: 5 } } } } },
    {},
  ),
  value(
    "default in list entries",
    { type: "array", items: { type: "object", properties: { a: { ...integer, default: 1 } } } },
    [{}, { a: 2 }],
  ),
  value(
    "default in maps",
    { type: "object", additionalProperties: { type: "object", properties: { a: { ...integer, default: 1 } } } },
    { k: {} },
  ),
  value("default for null", { type: "object", properties: { a: { ...string, default: "x" } } }, { a: null }),
  value(
    "null stays where nullable",
    { type: "object", properties: { a: { ...string, default: "x", nullable: true } } },
    { a: null },
  ),
  value("null goes without default", { type: "object", properties: { a: string } }, { a: null }),
  value("null in a map goes", { type: "object", additionalProperties: string }, { a: null, b: "x" }),
  value(
    "null in a map gets a default",
    { type: "object", additionalProperties: { ...string, default: "x" } },
    { a: null },
  ),
  value("null in a list gets a default", { type: "array", items: { ...string, default: "x" } }, [null, "a"]),
  value("null in a list stays", { type: "array", items: string }, [null, "a"]),
  value(
    "required is satisfied by a default",
    { type: "object", required: ["a"], properties: { a: { ...string, default: "x" } } },
    {},
  ),
  value(
    "false and zero are defaults",
    { type: "object", properties: { a: { type: "boolean", default: false }, b: { ...string, default: "" } } },
    {},
  ),
  value(
    "default is pruned by nothing",
    {
      type: "object",
      properties: { a: { type: "object", "x-kubernetes-preserve-unknown-fields": true, default: { z: [1] } } },
    },
    {},
  ),
];

const bounded = { ...integer, maximum: 10 };
const ratcheting: SchemaCase[] = [
  value("unchanged stays wrong", bounded, 50, 50),
  value("changed must be right", bounded, 51, 50),
  value(
    "unchanged beside a change",
    { type: "object", properties: { a: bounded, b: string } },
    { a: 50, b: "y" },
    { a: 50, b: "x" },
  ),
  value(
    "required at a changed parent",
    { type: "object", required: ["a"], properties: { a: string, b: string } },
    { b: "y" },
    { b: "x" },
  ),
  value(
    "required at an unchanged parent",
    { type: "object", required: ["a"], properties: { a: string, b: string } },
    { b: "x" },
    { b: "x" },
  ),
  value("unchanged list", { type: "array", items: bounded }, [50, 60], [50, 60]),
  value("changed list", { type: "array", items: bounded }, [50, 61], [50, 60]),
  value(
    "map list entries correlate by key",
    mapList("name"),
    [
      { name: "b", v: 60 },
      { name: "a", v: 51 },
      { name: "c", v: 99 },
    ],
    [
      { name: "a", v: 50 },
      { name: "b", v: 60 },
    ],
  ),
  value(
    "reordered map list is unchanged",
    { ...mapList("name"), maxItems: 1 },
    [{ name: "b" }, { name: "a" }],
    [{ name: "a" }, { name: "b" }],
  ),
  value(
    "map list with two keys",
    mapList("name", "port"),
    [
      { name: "a", port: 1, v: 50 },
      { name: "a", port: 2, v: 50 },
    ],
    [{ name: "a", port: 1, v: 50 }],
  ),
  value(
    "list within a map list entry",
    mapList("name"),
    [{ name: "a", list: [50], v: 1 }],
    [{ name: "a", list: [50], v: 2 }],
  ),
  value("maps correlate by key", { type: "object", additionalProperties: bounded }, { a: 50, b: 60 }, { a: 50, b: 61 }),
  value(
    "alternatives are not forgiven below a change",
    { type: "object", properties: { a: bounded, b: string }, allOf: [{ properties: { a: { minimum: 100 } } }] },
    { a: 50, b: "y" },
    { a: 50, b: "x" },
  ),
  value("alternatives are forgiven when unchanged", { ...integer, allOf: [{ minimum: 100 }] }, 50, 50),
  value(
    "same names on several levels",
    { type: "object", properties: { b: bounded, a: { type: "object", properties: { b: bounded } } } },
    { b: 50, a: { b: 60 } },
    { b: 50 },
  ),
  value(
    "unknown parts are never unchanged",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, required: ["a"] },
    { z: 1 },
    { z: 1 },
  ),
  whole(
    "apiVersion is not forgiven",
    { type: "object", properties: { apiVersion: { ...string, maxLength: 2 }, spec: { ...string, maxLength: 1 } } },
    { apiVersion: "g/v1", spec: "xx" },
    { apiVersion: "g/v1", spec: "xx" },
  ),
  whole(
    "apiVersion is not forgiven beside a change",
    { type: "object", properties: { apiVersion: { ...string, maxLength: 2 }, spec: string } },
    { apiVersion: "g/v1", spec: "x" },
    { apiVersion: "g/v1", spec: "y" },
  ),
  value(
    "enum unchanged",
    { type: "object", properties: { a: { ...string, enum: ["A"] }, b: string } },
    { a: "Z", b: "1" },
    { a: "Z", b: "2" },
  ),
];

/** All cases about schemas without CEL. */
export const schemaCases: readonly SchemaCase[] = [
  ...types,
  ...numbers,
  ...texts,
  ...formatCases(value),
  ...lists,
  ...objects,
  ...alternatives,
  ...pruning,
  ...embedded,
  ...defaulting,
  ...ratcheting,
];
