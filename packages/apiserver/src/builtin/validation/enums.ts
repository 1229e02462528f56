/** Values of enumerations, checked by the kind's schema: everywhere but in metadata and status. */
import { schemaOf } from "@kubewright/api/schemas";
import { type GroupVersionKind, isJsonArray, isJsonObject, type Json } from "@kubewright/core/meta";
import { type FieldError, fieldNotSupported } from "@kubewright/core/protocol";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { ApiObject } from "../../resource/object.ts";

/** What is wrong with the enumerated values of an object. Absent and empty values are not its business. */
export function validateEnums({ group, version, kind }: GroupVersionKind, object: ApiObject): FieldError[] {
  const { properties = {} } = schemaOf(group, version, kind) ?? {};
  const errors: FieldError[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (name !== "metadata" && name !== "status") collect(object[name], schema, { field: name, errors });
  }
  return errors;
}

interface Place {
  readonly field: string;
  readonly errors: FieldError[];
}

function collect(value: Json | undefined, schema: StructuralSchema, { field, errors }: Place): void {
  if (typeof value === "string") {
    const { enum: supported } = schema;
    if (value !== "" && supported !== undefined && !supported.includes(value)) {
      errors.push(fieldNotSupported(field, value, supported));
    }
  } else if (isJsonArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) collect(item, items, { field: `${field}[${index}]`, errors });
  } else if (isJsonObject(value)) {
    const { properties = {}, additionalProperties: values } = schema;
    for (const [name, item] of Object.entries(value)) {
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (part !== undefined) collect(item, part, { field: `${field}.${name}`, errors });
      else if (typeof values === "object") collect(item, values, { field: `${field}[${name}]`, errors });
    }
  }
}
