/**
 * Validates one schema of a CRD: what CRDs may not use, list and map types, rules, defaults, and whether it is structural.
 * Messages and paths are kube-apiserver's. Used by validate-crd.ts.
 */
import { childrenPerNode, type ExpressionCost, schemaCostProblems } from "../engine/cel/rule-costs.ts";
import { ruleCompileProblems, ruleTextProblems } from "../engine/cel/rule-problems.ts";
import type { Json } from "../meta/json.ts";
import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from "../protocol/field-error.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { additionalSchemaOf, isSet, itemsOf, type OpenApiSchema } from "./crd-input.ts";
import { validateDefaults } from "./validate-default.ts";
import { validateListAndMapTypes } from "./validate-list-types.ts";
import { structuralProblem, validateStructural } from "./validate-structural.ts";

/** All errors of the schema at `path` (which ends in openAPIV3Schema). */
export function validateSchema(
  schema: OpenApiSchema,
  path: string,
  options: {
    readonly hasStatus: boolean;
    /** The stored CRD has the same schema, so what its rules cost was judged before. */
    readonly isUnchanged: boolean;
  },
): FieldError[] {
  const root = [...(options.hasStatus ? validateStatusRoot(schema, path) : []), ...validateRootNullable(schema, path)];
  const unreadable = structuralProblem(schema);
  const structural = unreadable === undefined ? validateStructural(schema, path) : [];
  const sound = unreadable === undefined && structural.length === 0;
  const defaults = sound ? validateDefaults(schema, path) : [];
  const compile = sound && defaults.length === 0;
  const walked = validateNode(schema, {
    path,
    isRoot: true,
    allowDefaults: true,
    reason: "",
    insideMeta: false,
    uncorrelatable: undefined,
    occurrences: 1,
    judgeCosts: !options.isUnchanged,
    compile,
  });
  const errors = [...root, ...structural, ...defaults, ...walked.schemaErrors, ...walked.celErrors];
  // These say again what the walk says in its own words, so they are told only where it says nothing.
  if (errors.length === 0 && unreadable !== undefined) return [fieldInvalid(path, "", unreadable)];
  return [...errors, ...schemaCostProblems(walked.costs, path)];
}

/** Keywords allowed at the root beside a status subresource, named as in kube-apiserver's message. */
const ROOT_FIELDS: Readonly<Record<string, string>> = {
  description: "Description",
  type: "Type",
  format: "Format",
  title: "Title",
  maximum: "Maximum",
  exclusiveMaximum: "ExclusiveMaximum",
  minimum: "Minimum",
  exclusiveMinimum: "ExclusiveMinimum",
  maxLength: "MaxLength",
  minLength: "MinLength",
  pattern: "Pattern",
  maxItems: "MaxItems",
  minItems: "MinItems",
  uniqueItems: "UniqueItems",
  multipleOf: "MultipleOf",
  required: "Required",
  items: "Items",
  properties: "Properties",
  externalDocs: "ExternalDocs",
  example: "Example",
  "x-kubernetes-preserve-unknown-fields": "XPreserveUnknownFields",
  "x-kubernetes-validations": "XValidations",
};

/** Validation of status is taken from properties.status alone, so the root may not add what would be lost. */
function validateStatusRoot(schema: OpenApiSchema, path: string): FieldError[] {
  const subject = "if the status subresource is enabled";
  if (isSet(schema.type) && schema.type !== "object") {
    const detail = `only "object" is allowed as the type at the root of the schema ${subject}`;
    return [fieldInvalid(`${path}.type`, schema.type, detail)];
  }
  const extra = Object.keys(schema).some((key) => isSet(schema[key]) && !Object.hasOwn(ROOT_FIELDS, key));
  if (!extra) return [];
  const allowed = `[${Object.values(ROOT_FIELDS).join(" ")}]`;
  const detail = `only ${allowed} fields are allowed at the root of the schema ${subject}`;
  return [fieldInvalid(path, schema as Json as never, detail)];
}

function validateRootNullable(schema: OpenApiSchema, path: string): FieldError[] {
  return schema.nullable === true ? [fieldForbidden(`${path}.nullable`, "nullable cannot be true at the root")] : [];
}

interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  readonly allowDefaults: boolean;
  /** Why defaults are not allowed. */
  readonly reason: string;
  /** Inside apiVersion, kind or metadata of the object or of an embedded one. */
  readonly insideMeta: boolean;
  /** The nearest ancestor whose values cannot be followed from one version of the object to the next. */
  readonly uncorrelatable: string | undefined;
  /** How many values there can be here; undefined when nothing limits them. */
  readonly occurrences: number | undefined;
  /** Whether the cost of each rule is judged. */
  readonly judgeCosts: boolean;
  /** Whether rules are compiled here: only in sound schemas. */
  readonly compile: boolean;
}

interface NodeErrors {
  readonly schemaErrors: readonly FieldError[];
  readonly celErrors: readonly FieldError[];
  /** What the rules at this node and below can cost. */
  readonly costs: readonly ExpressionCost[];
}

