/** PodDisruptionBudgets. */
import type { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import type { KindParticulars } from "./kind-strategy.ts";
import { pathSegmentNames } from "./names.ts";
import { fieldInvalidStruct, validateNonNegative } from "./validation/fields.ts";
import { validateLabelSelector } from "./validation/label-selectors.ts";
import { validateAtMostAll, validateIntOrPercent } from "./workloads/int-or-percent.ts";

/** What is particular to PodDisruptionBudgets. */
export const disruptionBudgetParticulars: KindParticulars = {
  generation: true,
  nameErrors: pathSegmentNames,
  unconditionalUpdate: false,
  validatesMetadataLast: true,
  validate: (object, _current, { subresource }) => {
    const { spec = {}, status } = object as unknown as PodDisruptionBudget;
    if (subresource === "status") {
      return (["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const).flatMap((name) =>
        validateNonNegative(`status.${name}`, status?.[name]),
      );
    }
    const { minAvailable, maxUnavailable, selector } = spec;
    return [
      ...(minAvailable !== undefined && maxUnavailable !== undefined
        ? [fieldInvalidStruct("spec", internalSpec(spec), "minAvailable and maxUnavailable cannot be both set")]
        : []),
      ...(minAvailable === undefined
        ? []
        : [
            ...validateIntOrPercent("spec.minAvailable", minAvailable),
            ...validateAtMostAll("spec.minAvailable", minAvailable),
          ]),
      ...(maxUnavailable === undefined
        ? []
        : [
            ...validateIntOrPercent("spec.maxUnavailable", maxUnavailable),
            ...validateAtMostAll("spec.maxUnavailable", maxUnavailable),
          ]),
      ...validateLabelSelector("spec.selector", selector),
    ];
  },
};

/** A spec as Kubernetes prints its internal form. */
function internalSpec(spec: NonNullable<PodDisruptionBudget["spec"]>): object {
  const { minAvailable, maxUnavailable, selector = null, unhealthyPodEvictionPolicy = null } = spec;
  return {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
}
