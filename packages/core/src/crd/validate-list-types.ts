/** List and map types of a CRD's schema: which may stand where, and what their items must be. Used by validate-schema.ts. */
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../protocol/field-error.ts";
import { itemsOf, type OpenApiSchema } from "./crd-input.ts";

/** Errors of x-kubernetes-list-type, -list-map-keys and -map-type of one node. */
export function validateListAndMapTypes(schema: OpenApiSchema, path: string): FieldError[] {
  return [
    ...validateMapType(schema, path),
    ...validateListType(schema, path),
    ...validateListMapKeys(schema, path),
    ...validateItemsOfKeyedList(schema, path),
  ];
}

function validateMapType(schema: OpenApiSchema, path: string): FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return [];
  const detail = "must be object if x-kubernetes-map-type is specified";
  return [
    ...(schema.type === "object" ? [] : [wrongType(schema, path, detail)]),
    ...unsupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"]),
  ];
}

function validateListType(schema: OpenApiSchema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === undefined) return [];
  const detail = "must be array if x-kubernetes-list-type is specified";
  return [
    ...(schema.type === "array" ? validateSetItems(schema, path) : [wrongType(schema, path, detail)]),
    ...unsupported(`${path}.x-kubernetes-list-type`, listType, ["atomic", "set", "map"]),
  ];
}

/** Items of a set are compared as wholes, so they must be atomic. */
function validateSetItems(schema: OpenApiSchema, path: string): FieldError[] {
  const items = itemsOf(schema);
  if (schema["x-kubernetes-list-type"] !== "set" || items === undefined) return [];
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items["x-kubernetes-list-type"];
  if (items.type === "array" && listType !== undefined && listType !== "atomic") {
    return [fieldInvalid(`${path}.items.x-kubernetes-list-type`, listType, detail)];
  }
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    return [fieldInvalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail)];
  }
  return [];
}

function validateListMapKeys(schema: OpenApiSchema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const errors: FieldError[] = [];
  if (keys.length > 0 && listType !== "map") {
    const field = `${path}.x-kubernetes-list-type`;
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? fieldRequired(field, detail) : fieldInvalid(field, listType, detail));
  }
  if (listType !== "map") return errors;
  if (keys.length === 0) {
    const detail = "must not be empty if x-kubernetes-list-type is map";
    errors.push(fieldRequired(`${path}.x-kubernetes-list-map-keys`, detail));
  }
  if (schema.items === undefined) {
    errors.push(fieldRequired(`${path}.items`, "must have a schema if x-kubernetes-list-type is map"));
  }
  const items = itemsOf(schema);
  if (items === undefined) return errors;
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, fieldInvalid(`${path}.items.type`, items.type ?? "", detail)];
  }
  return [...errors, ...validateKeyProperties(schema, items, path)];
}

function validateKeyProperties(schema: OpenApiSchema, items: OpenApiSchema, path: string): FieldError[] {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const field = `${path}.x-kubernetes-list-map-keys`;
  return keys.flatMap((key, index) => {
    const property = propertyOf(items, key);
    const errors: FieldError[] = [];
    if (property === undefined) {
      errors.push(fieldInvalid(field, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fieldInvalid(`${path}.items.properties[${key}].type`, items.type ?? "", detail));
    }
    if (keys.indexOf(key) < index) errors.push(fieldInvalid(field, keys, "must not contain duplicate entries"));
    return errors;
  });
}

/** Items of sets and maps may not be null, and a map's keys must always have a value. */
function validateItemsOfKeyedList(schema: OpenApiSchema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const items = itemsOf(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(fieldForbidden(`${path}.items.nullable`, detail));
  }
  const named = "this property is in x-kubernetes-list-map-keys, so it";
  for (const key of listType === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!items.required?.includes(key) && property.default === undefined) {
      errors.push(fieldRequired(`${field}.default`, `${named} must have a default or be a required property`));
    }
    if (property.nullable === true) errors.push(fieldForbidden(`${field}.nullable`, `${named} cannot be nullable`));
  }
  return errors;
}

function propertyOf(schema: OpenApiSchema, name: string): OpenApiSchema | undefined {
  return Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
}

function wrongType(schema: OpenApiSchema, path: string, detail: string): FieldError {
  const { type = "" } = schema;
  return type === "" ? fieldRequired(`${path}.type`, detail) : fieldInvalid(`${path}.type`, type, detail);
}

function unsupported(field: string, value: string, supported: readonly string[]): FieldError[] {
  return supported.includes(value) ? [] : [fieldNotSupported(field, value, supported)];
}