function validateNode(schema: OpenApiSchema, place: Place): NodeErrors {
  const below = childPlaces(schema, place).map(([child, childPlace]) => validateNode(child, childPlace));
  const schemaErrors = [
    ...validateKeywords(schema, place),
    ...below.flatMap((errors) => errors.schemaErrors),
    ...validateListAndMapTypes(schema, place.path),
    ...ruleTextProblems(schema as StructuralSchema, place.path),
  ];
  const celErrors = below.flatMap((errors) => errors.celErrors);
  const costs = below.flatMap((errors) => errors.costs);
  // Rules over a schema that is wrong at this level or deeper give messages nobody can act on.
  if (schemaErrors.length > 0 || !place.compile) return { schemaErrors, celErrors, costs };
  const compiled = ruleCompileProblems(schema as StructuralSchema, place);
  return { schemaErrors, celErrors: [...celErrors, ...compiled.problems], costs: [...costs, ...compiled.costs] };
}

const META_FIELDS = new Set(["metadata", "kind", "apiVersion"]);

/** The schemas below a node. Rules are compiled only where values are described, not below junctors. */
function childPlaces(schema: OpenApiSchema, place: Place): (readonly [OpenApiSchema, Place])[] {
  const { path } = place;
  const inside = { ...place, isRoot: false, occurrences: occurrencesBelow(schema, place) };
  const nested = { ...inside, compile: false };
  const additional = additionalSchemaOf(schema);
  const items = itemsOf(schema);
  // Only items of keyed lists can be found again in another version of the object.
  const isKeyed = schema["x-kubernetes-list-type"] === "map";
  const elements = isKeyed ? {} : { uncorrelatable: place.uncorrelatable ?? path };
  const forbidden = { allowDefaults: false, reason: "inside additionalProperties applying to object metadata" };
  const junctor = (name: "allOf" | "oneOf" | "anyOf") =>
    (schema[name] ?? []).map((option, index) => [option, { ...nested, path: `${path}.${name}[${index}]` }] as const);
  return [
    ...(additional === undefined
      ? []
      : [
          [
            additional,
            { ...inside, ...(place.insideMeta ? forbidden : {}), path: `${path}.additionalProperties` },
          ] as const,
        ]),
    ...Object.entries(schema.properties ?? {}).map(
      ([name, property]) =>
        [property, { ...inside, ...metaPlace(schema, place, name), path: `${path}.properties[${name}]` }] as const,
    ),
    ...(schema.not === undefined ? [] : [[schema.not, { ...nested, path: `${path}.not` }] as const]),
    ...junctor("allOf"),
    ...junctor("oneOf"),
    ...junctor("anyOf"),
    ...(items === undefined ? [] : [[items, { ...inside, ...elements, path: `${path}.items` }] as const]),
  ];
}

function occurrencesBelow(schema: OpenApiSchema, { occurrences }: Place): number | undefined {
  const each = childrenPerNode(schema as StructuralSchema);
  return occurrences === undefined || each === undefined ? undefined : occurrences * each;
}

function metaPlace(schema: OpenApiSchema, place: Place, name: string): Partial<Place> {
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (!isResource || !META_FIELDS.has(name)) return {};
  return { insideMeta: true, ...(place.isRoot ? { allowDefaults: false, reason: `in top-level ${name}` } : {}) };
}

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

const UNSUPPORTED = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

function validateKeywords(schema: OpenApiSchema, place: Place): FieldError[] {
  const { path } = place;
  const errors: FieldError[] = [];
  if (isSet(schema.type) && !TYPES.includes(schema.type ?? "")) {
    errors.push(fieldNotSupported(`${path}.type`, schema.type ?? "", TYPES));
  }
  if (schema.default !== undefined && !place.allowDefaults) {
    errors.push(fieldForbidden(`${path}.default`, `must not be set ${place.reason}`));
  }
  for (const keyword of UNSUPPORTED) {
    if (isSet(schema[keyword])) errors.push(fieldForbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  }
  if (schema.type === "null") {
    errors.push(fieldForbidden(`${path}.type`, "type cannot be set to null, use nullable as an alternative"));
  }
  if (Array.isArray(schema.items)) {
    errors.push(fieldForbidden(`${path}.items`, "items must be a schema object and not an array"));
  }
  if (place.insideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(fieldForbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta"));
  }
  return [...errors, ...validateCombinations(schema, path)];
}

function validateCombinations(schema: OpenApiSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.uniqueItems === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(fieldForbidden(`${path}.uniqueItems`, detail));
  }
  const { additionalProperties } = schema;
  const both = isSet(schema.properties) && additionalProperties !== undefined && additionalProperties !== true;
  if (both) {
    const detail = "additionalProperties and properties are mutual exclusive";
    errors.push(fieldForbidden(`${path}.additionalProperties`, detail));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(fieldInvalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  return errors;
}
