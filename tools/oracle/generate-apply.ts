/** Random sequences of applies and updates by several managers, over a random schema with every list and map type. */
import { type Json, type JsonObject, type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { Dice } from "./dice.ts";
import { randomJson } from "./generate-values.ts";
import type { ApplyStep, OracleCase } from "./oracle-case.ts";

const names = ["a", "b", "c"];
const text: StructuralSchema = { type: "string" };
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** A schema and a few writes. */
export function applyCase(dice: Dice): OracleCase {
  const spec = objectSchema(dice, 3);
  const schema: StructuralSchema = {
    type: "object",
    ...(dice.chance(0.05) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    properties: {
      spec: { ...spec, properties: { ...spec.properties, size: { type: "integer" } } },
      status: objectSchema(dice, 1),
    },
  };
  const length = dice.chance(0.05) ? 14 + dice.below(4) : 2 + dice.below(5);
  const many = length > 10;
  const steps = Array.from({ length }, (_, index) => randomStep(dice, schema, many ? `m${index}` : undefined));
  if (!dice.chance(0.2)) return { kind: "apply", schema, steps };
  const { spec: before = {}, status = {} } = schema.properties ?? {};
  const later = { ...otherTopology(dice, before), type: "object" } as const;
  const { "x-kubernetes-map-type": _, ...after } = later as StructuralSchema;
  const laterSchema = { ...schema, properties: { spec: after, status } };
  return { kind: "apply", schema, steps, laterSchema, laterFrom: 1 + dice.below(steps.length) };
}

function objectSchema(dice: Dice, depth: number): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {};
  for (const name of dice.some(["alpha", "beta", "gamma", "delta", "__proto__"], 0.7)) {
    Object.defineProperty(properties, name, { value: fieldSchema(dice, depth), enumerable: true });
  }
  return { type: "object", properties };
}

function fieldSchema(dice: Dice, depth: number): StructuralSchema {
  const scalar = dice.pick<StructuralSchema>([text, { type: "integer" }, { type: "boolean" }, { type: "number" }]);
  const kind = dice.below(depth > 0 ? 14 : 6);
  if (kind < 2) return scalar;
  if (kind === 2) return { "x-kubernetes-int-or-string": true };
  if (kind === 3) return { type: "array", items: text, "x-kubernetes-list-type": dice.pick(["set", "atomic"]) };
  if (kind === 4) return { type: "object", additionalProperties: text };
  if (kind === 5) return { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" };
  if (kind === 6) return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  if (kind === 7) return { "x-kubernetes-preserve-unknown-fields": true };
  if (kind === 8) return { ...objectSchema(dice, depth - 1), "x-kubernetes-map-type": "atomic" };
  if (kind === 9) return { type: "object", additionalProperties: objectSchema(dice, depth - 1) };
  if (kind < 12) return keyedList(dice, depth);
  if (kind === 12) return { ...objectSchema(dice, depth - 1), "x-kubernetes-embedded-resource": dice.chance(0.5) };
  return objectSchema(dice, depth - 1);
}

function keyedList(dice: Dice, depth: number): StructuralSchema {
  const item = objectSchema(dice, depth - 1);
  const protocol: StructuralSchema = dice.chance(0.6) ? { type: "string", default: "TCP" } : text;
  const isAtomic = dice.chance(0.1);
  return {
    type: "array",
    "x-kubernetes-list-type": dice.chance(0.9) ? "map" : "atomic",
    "x-kubernetes-list-map-keys": dice.chance(0.6) ? ["name"] : ["name", "protocol"],
    items: {
      ...item,
      properties: { ...item.properties, name: text, protocol },
      ...(isAtomic ? { "x-kubernetes-map-type": "atomic" } : {}),
    },
  };
}

function randomStep(dice: Dice, schema: StructuralSchema, updater: string | undefined): ApplyStep {
  const version = dice.chance(0.85) ? "v1" : "v2";
  const subresource = dice.chance(0.9) ? "" : "status";
  const manager = updater ?? dice.pick(["one", "one", "two", "three", "kubectl", ""]);
  const isApply = updater === undefined ? dice.chance(0.65) : dice.chance(0.1);
  const base = { manager, version, subresource } as const;
  if (!isApply) return { ...base, operation: "update", patch: updatePatch(dice, schema, version) };
  return { ...base, operation: "apply", force: dice.chance(0.35), config: configOf(dice, schema, version) };
}

function configOf(dice: Dice, schema: StructuralSchema, version: string): JsonObject {
  const metadata: MutableJsonObject = { name: "thing", ...randomMeta(dice) };
  if (dice.chance(0.01)) metadata["managedFields"] = [];
  return {
    apiVersion: `example.com/${dice.chance(0.99) ? version : "v9"}`,
    kind: "Thing",
    metadata,
    ...forVersion(membersOf(dice, schema, 0.8), version),
  };
}

function updatePatch(dice: Dice, schema: StructuralSchema, version: string): JsonObject {
  const metadata: MutableJsonObject = { name: "thing", ...randomMeta(dice) };
  if (dice.chance(0.03)) metadata["managedFields"] = dice.pick<Json>([[], [{}], [{ manager: "x" }]]);
  if (dice.chance(0.04)) metadata["managedFields"] = writtenManagers(dice, schema);
  const patch = forVersion(membersOf(dice, schema, 0.7), version);
  return { apiVersion: `example.com/${version}`, kind: "Thing", metadata, ...withNulls(dice, patch) };
}

/** managedFields as a client may write them: any fields, in any version, served or not. */
function writtenManagers(dice: Dice, schema: StructuralSchema): Json {
  return dice.some(["one", "two", "three"], 0.6).map((manager) => ({
    manager,
    operation: dice.pick(["Apply", "Update"]),
    apiVersion: dice.pick(["example.com/v1", "example.com/v1", "example.com/v2", "example.com/v9"]),
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": writtenFields(dice, schema.properties?.["spec"] ?? {}) },
  }));
}

function writtenFields(dice: Dice, schema: StructuralSchema): JsonObject {
  const fields: MutableJsonObject = dice.chance(0.3) ? { ".": {} } : {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (dice.chance(0.5)) setKey(fields, `f:${name}`, dice.chance(0.3) ? {} : writtenFields(dice, field));
  }
  if (schema.items !== undefined) {
    for (const name of dice.some(names, 0.5)) {
      const key = schema.items.properties === undefined ? `v:"${name}"` : `k:{"name":"${name}"}`;
      setKey(fields, key, dice.chance(0.3) ? {} : writtenFields(dice, schema.items));
    }
  }
  return fields;
}

/** The schema with some lists and objects atomic that were not, or the other way round. */
function otherTopology(dice: Dice, schema: StructuralSchema): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    Object.defineProperty(properties, name, { value: otherTopology(dice, field), enumerable: true });
  }
  const { "x-kubernetes-map-type": mapType, "x-kubernetes-list-type": listType, ...rest } = schema;
  const isGranular = listType === "set" || listType === "map";
  const changed: StructuralSchema = {
    ...rest,
    ...(listType === undefined
      ? {}
      : { "x-kubernetes-list-type": isGranular && dice.chance(0.3) ? "atomic" : listType }),
    ...(mapType !== undefined && dice.chance(0.7) ? { "x-kubernetes-map-type": mapType } : {}),
    ...(schema.type === "object" && dice.chance(0.15) ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
  return schema.properties === undefined ? changed : { ...changed, properties };
}

/** v2 calls spec.size spec.count. */
function forVersion(members: JsonObject, version: string): JsonObject {
  const spec = members["spec"] as JsonObject | null | undefined;
  if (version === "v1" || typeof spec !== "object" || spec === null) return members;
  const { size, ...rest } = spec;
  return { ...members, spec: size === undefined ? rest : { ...rest, count: size } };
}

function withNulls(dice: Dice, object: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    setKey(result, key, dice.chance(0.1) ? null : isObject ? withNulls(dice, value as JsonObject) : value);
  }
  return result;
}

function randomMeta(dice: Dice): JsonObject {
  const labels = Object.fromEntries(dice.some(names, 0.3).map((name) => [name, dice.pick(["1", "2"])]));
  const config = { apiVersion: "example.com/v1", kind: "Thing", spec: { size: dice.below(3) } };
  return {
    ...(dice.chance(0.5) ? { labels } : {}),
    ...(dice.chance(0.1) ? { annotations: { [lastApplied]: JSON.stringify(config) } } : {}),
    ...(dice.chance(0.2) ? { finalizers: dice.some(names, 0.5) } : {}),
    ...(dice.chance(0.1) ? { ownerReferences: dice.some(names, 0.4).map((uid) => ({ uid, name: uid })) } : {}),
  };
}

function randomValue(dice: Dice, schema: StructuralSchema): Json {
  if (dice.chance(0.004)) return randomJson(dice, 1);
  if (dice.chance(0.02)) return null;
  switch (schema.type) {
    case "string":
      return dice.pick(names);
    case "integer":
      return dice.below(3);
    case "number":
      return dice.pick([0.5, 1, 2.25]);
    case "boolean":
      return dice.chance(0.5);
    case "array":
      return listOf(dice, schema);
    case "object":
      return objectOf(dice, schema);
    default:
      return schema["x-kubernetes-int-or-string"] === true ? dice.pick<Json>([1, "50%"]) : randomJson(dice, 2);
  }
}

function objectOf(dice: Dice, schema: StructuralSchema): Json {
  if (schema.properties !== undefined) return membersOf(dice, schema, 0.6);
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== "object") {
    return Object.fromEntries(dice.some(names, 0.6).map((name) => [name, randomJson(dice, 2)]));
  }
  return Object.fromEntries(dice.some(names, 0.6).map((name) => [name, randomValue(dice, additionalProperties)]));
}

function membersOf(dice: Dice, schema: StructuralSchema, probability: number): JsonObject {
  const object: MutableJsonObject = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (dice.chance(probability)) setKey(object, name, randomValue(dice, field));
  }
  if (dice.chance(0.004)) object["undeclared"] = 1;
  return object;
}

function listOf(dice: Dice, schema: StructuralSchema): Json {
  const { items = text } = schema;
  if (items.properties === undefined) {
    const values: readonly Json[] = items.type === "integer" ? [0, 1, 2, 10] : names;
    const picked = dice.some(values, 0.6);
    return dice.chance(0.03) ? [...picked, dice.pick(values)] : picked;
  }
  return dice.some(names, 0.6).flatMap((name): Json[] => {
    const item = randomValue(dice, items) as JsonObject | null;
    if (typeof item !== "object" || item === null || dice.chance(0.01)) return [item];
    const { protocol: _, ...rest } = item;
    const protocols = dice.pick([[], [], ["TCP"], ["UDP"], ["TCP", "UDP"]]);
    if (protocols.length === 0) return [{ ...rest, name }];
    return protocols.map((protocol) => ({ ...rest, name, protocol }));
  });
}
