/**
 * Validates a CustomResourceDefinition as kube-apiserver 1.36 does on create and update: the same fields, the same words.
 * Input is a defaulted CRD; the API server turns the errors into a 422, and definitions are tested with it. Rules common to
 * all metadata are the registry's. The cost of CEL rules is not estimated, so a rule that kube-apiserver finds too expensive
 * passes here.
 */
import { validateDns1035Label, validateDnsSubdomain } from "../meta/names.ts";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "../protocol/field-error.ts";
import type { CrdNames } from "../schema/crd.ts";
import type { CrdInput, CrdVersionInput, OpenApiSchema } from "./crd-input.ts";
import { validateConversion } from "./validate-conversion.ts";
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
    ...validateSpec(spec),
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

function validateSpec(spec: Spec): FieldError[] {
  const { versions = [], names = {} } = spec;
  return [
    ...validateGroup(spec.group ?? ""),
    ...validateScope(spec.scope ?? ""),
    ...versions.flatMap((version, index) => validateVersionSchemaPresence(version, `spec.versions[${index}]`)),
    ...validateUnknownWithDefaults(spec),
    ...validateVersions(versions),
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

/**
 * Parts that all versions share are reported at the CRD's top, because kube-apiserver's internal form keeps them there:
 * `spec.validation.openAPIV3Schema`, not `spec.versions[0].schema.openAPIV3Schema`.
 */
function validateVersions(versions: readonly CrdVersionInput[]): FieldError[] {
  const shared = {
    schema: areSame(versions, "schema"),
    subresources: areSame(versions, "subresources"),
    columns: areSame(versions, "additionalPrinterColumns"),
    fields: areSame(versions, "selectableFields"),
  };
  const hasStatus = (version: CrdVersionInput) =>
    (shared.schema ? versions : [version]).some(({ subresources }) => subresources?.status !== undefined);
  const once = (isShared: boolean, index: number) => !isShared || index === 0;
  return versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`;
    const schema = version.schema?.openAPIV3Schema;
    const at = (isShared: boolean, top: string, own: string) => (isShared ? `spec.${top}` : `${path}.${own}`);
    const schemaPath = at(shared.schema, "validation.openAPIV3Schema", "schema.openAPIV3Schema");
    const fieldsPath = at(shared.fields, "selectableFields", "selectableFields");
    return [
      ...validateDns1035Label(version.name ?? "")
        .slice(0, 1)
        .map(() =>
          fieldInvalid(`${path}.name`, version.name ?? "", validateDns1035Label(version.name ?? "").join(",")),
        ),
      ...validateDeprecation(version, path),
      ...(schema !== undefined && once(shared.schema, index)
        ? validateSchema(schema, schemaPath, { hasStatus: hasStatus(version) })
        : []),
      ...(once(shared.subresources, index)
        ? validateSubresources(version.subresources, at(shared.subresources, "subresources", "subresources"))
        : []),
      ...(once(shared.columns, index)
        ? validateColumns(
            version.additionalPrinterColumns,
            at(shared.columns, "additionalPrinterColumns", "additionalPrinterColumns"),
          )
        : []),
      ...(schema !== undefined && once(shared.fields, index)
        ? validateSelectableFields(version.selectableFields, schema, fieldsPath)
        : []),
    ];
  });
}

function areSame(versions: readonly CrdVersionInput[], key: keyof CrdVersionInput): boolean {
  const [first, ...more] = versions.map((version) => JSON.stringify(version[key]));
  return more.every((text) => text === first);
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
  const details = name === "" ? [] : validateDns1035Label(name);
  return details.length === 0 ? [] : [fieldInvalid("spec.version", name, details.join(","))];
}

function validateRequiredNames(names: Partial<CrdNames>): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => fieldRequired(`spec.names.${name}`));
}

/** Errors of a CRD's names; also for those accepted into its status. */
export function validateNames(names: Partial<CrdNames>, path: string): FieldError[] {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names;
  const label = (field: string, value: string) => check(`${path}.${field}`, value, value, "");
  const mixed = (field: string, value: string) =>
    check(`${path}.${field}`, value, value.toLowerCase(), "may have mixed case, but should otherwise match: ");
  return [
    ...(plural === "" ? [] : label("plural", plural)),
    ...(singular === "" ? [] : label("singular", singular)),
    ...(kind === "" ? [] : mixed("kind", kind)),
    ...(listKind === "" ? [] : mixed("listKind", listKind)),
    ...shortNames.flatMap((name, index) => label(`shortNames[${index}]`, name)),
    ...(kind !== "" && kind === listKind
      ? [fieldInvalid(`${path}.listKind`, listKind, "kind and listKind may not be the same")]
      : []),
    ...categories.flatMap((name, index) => label(`categories[${index}]`, name)),
  ];
}

function check(field: string, value: string, label: string, prefix: string): FieldError[] {
  const details = validateDns1035Label(label);
  return details.length === 0 ? [] : [fieldInvalid(field, value, `${prefix}${details.join(",")}`)];
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

const APPROVAL = "api-approved.kubernetes.io";

/** Groups of the Kubernetes community need an approval, or the admission that there is none. */
function validateApproval(crd: CrdInput, old: CrdInput | undefined): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(crd.spec?.group ?? "")) return [];
  const approval = crd.metadata?.annotations?.[APPROVAL] ?? "";
  const state = approvalState(approval);
  if (old !== undefined && approvalState(old.metadata?.annotations?.[APPROVAL] ?? "") === state) return [];
  const field = `metadata.annotations[${APPROVAL}]`;
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  const must = `protected groups must have approval annotation "${APPROVAL}"`;
  if (state === "missing") return [fieldRequired(field, `${must}, ${see}`)];
  if (state !== "invalid") return [];
  return [fieldInvalid(field, approval, `${must} with either a URL or a reason starting with "unapproved", ${see}`)];
}

function approvalState(approval: string): "missing" | "bypassed" | "approved" | "invalid" {
  if (approval === "") return "missing";
  if (approval.startsWith("unapproved")) return "bypassed";
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i.test(approval) ? "approved" : "invalid";
}

function validatePreserveUnknown(spec: Spec, old: CrdInput | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec?.preserveUnknownFields === true) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [fieldInvalid("spec.preserveUnknownFields", true, detail)];
}
