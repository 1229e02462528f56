/** Defaults of HorizontalPodAutoscalers, whose behaviour is filled in only where one is asked for. */
import type { DefaultRules } from "@kubewright/api/defaults";
import type { JsonObject } from "@kubewright/core/meta";
import { change, fill, hasContent, objectOf } from "./fill.ts";

const CPU_UTILIZATION_PERCENT = 80;

const CPU_METRIC: JsonObject = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: CPU_UTILIZATION_PERCENT } },
};

const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

const SCALE_DOWN: JsonObject = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

/** Rules for both versions. */
export const autoscalerRules: DefaultRules = new Map([
  [
    "autoscaling/v1.HorizontalPodAutoscaler",
    (autoscaler) => change(autoscaler, "spec", (spec) => fill(spec, { minReplicas: 1 })),
  ],
  ["autoscaling/v2.HorizontalPodAutoscaler", (autoscaler) => change(autoscaler, "spec", defaultSpec)],
]);

function defaultSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, { minReplicas: 1 });
  const measured = hasContent(spec["metrics"]) ? filled : { ...filled, metrics: [CPU_METRIC] };
  const { behavior } = measured;
  if (behavior === undefined || behavior === null) return measured;
  const { scaleUp, scaleDown } = objectOf(behavior);
  return {
    ...measured,
    behavior: {
      ...objectOf(behavior),
      scaleUp: fill(objectOf(scaleUp), SCALE_UP),
      scaleDown: fill(objectOf(scaleDown), SCALE_DOWN),
    },
  };
}
