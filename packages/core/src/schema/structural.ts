/**
 * Structural schemas: the subset of OpenAPI v3 that CRDs are written in, as they stand in a CRD's YAML.
 * `defineResource` writes them; validation, pruning, defaulting, apply and OpenAPI publishing read them.
 */
import type { Json } from "../meta/json.ts";

/** One rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Value validations, which may also stand inside allOf, anyOf, oneOf and not. */
export interface ValueValidation {
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly maximum?: number | bigint;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
}

/** A schema as a CRD holds it (JSONSchemaProps, restricted to what structural schemas may use). */
export interface StructuralSchema extends ValueValidation {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly example?: Json;
  readonly externalDocs?: { readonly url?: string; readonly description?: string };
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
  /** Strategic merge patch only, so only in schemas of built-in kinds. */
  readonly "x-kubernetes-patch-strategy"?: string;
  /** Strategic merge patch only, so only in schemas of built-in kinds. */
  readonly "x-kubernetes-patch-merge-key"?: string;
}
