/** DaemonSets: an annotation counts the changes of their template, as older controllers expect. */
import type { DaemonSet, DaemonSetUpdateStrategy } from "@kubewright/api/apps/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { type ApiObject, withMetadata } from "../../resource/object.ts";
import type { StrategyContext } from "../../resource/strategy.ts";
import { objectOf } from "../defaults/fill.ts";
import { TEMPLATE_GENERATION } from "../defaults/workload-rules.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { templateWarnings } from "../pods/pod-warnings.ts";
import { asJson, validateImmutable, validateNonNegative } from "../validation/fields.ts";
import { isEmptySelector, selects, validateLabelSelector } from "../validation/label-selectors.ts";
import { validateLastingTemplate } from "../validation/pod-spec.ts";
import { percentOrNumber, validateAtMostAll, validateIntOrPercent } from "./int-or-percent.ts";
import { validateCounts } from "./status.ts";
import { unknownStrategy } from "./unknown-strategy.ts";

/** What is particular to DaemonSets. */
export const daemonSetParticulars: KindParticulars = {
  generation: true,
  prepareForCreate: (object) => withTemplateGeneration(object, 1),
  prepareForUpdate: countTemplate,
  warnings: (object, current) =>
    current !== undefined && templateGenerationOf(object) === templateGenerationOf(current)
      ? []
      : templateWarnings("spec", "template", "spec")(object, undefined),
  validate: (object, current, { subresource }) => {
    const set = object as unknown as DaemonSet;
    if (subresource === "status") {
      return validateCounts("status", set.status ?? {}, [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
      ]);
    }
    const before = current as unknown as DaemonSet | undefined;
    return [
      ...(before === undefined
        ? []
        : validateImmutable("spec.selector", asJson(set.spec?.selector), asJson(before.spec?.selector))),
      ...validateSpec(set),
    ];
  },
};

function countTemplate(next: ApiObject, current: ApiObject, { subresource }: StrategyContext): ApiObject {
  const before = Number(templateGenerationOf(current));
  const isSame =
    subresource === "status" || deepEqual(objectOf(next["spec"])["template"], objectOf(current["spec"])["template"]);
  return withTemplateGeneration(next, isSame ? before : before + 1);
}

function templateGenerationOf({ metadata }: ApiObject): string {
  return metadata.annotations?.[TEMPLATE_GENERATION] ?? "0";
}

function withTemplateGeneration(object: ApiObject, generation: number): ApiObject {
  const annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
  return withMetadata(object, { annotations });
}

function validateSpec({ spec }: DaemonSet): FieldError[] {
  const { selector, template = {}, minReadySeconds, updateStrategy = {}, revisionHistoryLimit } = spec ?? {};
  const labels = template.metadata?.labels;
  const isMissed = selector === undefined || selects(selector, labels) === false;
  return [
    ...validateLabelSelector("spec.selector", selector),
    ...(isMissed
      ? [fieldInvalid("spec.template.metadata.labels", asJson(labels), "`selector` does not match template `labels`")]
      : []),
    ...(selector !== undefined && isEmptySelector(selector)
      ? [fieldInvalid("spec.selector", asJson(selector), "empty selector is invalid for daemonset")]
      : []),
    ...validateLastingTemplate("spec.template", template, { kind: "DaemonSet" }),
    ...validateNonNegative("spec.minReadySeconds", minReadySeconds),
    ...validateStrategy("spec.updateStrategy", updateStrategy),
    ...validateNonNegative("spec.revisionHistoryLimit", revisionHistoryLimit),
  ];
}

function validateStrategy(field: string, { type, rollingUpdate }: DaemonSetUpdateStrategy): FieldError[] {
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") return [unknownStrategy(field, type ?? "", ["RollingUpdate", "OnDelete"])];
  const at = `${field}.rollingUpdate`;
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const [unavailable, surge] = [percentOrNumber(maxUnavailable) !== 0, percentOrNumber(maxSurge) !== 0];
  return [
    ...validateIntOrPercent(`${at}.maxUnavailable`, maxUnavailable),
    ...validateIntOrPercent(`${at}.maxSurge`, maxSurge),
    ...validateAtMostAll(`${at}.maxUnavailable`, maxUnavailable),
    ...validateAtMostAll(`${at}.maxSurge`, maxSurge),
    ...(unavailable && surge
      ? [fieldInvalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")]
      : []),
    ...(unavailable || surge ? [] : [fieldRequired(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0")]),
  ];
}
