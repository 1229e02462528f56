/** Jobs: their pods carry the Job's uid, by which it selects them; what was started is not changed. */
import type { Job, JobSpec } from "@kubewright/api/batch/v1";
import type { Container } from "@kubewright/api/core/v1";
import { deepEqual, type JsonObject, validateDnsLabel } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "@kubewright/core/protocol";
import { type ApiObject, withFields, withMetadata } from "../../resource/object.ts";
import { objectOf } from "../defaults/fill.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { nameWarnings, templateWarnings } from "../pods/pod-warnings.ts";
import { asJson, asObject, validateImmutable, validateNonNegative } from "../validation/fields.ts";
import { selects, validateLabelSelector } from "../validation/label-selectors.ts";
import { validatePodTemplate, validateTemplateMetadata } from "../validation/pod-spec.ts";
import { validatePolicies } from "./job-policies.ts";

const UID_LABEL = "batch.kubernetes.io/controller-uid";
const UID_LABELS = ["controller-uid", UID_LABEL];
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];
const PARALLELISM_INDEXED_MAX = 100_000;

/** What is particular to Jobs. */
export const jobParticulars: KindParticulars = {
  warnings: (object, current) => [
    ...nameWarnings(object, current),
    ...templateWarnings("spec", "template", "spec")(object, current),
  ],
  generation: true,
  // Whoever deletes a Job without saying how keeps its pods; old clients relied on it.
  defaultPropagation: "Orphan",
  defaultPropagationWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  selectableFields: {
    "status.successful": (object) => String((object as unknown as Job).status?.succeeded ?? 0),
  },
  prepareForCreate: withGeneratedSelector,
  // A copy is brought into defaulted form again: without labels it gets those of its template, though the request had none.
  prepareForUpdate: (next, _current, { subresource }) =>
    subresource === "status" && next.metadata.labels === undefined ? { ...next } : next,
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return [];
    const { spec, metadata } = object as unknown as Job;
    if (spec === undefined) return [fieldRequired("spec")];
    const errors = [...validateJobSpec("spec", spec), ...validateSelector(spec)];
    if (current !== undefined) return [...errors, ...validateChange(spec, (current as unknown as Job).spec)];
    return [...validateGenerated(object), ...errors, ...validateHostname(metadata?.name ?? "", spec)];
  },
};

function withGeneratedSelector(object: ApiObject): ApiObject {
  const spec = objectOf(object["spec"]);
  if (spec["manualSelector"] === true) return object;
  const { name = "", uid = "" } = object.metadata;
  const template = objectOf(spec["template"]);
  const metadata = objectOf(template["metadata"]);
  const generated = {
    ...Object.fromEntries(NAME_LABELS.map((label) => [label, name])),
    ...Object.fromEntries(UID_LABELS.map((label) => [label, uid])),
  };
  const labels = { ...generated, ...objectOf(metadata["labels"]) } as JsonObject;
  const selector = objectOf(spec["selector"]);
  const matchLabels = { [UID_LABEL]: uid, ...objectOf(selector["matchLabels"]) };
  const generatedJob = withFields(object, {
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  });
  // A Job that took its labels from the template has these, too.
  const isCopied = deepEqual(object.metadata.labels ?? {}, metadata["labels"] ?? {});
  return isCopied ? withMetadata(generatedJob, { labels }) : generatedJob;
}

function validateGenerated(object: ApiObject): FieldError[] {
  const { spec, metadata } = object as unknown as Job;
  if (spec?.manualSelector === true || spec?.selector === undefined) return [];
  const labels = spec.template?.metadata?.labels ?? {};
  const expected: readonly (readonly [string, string])[] = [
    [UID_LABELS[0] ?? "", metadata?.uid ?? ""],
    [NAME_LABELS[0] ?? "", metadata?.name ?? ""],
    [UID_LABEL, metadata?.uid ?? ""],
    [NAME_LABELS[1] ?? "", metadata?.name ?? ""],
  ];
  const wrong = expected.flatMap(([label, value]) =>
    labels[label] === value
      ? []
      : [fieldInvalid("spec.template.metadata.labels", asJson(labels), `must be '${value}'`)],
  );
  const isGenerated = selects(spec.selector, Object.fromEntries(expected)) !== false;
  return isGenerated
    ? wrong
    : [...wrong, fieldInvalid("spec.selector", asJson(spec.selector), "`selector` not auto-generated")];
}

function validateSelector({ selector, template }: JobSpec): FieldError[] {
  const labels = template?.metadata?.labels;
  const isSelected = selector === undefined ? false : selects(selector, labels) !== false;
  return [
    ...(selector === undefined ? [fieldRequired("spec.selector")] : validateLabelSelector("spec.selector", selector)),
    ...(isSelected
      ? []
      : [fieldInvalid("spec.template.metadata.labels", asJson(labels), "`selector` does not match template `labels`")]),
  ];
}

/** The spec of a Job, alone or in a CronJob. One like the last that was right is right, but for the metadata of its pods. */
export function validateJobSpec(field: string, spec: JobSpec): FieldError[] {
  if (latestRight !== undefined && isAlike(spec, latestRight)) {
    return validateTemplateMetadata(`${field}.template`, spec.template ?? {});
  }
  const errors = jobSpecErrors(field, spec);
  if (errors.length === 0) latestRight = spec;
  return errors;
}

/** Jobs of a CronJob come in a row. */
let latestRight: JobSpec | undefined;

/** Whether specs differ in their selectors and in the metadata of their pods alone. */
function isAlike(spec: JobSpec, other: JobSpec): boolean {
  const [left, right] = [asObject(spec), asObject(other)];
  for (const key in left) if (!UNLIKE.has(key) && left[key] !== right[key]) return false;
  for (const key in right) if (left[key] === undefined && right[key] !== undefined) return false;
  return spec.template?.spec === other.template?.spec;
}

