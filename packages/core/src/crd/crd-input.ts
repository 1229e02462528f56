/**
 * A CRD as somebody wrote it, before it is known to be valid: wider than `Crd`, because validation must name what CRDs may
 * not hold. JSON types are those the API server decoded; everything beyond is what validate-crd.ts checks.
 */
import type { Json } from "../meta/json.ts";
import type { CrdNames, CrdScale } from "../schema/crd.ts";
import type { ValidationRule } from "../schema/structural.ts";

/** A JSON Schema in a CRD, structural or not. */
export interface OpenApiSchema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly required?: readonly string[];
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema | readonly OpenApiSchema[];
  readonly allOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly not?: OpenApiSchema;
  readonly definitions?: Readonly<Record<string, OpenApiSchema>>;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-validations"?: readonly Partial<
    Omit<ValidationRule, "reason"> & { readonly reason: string }
  >[];
}

/** One version of a CRD to be validated. */
export interface CrdVersionInput {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: OpenApiSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: Partial<CrdScale> };
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
  readonly additionalPrinterColumns?: readonly {
    readonly name?: string;
    readonly type?: string;
    readonly format?: string;
    readonly jsonPath?: string;
    readonly priority?: number;
    readonly description?: string;
  }[];
}

/** How versions are converted, to be validated. */
export interface CrdConversionInput {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly caBundle?: string;
      readonly service?: {
        readonly namespace?: string;
        readonly name?: string;
        readonly path?: string;
        readonly port?: number;
      };
    };
    readonly conversionReviewVersions?: readonly string[];
  };
}

/** A CRD to be validated, after defaulting. */
export interface CrdInput {
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly group?: string;
    readonly names?: Partial<CrdNames>;
    readonly scope?: string;
    readonly versions?: readonly CrdVersionInput[];
    readonly conversion?: CrdConversionInput;
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: {
    readonly storedVersions?: readonly string[];
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  };
}

/** The schema of list items, where it is one schema. */
export function itemsOf(schema: OpenApiSchema): OpenApiSchema | undefined {
  const { items } = schema;
  return items === undefined || Array.isArray(items) ? undefined : (items as OpenApiSchema);
}

/** The schema of a map's values, where it is a schema. */
export function additionalSchemaOf(schema: OpenApiSchema): OpenApiSchema | undefined {
  const { additionalProperties } = schema;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** True when a keyword is there and not Go's zero value, which API servers cannot tell from absent. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
