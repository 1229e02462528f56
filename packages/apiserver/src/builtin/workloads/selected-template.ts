/** A selector and the pod template that it must select: what Deployments, ReplicaSets and StatefulSets share. */
import type { PodTemplateSpec } from "@kubewright/api/core/v1";
import type { LabelSelector } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { asJson } from "../validation/fields.ts";
import { isEmptySelector, selects, validateLabelSelector } from "../validation/label-selectors.ts";
import { validateLastingTemplate } from "../validation/pod-spec.ts";

/** A spec with a selector and a template. */
export interface SelectingSpec {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

/** What is wrong with both; `kind` and `noun` name the kind in messages. */
export function validateSelectedTemplate(
  { selector, template = {} }: SelectingSpec,
  {
    kind,
    noun,
    volumeNames = [],
  }: { readonly kind: string; readonly noun: string; readonly volumeNames?: readonly string[] },
): FieldError[] {
  const selectorErrors = selector === undefined ? [fieldRequired("spec.selector")] : validateSelector(selector, noun);
  const labels = template.metadata?.labels;
  const isSelected = selector === undefined ? false : selects(selector, labels);
  if (isSelected === undefined) {
    return [...selectorErrors, fieldInvalid("spec.selector", asJson(selector), "invalid label selector")];
  }
  const isMissed = !isSelected && !(selector !== undefined && isEmptySelector(selector));
  return [
    ...selectorErrors,
    ...(isMissed
      ? [fieldInvalid("spec.template.metadata.labels", asJson(labels), "`selector` does not match template `labels`")]
      : []),
    ...validateLastingTemplate("spec.template", template, { kind, volumeNames }),
  ];
}

function validateSelector(selector: LabelSelector, noun: string): FieldError[] {
  return [
    ...validateLabelSelector("spec.selector", selector),
    ...(isEmptySelector(selector)
      ? [fieldInvalid("spec.selector", asJson(selector), `empty selector is invalid for ${noun}`)]
      : []),
  ];
}