const UNLIKE: ReadonlySet<string> = new Set(["selector", "template"]);

function jobSpecErrors(field: string, spec: JobSpec): FieldError[] {
  return [
    ...validateNonNegative(`${field}.parallelism`, spec.parallelism),
    ...validateNonNegative(`${field}.completions`, spec.completions),
    ...validateNonNegative(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...validateNonNegative(`${field}.backoffLimit`, spec.backoffLimit),
    ...validateNonNegative(`${field}.ttlSecondsAfterFinished`, spec.ttlSecondsAfterFinished),
    ...validateNonNegative(`${field}.backoffLimitPerIndex`, spec.backoffLimitPerIndex),
    ...validateNonNegative(`${field}.maxFailedIndexes`, spec.maxFailedIndexes),
    ...validateMode(field, spec),
    ...validatePolicies(field, spec),
    ...validateReplacement(`${field}.podReplacementPolicy`, spec),
    ...validatePodTemplate(`${field}.template`, spec.template ?? {}),
    ...validateRestarts(`${field}.template.spec.restartPolicy`, spec),
  ];
}

function validateMode(field: string, spec: JobSpec): FieldError[] {
  const { completionMode = "NonIndexed", completions, parallelism = 0, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const indexedOnly = "requires indexed completion mode";
  const perIndex =
    maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [fieldRequired(`${field}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")]
      : [];
  if (completionMode !== "Indexed") {
    return [
      ...perIndex,
      ...(backoffLimitPerIndex === undefined
        ? []
        : [fieldInvalid(`${field}.backoffLimitPerIndex`, backoffLimitPerIndex, indexedOnly)]),
      ...(maxFailedIndexes === undefined
        ? []
        : [fieldInvalid(`${field}.maxFailedIndexes`, maxFailedIndexes, indexedOnly)]),
      ...(spec.successPolicy === undefined
        ? []
        : [fieldInvalid(`${field}.successPolicy`, asJson(spec.successPolicy), indexedOnly)]),
    ];
  }
  const tooMany = `must be less than or equal to ${PARALLELISM_INDEXED_MAX} when completion mode is Indexed`;
  return [
    ...perIndex,
    ...(completions === undefined ? [fieldRequired(`${field}.completions`, "when completion mode is Indexed")] : []),
    ...(parallelism > PARALLELISM_INDEXED_MAX ? [fieldInvalid(`${field}.parallelism`, parallelism, tooMany)] : []),
    ...(completions !== undefined && (maxFailedIndexes ?? 0) > completions
      ? [fieldInvalid(`${field}.maxFailedIndexes`, maxFailedIndexes, "must be less than or equal to completions")]
      : []),
  ];
}

function validateReplacement(field: string, { podReplacementPolicy, podFailurePolicy }: JobSpec): FieldError[] {
  if (podReplacementPolicy === undefined || podFailurePolicy === undefined || podReplacementPolicy === "Failed") {
    return [];
  }
  return [fieldNotSupported(field, podReplacementPolicy, ["Failed"])];
}

function validateRestarts(field: string, { template, podFailurePolicy }: JobSpec): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? "";
  if (policy === "" || policy === "Always") return [fieldRequired(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [fieldNotSupported(field, policy, ["OnFailure", "Never"])];
  if (podFailurePolicy === undefined || policy === "Never") return [];
  return [fieldInvalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** The pods of indexed Jobs have their index in their hostname. */
function validateHostname(name: string, { completionMode, completions = 0 }: JobSpec): FieldError[] {
  if (completionMode !== "Indexed" || completions <= 0) return [];
  const last = `${name}-${completions - 1}`;
  if (validateDnsLabel(last).length === 0) return [];
  return [fieldInvalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${last}`)];
}

function validateChange(next: JobSpec, current: JobSpec | undefined): FieldError[] {
  const fixed = (
    ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] as const
  ).flatMap((name) => validateImmutable(`spec.${name}`, asJson(next[name]), asJson(current?.[name])));
  return [
    ...validateCompletions(next, current),
    ...validateImmutable("spec.selector", asJson(next.selector), asJson(current?.selector)),
    ...validateTemplateChange(next, current),
    ...fixed,
  ];
}

function validateCompletions(next: JobSpec, current: JobSpec | undefined): FieldError[] {
  if (next.completionMode !== "Indexed") {
    return validateImmutable("spec.completions", asJson(next.completions), asJson(current?.completions));
  }
  if (next.completions === undefined || next.completions === current?.completions) return [];
  if (next.completions === next.parallelism) return [];
  return [fieldInvalid("spec.completions", next.completions, "can only be modified in tandem with spec.parallelism")];
}

/** While a Job is suspended, where its pods may go and what they need can still change. */
function validateTemplateChange(next: JobSpec, current: JobSpec | undefined): FieldError[] {
  if (current?.suspend !== true) {
    return validateImmutable("spec.template", asJson(next.template), asJson(current?.template));
  }
  const withoutResources = (containers: readonly Container[] = []): object[] =>
    containers.map(({ resources: _, ...container }) => container);
  const comparable = ({ template }: JobSpec): object => {
    const {
      nodeSelector: _n,
      tolerations: _t,
      schedulingGates: _g,
      affinity: _a,
      ...rest
    } = template?.spec ?? ({} as NonNullable<typeof template.spec>);
    return {
      ...rest,
      containers: withoutResources(rest.containers),
      initContainers: withoutResources(rest.initContainers),
    };
  };
  if (deepEqual(comparable(next), comparable(current))) return [];
  return validateImmutable("spec.template.spec", asJson(next.template?.spec), asJson(current.template?.spec));
}
