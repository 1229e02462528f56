/**
 * The strategy of custom resources, made from one version of their CRD: unknown fields are pruned, defaults filled in
 * and values validated by the version's schema. custom-resources.ts makes one per served version.
 */
import {
  applyDefaults,
  dropNulls,
  prune,
  validate,
  validateEmbedded,
  validateListTypes,
} from "@kubewright/core/engine";
import { getKey, isJsonArray, isJsonObject, type Json } from "@kubewright/core/meta";
import type { FieldError } from "@kubewright/core/protocol";
import type { CrdVersion, StructuralSchema } from "@kubewright/core/schema";
import type { ApiObject } from "../resource/object.ts";
import type { Strategy } from "../resource/strategy.ts";

/** The strategy of one version. */
export function customResourceStrategy(version: CrdVersion): Strategy {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const hasStatus = version.subresources?.status !== undefined;
  return {
    unconditionalUpdate: false,
    generation: true,
    selectableFields: selectableFields(version),
    applyDefaults: (object) => settle(object, schema),
    prepareForCreate: (object) => (hasStatus ? withoutStatus(object) : object),
    validate: (object, current) => validateObject(object, current, schema),
  };
}

function settle(object: ApiObject, schema: StructuralSchema): ApiObject {
  const { value } = prune(object, schema);
  return applyDefaults(dropNulls(value, schema), schema);
}

function withoutStatus(object: ApiObject): ApiObject {
  const { status: _, ...rest } = object;
  return rest as ApiObject;
}

function validateObject(object: ApiObject, current: ApiObject | undefined, schema: StructuralSchema): FieldError[] {
  const options = current === undefined ? {} : { old: current };
  return [
    ...validate(object, schema, options),
    ...validateEmbedded(object, schema),
    ...validateListTypes(object, schema, options),
  ];
}

function selectableFields({
  selectableFields: fields = [],
}: CrdVersion): Record<string, (object: ApiObject) => string> {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const names = jsonPath.split(".").filter((name) => name !== "");
      return [names.join("."), (object: ApiObject) => formatField(valueAt(object, names))];
    }),
  );
}

function valueAt(value: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return value;
  return isJsonObject(value) ? valueAt(getKey(value, name), rest) : undefined;
}

function formatField(value: Json | undefined): string {
  return value === undefined || value === null || isJsonObject(value) || isJsonArray(value) ? "" : String(value);
}
