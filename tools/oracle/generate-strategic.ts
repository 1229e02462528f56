/** Random strategic merge patches: a schema with patch strategies, a document of it, and a patch with directives. */
import { type Json, type JsonObject, type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { Dice } from "./dice.ts";
import { randomJson } from "./generate-values.ts";
import type { OracleCase } from "./oracle-case.ts";

const fieldNames = ["alpha", "beta", "gamma", "delta", "__proto__"];
const itemNames = ["a", "b", "c", "d", "e"];
const text: StructuralSchema = { type: "string" };

/** A schema, a document and a patch. */
export function strategicCase(dice: Dice): OracleCase {
  const schema = objectSchema(dice, 3);
  const document = membersOf(dice, schema, documentOf);
  const patch = dice.chance(0.98) ? patchObject(dice, schema) : dice.pick([[1], 5, "x", null]);
  return { kind: "strategic", document, patch, schema };
}

function objectSchema(dice: Dice, depth: number): StructuralSchema {
  const properties: Record<string, StructuralSchema> = {};
  const names = dice.some(fieldNames, 0.7);
  for (const name of names) {
    Object.defineProperty(properties, name, { value: fieldSchema(dice, depth), enumerable: true });
  }
  return { type: "object", properties: { ...properties, name: text } };
}

function fieldSchema(dice: Dice, depth: number): StructuralSchema {
  const kind = dice.below(depth > 0 ? 9 : 4);
  if (kind === 0) return text;
  if (kind === 1) return { type: "object", additionalProperties: text };
  if (kind === 2) return { type: "array", items: text };
  if (kind === 3) return { type: "array", items: text, "x-kubernetes-patch-strategy": "merge" };
  if (kind < 6) {
    const strategy = dice.pick(["", "", "replace", "retainKeys"]);
    return { ...objectSchema(dice, depth - 1), ...(strategy && { "x-kubernetes-patch-strategy": strategy }) };
  }
  return {
    type: "array",
    items: objectSchema(dice, depth - 1),
    ...dice.pick([
      { "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" },
      { "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" },
      { "x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name" },
      { "x-kubernetes-patch-strategy": "merge" },
      {},
    ]),
  };
}

/** A value that mostly fits the schema. Lists of items have distinct names: Go's own results on others depend on memory. */
function documentOf(dice: Dice, schema: StructuralSchema): Json {
  if (dice.chance(0.02)) return randomJson(dice, 1);
  if (schema.type === "string") return dice.pick(itemNames);
  if (schema.type === "array") return listOf(dice, schema, documentOf);
  if (schema.properties === undefined) return Object.fromEntries(dice.some(itemNames, 0.5).map((name) => [name, "v"]));
  return membersOf(dice, schema, documentOf);
}

type Maker = (dice: Dice, schema: StructuralSchema) => Json;

function listOf(dice: Dice, schema: StructuralSchema, make: Maker): readonly Json[] {
  const { items = text } = schema;
  if (items.type === "string") return dice.some(itemNames, 0.5);
  return dice.some(itemNames, 0.5).map((name) => {
    const item = make(dice, items);
    return typeof item === "object" && item !== null && dice.chance(0.97) ? { ...item, name } : item;
  });
}

function membersOf(dice: Dice, schema: StructuralSchema, make: Maker): JsonObject {
  const object: MutableJsonObject = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (dice.chance(0.7)) setKey(object, name, dice.chance(0.04) ? null : make(dice, field));
  }
  return object;
}

function patchOf(dice: Dice, schema: StructuralSchema): Json {
  if (dice.chance(0.02)) return randomJson(dice, 1);
  if (schema.type === "string") return dice.pick(itemNames);
  if (schema.type === "array") return patchList(dice, schema);
  if (schema.properties === undefined) {
    return Object.fromEntries(dice.some(itemNames, 0.4).map((name) => [name, dice.pick(["v", "w", null])]));
  }
  return patchObject(dice, schema);
}

function patchObject(dice: Dice, schema: StructuralSchema): JsonObject {
  const patch: MutableJsonObject = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!dice.chance(0.5)) continue;
    const value = dice.chance(0.08) ? null : patchOf(dice, field);
    setKey(patch, name, value);
    if (field.type === "array") addListDirectives(dice, patch, { name, field, value });
  }
  if (dice.chance(0.04)) patch["unknown"] = randomJson(dice, 2);
  if (dice.chance(0.06)) patch["$patch"] = dice.pick(["replace", "delete", "merge", "explode"]);
  if (dice.chance(0.08)) patch["$retainKeys"] = retainedKeys(dice, patch, schema);
  return patch;
}

function retainedKeys(dice: Dice, patch: JsonObject, schema: StructuralSchema): Json {
  if (dice.chance(0.05)) return "all";
  const own = Object.keys(patch).filter((key) => !key.startsWith("$") && dice.chance(0.95));
  return [...own, ...dice.some(Object.keys(schema.properties ?? {}), 0.3)];
}

interface ListField {
  readonly name: string;
  readonly field: StructuralSchema;
  readonly value: Json;
}

function addListDirectives(dice: Dice, patch: MutableJsonObject, { name, field, value }: ListField): void {
  const isScalars = field.items?.type === "string";
  if (isScalars && dice.chance(0.25)) {
    const added = Array.isArray(value) ? value : [];
    const gone = dice.some(itemNames, 0.4).filter((item) => !added.includes(item));
    patch[`$deleteFromPrimitiveList${dice.chance(0.02) ? "" : "/"}${name}`] = dice.chance(0.03) ? null : gone;
    if (dice.chance(0.5)) delete patch[name];
  }
  if (dice.chance(0.35)) {
    const key = `$setElementOrder${dice.chance(0.02) ? "" : "/"}${name}`;
    setKey(patch, key, dice.chance(0.02) ? "x" : elementOrder(dice, value, isScalars));
    if (dice.chance(0.2)) delete patch[name];
  }
}

/** Mostly an order that agrees with the patch's own list and names further items. */
function elementOrder(dice: Dice, value: Json, isScalars: boolean): Json {
  const listed = (Array.isArray(value) ? (value as Json[]) : []).map((item) =>
    isScalars ? item : (item as JsonObject | null)?.["name"],
  );
  const order: Json[] = listed.filter((item) => item !== undefined);
  for (const extra of dice.some(itemNames, 0.4)) {
    if (!order.includes(extra)) order.splice(dice.below(order.length + 1), 0, extra);
  }
  const shuffled = dice.chance(0.1) ? dice.some(order, 0.8) : order;
  return isScalars ? shuffled : shuffled.map((name) => ({ name }));
}

function patchList(dice: Dice, schema: StructuralSchema): Json {
  if (schema.items?.type === "string") return dice.some(itemNames, 0.4);
  const items = listOf(dice, schema, patchOf);
  if (!dice.chance(0.3)) return items;
  return items.map((item) => {
    if (!dice.chance(0.4) || typeof item !== "object" || item === null) return item;
    return { ...item, $patch: dice.pick(["delete", "delete", "delete", "replace", "merge", "explode"]) };
  });
}
