/**
 * The parts of a CRD's versions beside schemas: deprecation, subresources, columns and selectable fields.
 * Used by validate-crd.ts, with the paths that kube-apiserver reports.
 */
import { utf8Length } from "../meta/names.ts";
import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired, fieldTooMany } from "../protocol/field-error.ts";
import type { CrdVersionInput, OpenApiSchema } from "./crd-input.ts";
import { followSchemaPath } from "./schema-path.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const SELECTABLE_FIELDS_MAX = 8;
const WARNING_BYTES_MAX = 256;

/** Errors of a version's deprecation warning. */
export function validateDeprecation(version: CrdVersionInput, path: string): FieldError[] {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  // The value is a pointer in Go, so it is shown as JSON, not quoted as Go quotes texts.
  const invalid = (detail: string): FieldError => ({
    type: "FieldValueInvalid",
    field: `${path}.deprecationWarning`,
    message: `Invalid value: ${JSON.stringify(warning)}: ${detail}`,
  });
  if (!deprecated) return [invalid("can only be set for deprecated versions")];
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  return [
    ...(utf8Length(warning) > WARNING_BYTES_MAX ? [invalid("must be <= 256 characters long")] : []),
    ...(warning === "" ? [invalid("must not be an empty string")] : []),
    ...(unprintable === null ? [] : [invalid(unprintableAt(utf8Length(warning.slice(0, unprintable.index))))]),
  ];
}

function unprintableAt(index: number): string {
  return `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
}

/** Errors of a version's scale subresource. */
export function validateSubresources(subresources: CrdVersionInput["subresources"], path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" } = scale;
  const under = (name: string, value: string, roots: readonly string[]) => {
    const field = `${path}.scale.${name}`;
    if (!value.startsWith(".")) return [fieldInvalid(field, value, "must be a simple json path starting with .")];
    if (roots.some((root) => value.startsWith(`${root}.`))) return [];
    const where = roots.length === 1 ? roots[0] : `either ${roots.join(" or ")}`;
    return [fieldInvalid(field, value, `should be a json path under ${where}`)];
  };
  const required = (name: string, value: string, root: string) =>
    value === "" ? [fieldRequired(`${path}.scale.${name}`)] : under(name, value, [root]);
  return [
    ...required("specReplicasPath", specReplicasPath, ".spec"),
    ...required("statusReplicasPath", statusReplicasPath, ".status"),
    ...(labelSelectorPath === "" ? [] : under("labelSelectorPath", labelSelectorPath, [".spec", ".status"])),
  ];
}

/** Errors of a version's columns. */
export function validateColumns(columns: CrdVersionInput["additionalPrinterColumns"], path: string): FieldError[] {
  return (columns ?? []).flatMap(({ name = "", type = "", format = "", jsonPath = "" }, index) => {
    const field = `${path}[${index}]`;
    const types = `must be one of ${COLUMN_TYPES.join(",")}`;
    const errors: FieldError[] = name === "" ? [fieldRequired(`${field}.name`)] : [];
    if (type === "") errors.push(fieldRequired(`${field}.type`, types));
    else if (!COLUMN_TYPES.includes(type)) errors.push(fieldInvalid(`${field}.type`, type, types));
    if (format !== "" && !COLUMN_FORMATS.includes(format)) {
      errors.push(fieldInvalid(`${field}.format`, format, `must be one of ${COLUMN_FORMATS.join(",")}`));
    }
    if (jsonPath === "") errors.push(fieldRequired(`${field}.JSONPath`));
    else if (!jsonPath.startsWith(".")) {
      errors.push(fieldInvalid(`${field}.JSONPath`, jsonPath, "must be a simple json path starting with ."));
    }
    return errors;
  });
}

/** Errors of a version's selectable fields. */
export function validateSelectableFields(
  fields: CrdVersionInput["selectableFields"],
  schema: OpenApiSchema,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const errors = (fields ?? []).flatMap(({ jsonPath = "" }, index) => {
    const field = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [fieldRequired(field)];
    const found = followSchemaPath(jsonPath, schema, { allowBrackets: false });
    if ("problem" in found) return [fieldInvalid(field, jsonPath, `is an invalid path: ${found.problem}`)];
    const isDuplicate = seen.has(found.path);
    seen.add(found.path);
    return [
      ...(found.root === "metadata" ? [fieldInvalid(field, jsonPath, "must not point to fields in metadata")] : []),
      ...(["string", "boolean", "integer"].includes(found.schema?.type ?? "") ? [] : [wrongFieldType(field, jsonPath)]),
      ...(isDuplicate ? [fieldDuplicate(field, jsonPath)] : []),
    ];
  });
  if (seen.size > SELECTABLE_FIELDS_MAX) errors.push(fieldTooMany(path, seen.size, SELECTABLE_FIELDS_MAX));
  return errors;
}

function wrongFieldType(field: string, jsonPath: string): FieldError {
  const detail =
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
  return fieldInvalid(field, jsonPath, detail);
}
