/**
 * What stands below allOf, anyOf, oneOf and not in a structural schema: value validations only, about fields that the
 * schema describes outside. Used by validate-structural.ts; messages are kube-apiserver's.
 */
import { compilePattern } from "../engine/pattern.ts";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "../protocol/field-error.ts";
import { isSet, itemsOf, type OpenApiSchema } from "./crd-input.ts";

interface Place {
  readonly path: string;
  readonly level: "root" | "item" | "field";
}

/** Errors of the value validations of a node that is itself structural. */
export function validateNested(schema: OpenApiSchema, place: Place): FieldError[] {
  const isIntOrString = isIntOrStringPair(schema.anyOf);
  const isFirstIntOrString = isIntOrStringPair(schema.allOf?.[0]?.anyOf);
  return [
    ...validateJunctors(schema, place, { skipAnyOf: isIntOrString, skipFirstAnyOf: isFirstIntOrString }),
    ...(place.level === "root" ? validateCompleteness(schema, schema, { schema: place.path, value: place.path }) : []),
  ];
}

/** `anyOf: [{type: integer}, {type: string}]`, the one place where a type may stand below a junctor. */
function isIntOrStringPair(options: readonly OpenApiSchema[] | undefined): boolean {
  return JSON.stringify(options) === '[{"type":"integer"},{"type":"string"}]';
}

function validateJunctors(
  schema: OpenApiSchema,
  place: Place,
  skip: { readonly skipAnyOf: boolean; readonly skipFirstAnyOf: boolean },
): FieldError[] {
  const each = (name: "anyOf" | "allOf" | "oneOf") =>
    (schema[name] ?? []).flatMap((option, index) => {
      const skipAnyOf = name === "allOf" && index === 0 && skip.skipFirstAnyOf;
      return validateOption(option, { ...place, path: `${place.path}.${name}[${index}]` }, skipAnyOf);
    });
  return [
    ...(skip.skipAnyOf ? [] : each("anyOf")),
    ...each("allOf"),
    ...each("oneOf"),
    ...(schema.not === undefined ? [] : validateOption(schema.not, { ...place, path: `${place.path}.not` }, false)),
    ...validatePattern(schema.pattern ?? "", `${place.path}.pattern`),
  ];
}

function validatePattern(pattern: string, field: string): FieldError[] {
  const compiled = compilePattern(pattern);
  if (!(compiled instanceof Error)) return [];
  return [fieldInvalid(field, pattern, `must be a valid regular expression, but isn't: ${compiled.message}`)];
}

const FORBIDDEN: readonly (readonly [keyword: string, must: string])[] = [
  ["type", "empty"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
];

function validateOption(option: OpenApiSchema, place: Place, skipAnyOf: boolean): FieldError[] {
  const { path } = place;
  const items = itemsOf(option);
  const { additionalProperties } = option;
  const forbidden = FORBIDDEN.filter(([keyword, must]) =>
    must === "undefined" ? option[keyword] !== undefined : isSet(option[keyword]),
  ).map(([keyword, must]) => fieldForbidden(`${path}.${keyword}`, `must be ${must} to be structural`));
  return [
    ...validateJunctors(option, place, { skipAnyOf, skipFirstAnyOf: false }),
    ...(items === undefined ? [] : validateOption(items, { ...place, path: `${path}.items` }, false)),
    ...Object.entries(option.properties ?? {}).flatMap(([name, property]) =>
      validateOption(property, { ...place, path: `${path}.properties[${name}]` }, false),
    ),
    ...forbidden,
    ...(additionalProperties === undefined || additionalProperties === false
      ? []
      : [fieldForbidden(`${path}.additionalProperties`, "must be undefined to be structural")]),
    ...(Object.hasOwn(option.properties ?? {}, "metadata")
      ? [fieldForbidden(`${path}.properties[metadata]`, "must not be specified in a nested context")]
      : []),
  ];
}

interface Paths {
  /** Where the structural schema is. */
  readonly schema: string;
  /** Where the value validation is. */
  readonly value: string;
}

/** Every field and item that a value validation speaks of must be described by the schema around it. */
function validateCompleteness(value: OpenApiSchema, schema: OpenApiSchema, paths: Paths): FieldError[] {
  const visit = (option: OpenApiSchema, name: string) =>
    validateOptionCompleteness(option, schema, { ...paths, value: `${paths.value}.${name}` });
  return [
    ...(value.not === undefined ? [] : visit(value.not, "not")),
    ...(["allOf", "anyOf", "oneOf"] as const).flatMap((name) =>
      (value[name] ?? []).flatMap((option, index) => visit(option, `${name}[${index}]`)),
    ),
  ];
}

function validateOptionCompleteness(
  option: OpenApiSchema,
  schema: OpenApiSchema | undefined,
  paths: Paths,
): FieldError[] {
  if (schema === undefined) return [fieldRequired(paths.schema, `because it is defined in ${paths.value}`)];
  const items = itemsOf(option);
  return [
    ...validateCompleteness(option, schema, paths),
    ...(items === undefined ? [] : validateOptionCompleteness(items, itemsOf(schema), child(paths, "items"))),
    ...Object.entries(option.properties ?? {}).flatMap(([name, property]) => {
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
      return validateOptionCompleteness(property, known, child(paths, `properties[${name}]`));
    }),
  ];
}

function child(paths: Paths, name: string): Paths {
  return { schema: `${paths.schema}.${name}`, value: `${paths.value}.${name}` };
}
