/**
 * What apply needs to know about a type: may it be a scalar, a list, an object; how do lists and objects merge. Read
 * from structural schemas, level by level and only when asked (schemas may be recursive), and remembered per schema.
 */
import { isJsonArray, isJsonObject, type Json } from "../../meta/json.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { objectMetaSchema } from "./object-meta-schema.ts";

/** The scalars a type takes. */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** A type: at least one of the three. */
export interface TypeView {
  readonly scalar?: ScalarType;
  readonly list?: ListView;
  readonly map?: MapView;
}

/** A list type. */
export interface ListView {
  /** An atomic list is replaced and owned as a whole; an associative one is a set, or a map when it has keys. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
  /** What stands for keys that an item must have and has not: Go's zero values, in built-in kinds. @default nothing */
  readonly zeroKeys?: ReadonlyMap<string, Json>;
  element(): TypeView;
}

/** An object type. */
export interface MapView {
  readonly atomic: boolean;
  /** True when there are no declared fields and any value is taken. */
  readonly untyped: boolean;
  /** True when the field is declared by name. */
  declares(name: string): boolean;
  /** The type of a field, declared or not; undefined when the field may not be there. */
  field(name: string): TypeView | undefined;
  /** The schema's default of a declared field. */
  defaultOf(name: string): Json | undefined;
}

/** Which of its forms a type takes for a value. */
export type Shape =
  | { readonly kind: "map"; readonly map: MapView }
  | { readonly kind: "list"; readonly list: ListView }
  | { readonly kind: "scalar"; readonly scalar: ScalarType };

const resourceViews = new WeakMap<StructuralSchema, TypeView>();

/** The view of a whole resource: its schema, with the fields that every object has. */
export function resourceView(schema: StructuralSchema): TypeView {
  const known = resourceViews.get(schema);
  if (known !== undefined) return known;
  const view = { map: mapView(withResourceFields(schema), preserves(schema)) };
  resourceViews.set(schema, view);
  return view;
}

/** The form that `value` has in this type; for values that fit none (null, say) the type's first form. */
export function shapeOf(view: TypeView, value: Json | undefined): Shape | undefined {
  if (isJsonArray(value)) {
    if (view.list !== undefined) return { kind: "list", list: view.list };
  } else if (isJsonObject(value)) {
    if (view.map !== undefined) return { kind: "map", map: view.map };
  } else if (value !== null && value !== undefined && view.scalar !== undefined) {
    return { kind: "scalar", scalar: view.scalar };
  }
  if (view.map !== undefined) return { kind: "map", map: view.map };
  if (view.scalar !== undefined) return { kind: "scalar", scalar: view.scalar };
  return view.list && { kind: "list", list: view.list };
}

/** True when both values take the same forms of the type, so that they are compared in one way. */
export function sameForm(view: TypeView, left: Json, right: Json): boolean {
  return formOf(view, left) === formOf(view, right);
}

function formOf(view: TypeView, value: Json): string {
  const forms = [view.map && "map", view.scalar && "scalar", view.list && "list"].filter((form) => form !== undefined);
  if (forms.length === 1) return forms[0] ?? "";
  const own = isJsonArray(value) ? "list" : isJsonObject(value) ? "map" : value === null ? "" : "scalar";
  return forms.includes(own) ? own : "any";
}

/** Values without a schema: objects merge field by field, lists are atomic. */
const deducedView: TypeView = {
  scalar: "untyped",
  list: { atomic: true, keys: [], element: () => atomicView },
  map: {
    atomic: false,
    untyped: true,
    declares: () => false,
    field: () => deducedView,
    defaultOf: () => undefined,
  },
};

/** Values below a list without a schema: everything is a leaf. */
const atomicView: TypeView = {
  scalar: "untyped",
  list: { atomic: true, keys: [], element: () => atomicView },
  map: {
    atomic: true,
    untyped: false,
    declares: () => false,
    field: () => atomicView,
    defaultOf: () => undefined,
  },
};

function viewOf(schema: StructuralSchema, inherited: boolean): TypeView {
  // Built-in kinds give the format, and mean scalars only; a CRD's int-or-string has no type at all and so takes anything.
  if (schema.format === "int-or-string") return { scalar: "untyped" };
  const preserve = inherited || preserves(schema);
  const declared = schema["x-kubernetes-embedded-resource"] === true ? withResourceFields(schema) : schema;
  switch (schema["x-kubernetes-int-or-string"] === true ? undefined : schema.type) {
    case "object":
      return { map: mapView(declared, preserve) };
    case "array":
      return { list: listView(schema, preserve) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string":
      return { scalar: (schema.format ?? "") === "" || schema.format === "byte" ? "string" : "untyped" };
    default:
      return { scalar: "untyped", list: listView(schema, preserve), map: mapView(declared, preserve) };
  }
}

function mapView(schema: StructuralSchema, preserve: boolean): MapView {
  const properties = schema.properties ?? {};
  const fields = new Map<string, TypeView>();
  const element = once(() => elementView(schema, preserve));
  const declares = (name: string): boolean => Object.hasOwn(properties, name);
  return {
    atomic: schema["x-kubernetes-map-type"] === "atomic",
    get untyped() {
      return schema.properties === undefined && element() === deducedView;
    },
    declares,
    field: (name) => {
      if (!declares(name)) return element();
      const property = properties[name] as StructuralSchema;
      const known = fields.get(name) ?? viewOf(property, preserve && property !== objectMetaSchema);
      fields.set(name, known);
      return known;
    },
    defaultOf: (name) => (declares(name) ? properties[name]?.default : undefined),
  };
}

/** The type of undeclared fields; undefined when there may be none. */
function elementView(schema: StructuralSchema, preserve: boolean): TypeView | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === "object") return viewOf(additional, preserve);
  if (additional !== undefined) return additional ? deducedView : undefined;
  const free = Object.keys(schema.properties ?? {}).length === 0;
  return preserve || free ? deducedView : undefined;
}

function listView(schema: StructuralSchema, preserve: boolean): ListView {
  const { items } = schema;
  const element = once(() => (items === undefined ? atomicView : viewOf(items, preserve)));
  const zeroKeys = zeroKeysOf(schema);
  return { ...listRelationship(schema), ...(zeroKeys.size > 0 && { zeroKeys }), element };
}

/** Only lists of built-in kinds have a merge key. */
function zeroKeysOf(schema: StructuralSchema): ReadonlyMap<string, Json> {
  const { items, "x-kubernetes-patch-merge-key": mergeKey } = schema;
  const keys = mergeKey === undefined ? [] : (schema["x-kubernetes-list-map-keys"] ?? [mergeKey]);
  const required = keys.filter((key) => items?.required?.includes(key));
  return new Map(required.map((key) => [key, items?.properties?.[key]?.type === "integer" ? 0 : ""]));
}

/** The list type, or what the patch strategy of a built-in list says instead. */
function listRelationship(schema: StructuralSchema): { atomic: boolean; keys: readonly string[] } {
  const type = schema["x-kubernetes-list-type"];
  if (type !== undefined) {
    const keys = type === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : [];
    return { atomic: type === "atomic", keys };
  }
  const merges = (schema["x-kubernetes-patch-strategy"] ?? "").split(",").includes("merge");
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  return { atomic: !merges, keys: merges && mergeKey !== undefined ? [mergeKey] : [] };
}

function withResourceFields(schema: StructuralSchema): StructuralSchema {
  const text = { type: "string" } as const;
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema } };
}

function preserves(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
