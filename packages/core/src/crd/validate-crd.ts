/**
 * Validates a CustomResourceDefinition as kube-apiserver 1.36 does on create and update: the same fields, the same words.
 * Input is a defaulted CRD; the API server turns the errors into a 422, and definitions are tested with it. Rules common to
 * all metadata are the registry's.
 */
import { deepEqual } from "../meta/deep.ts";
import { validateDns1035Label, validateDnsSubdomain } from "../meta/names.ts";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "../protocol/field-error.ts";
import type { CrdInput, CrdVersionInput, OpenApiSchema } from "./crd-input.ts";
import { validateApproval } from "./validate-approval.ts";
import { validateConversion } from "./validate-conversion.ts";
import { validateNames, validateRequiredNames } from "./validate-names.ts";
import { validateSchema } from "./validate-schema.ts";
import {
  validateColumns,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from "./validate-version.ts";

type Spec = NonNullable<CrdInput["spec"]>;

/** What a validation may know beyond the CRD. */
export interface CrdValidationOptions {
  /** The stored CRD, on update. */
  readonly old?: CrdInput;
}

/** Everything wrong with a CRD. */
export function validateCrd(crd: CrdInput, options: CrdValidationOptions = {}): FieldError[] {
  const { spec = {}, metadata = {} } = crd;
  const { old } = options;
  return [
    ...(old === undefined ? validateName(metadata.name ?? "", spec) : []),
    ...validateSpec(spec, old?.spec?.versions ?? []),
    ...(old === undefined ? [] : validateUpdate(spec, old)),
    ...validateStoredVersions(crd),
    ...validateApproval(crd, old),
    ...validatePreserveUnknown(spec, old),
  ];
}

function validateName(name: string, spec: Spec): FieldError[] {
  if (name === "") return [fieldRequired("metadata.name", "name or generateName is required")];
  const expected = `${spec.names?.plural ?? ""}.${spec.group ?? ""}`;
  const details = [
    ...validateDnsSubdomain(name),
    ...(name === expected ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  return details.map((detail) => fieldInvalid("metadata.name", name, detail));
}

function validateSpec(spec: Spec, stored: readonly CrdVersionInput[]): FieldError[] {
  const { versions = [], names = {} } = spec;
  return [
    ...validateGroup(spec.group ?? ""),
    ...validateScope(spec.scope ?? ""),
    ...versions.flatMap((version, index) => validateVersionSchemaPresence(version, `spec.versions[${index}]`)),
    ...validateUnknownWithDefaults(spec),
    ...validateVersions(versions, stored),
    ...validateVersionSet(versions),
    ...validateFirstVersion(versions[0]?.name ?? ""),
    ...validateRequiredNames(names),
    ...validateNames(names, "spec.names"),
    ...validateConversionWithUnknown(spec),
    ...validateConversion(spec.conversion, "spec.conversion"),
  ];
}

function validateGroup(group: string): FieldError[] {
  if (group === "") return [fieldRequired("spec.group")];
  const details = validateDnsSubdomain(group);
  if (details.length > 0) return [fieldInvalid("spec.group", group, details.join(","))];
  if (group.includes(".")) return [];
  return [fieldInvalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateScope(scope: string): FieldError[] {
  if (scope === "") return [fieldRequired("spec.scope")];
  const scopes = ["Cluster", "Namespaced"];
  return scopes.includes(scope) ? [] : [fieldNotSupported("spec.scope", scope, scopes)];
}

function validateVersionSchemaPresence(version: CrdVersionInput, path: string): FieldError[] {
  return version.schema?.openAPIV3Schema === undefined ? [fieldRequired(`${path}.schema.openAPIV3Schema`)] : [];
}

function validateVersions(versions: readonly CrdVersionInput[], stored: readonly CrdVersionInput[]): FieldError[] {
  const areSchemasShared = areSame(versions, "schema");
  const hasStatus = (version: CrdVersionInput) =>
    (areSchemasShared ? versions : [version]).some(({ subresources }) => subresources?.status !== undefined);
  return [
    ...versions.flatMap((version, index) => [
      ...validateVersionName(version.name ?? "", `spec.versions[${index}].name`),
      ...validateDeprecation(version, `spec.versions[${index}]`),
    ]),
    ...places(versions, "schema", "validation").flatMap(({ version, path }) => {
      const schema = version.schema?.openAPIV3Schema;
      const before = stored.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
      const options = { hasStatus: hasStatus(version), isUnchanged: deepEqual(before, schema) };
      return schema === undefined ? [] : validateSchema(schema, `${path}.openAPIV3Schema`, options);
    }),
    ...places(versions, "subresources").flatMap(({ version, path }) =>
      validateSubresources(version.subresources, path),
    ),
    ...places(versions, "additionalPrinterColumns").flatMap(({ version, path }) =>
      validateColumns(version.additionalPrinterColumns, path),
    ),
    ...places(versions, "selectableFields").flatMap(({ version, path }) => {
      const schema = version.schema?.openAPIV3Schema;
      return schema === undefined ? [] : validateSelectableFields(version.selectableFields, schema, path);
    }),
  ];
}

/**
 * Where a part of the versions is reported. What all versions share stands at the CRD's top, because kube-apiserver's
 * internal form keeps it there: `spec.validation.openAPIV3Schema`, not `spec.versions[0].schema.openAPIV3Schema`.
 */
function places(
  versions: readonly CrdVersionInput[],
  key: keyof CrdVersionInput,
  sharedName: string = key,
): readonly { readonly version: CrdVersionInput; readonly path: string }[] {
  const [first] = versions;
  if (first !== undefined && areSame(versions, key)) return [{ version: first, path: `spec.${sharedName}` }];
  return versions.map((version, index) => ({ version, path: `spec.versions[${index}].${key}` }));
}

function areSame(versions: readonly CrdVersionInput[], key: keyof CrdVersionInput): boolean {
  const [first, ...more] = versions.map((version) => JSON.stringify(version[key]));
  return more.every((text) => text === first);
}

function validateVersionName(name: string, field: string): FieldError[] {
  const details = validateDns1035Label(name);
  return details.length === 0 ? [] : [fieldInvalid(field, name, details.join(","))];
}

function validateVersionSet(versions: readonly CrdVersionInput[]): FieldError[] {
  const names = new Set(versions.map(({ name }) => name));
  const invalid = (detail: string) => fieldInvalid("spec.versions", versions as never, detail);
  return [
    ...(names.size === versions.length ? [] : [invalid("must contain unique version names")]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [invalid("must have exactly one version marked as storage version")]),
  ];
}

/** kube-apiserver's internal form repeats the first version's name as spec.version, and checks it there again. */
function validateFirstVersion(name: string): FieldError[] {
  return name === "" ? [] : validateVersionName(name, "spec.version");
}

function validateUnknownWithDefaults(spec: Spec): FieldError[] {
  if (spec.preserveUnknownFields !== true) return [];
  const hasDefaults = (spec.versions ?? []).some(({ schema }) => containsDefault(schema?.openAPIV3Schema));
  const detail = "must be false in order to use defaults in the schema";
  return hasDefaults ? [fieldInvalid("spec.preserveUnknownFields", true, detail)] : [];
}

function containsDefault(schema: OpenApiSchema | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.default !== undefined) return true;
  const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  return below.some(
    (child) => typeof child === "object" && !Array.isArray(child) && containsDefault(child as OpenApiSchema),
  );
}

function validateConversionWithUnknown(spec: Spec): FieldError[] {
  const strategy = spec.conversion?.strategy ?? "None";
  if (spec.preserveUnknownFields !== true || strategy === "None") return [];
  return [fieldInvalid("spec.conversion.strategy", strategy, "must be None if spec.preserveUnknownFields is true")];
}

/** What may not change: names that are in the paths of stored objects. */
function validateUpdate(spec: Spec, old: CrdInput): FieldError[] {
  const established = old.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True");
  const before = old.spec ?? {};
  const fixed: readonly (readonly [field: string, now: string | undefined, then: string | undefined])[] = [
    ...(established
      ? ([
          ["spec.scope", spec.scope, before.scope],
          ["spec.names.kind", spec.names?.kind, before.names?.kind],
        ] as const)
      : []),
    ["spec.group", spec.group, before.group],
    ["spec.names.plural", spec.names?.plural, before.names?.plural],
  ];
  return fixed
    .filter(([, now, then]) => now !== then)
    .map(([field, now]) => fieldInvalid(field, now ?? "", "field is immutable"));
}

function validateStoredVersions(crd: CrdInput): FieldError[] {
  const stored = crd.status?.storedVersions ?? [];
  const field = "status.storedVersions";
  if (stored.length === 0) return [fieldInvalid(field, null, "must have at least one stored version")];
  const versions = crd.spec?.versions ?? [];
  const names = new Set(versions.map(({ name }) => name));
  return [
    ...versions
      .filter(({ name = "", storage }) => storage && !stored.includes(name))
      .map(({ name }) => fieldInvalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      names.has(name) ? [] : [fieldInvalid(`${field}[${index}]`, name, stillStored(name))],
    ),
  ];
}

function stillStored(version: string): string {
  return (
    `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a ` +
    `storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`
  );
}

function validatePreserveUnknown(spec: Spec, old: CrdInput | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec?.preserveUnknownFields === true) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [fieldInvalid("spec.preserveUnknownFields", true, detail)];
}
