/** Warnings that an API server gives about a CRD it accepts. */
import { effectiveFormat } from "../engine/formats.ts";
import { additionalSchemaOf, type CrdInput, isSet, itemsOf, type OpenApiSchema } from "./crd-input.ts";

/** Warnings about a CRD; on update only about what is new in it. */
export function crdWarnings(crd: CrdInput, old?: CrdInput): string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(old));
  return unknownFormats(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

/** Formats nobody checks, each schema once: versions that share one are looked at as one. */
function unknownFormats(crd: CrdInput): string[] {
  const schemas = (crd.spec?.versions ?? []).map(({ schema }) => schema?.openAPIV3Schema);
  const texts = new Set(schemas.map((schema) => JSON.stringify(schema)));
  const distinct = texts.size === 1 ? schemas.slice(0, 1) : schemas;
  return distinct.flatMap((schema) => (schema === undefined ? [] : formatsIn(schema)));
}

function formatsIn(schema: OpenApiSchema): string[] {
  const unknown = isSet(schema.format) && effectiveFormat(schema.format, schema.type) === "";
  const below = [
    itemsOf(schema),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    additionalSchemaOf(schema),
  ];
  return [
    ...(unknown ? [schema.format ?? ""] : []),
    ...below.filter((child) => child !== undefined).flatMap(formatsIn),
  ];
}
