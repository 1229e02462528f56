/** Contract cases: what is wrong with objects of built-in kinds, and what is filled in for them. */
import assert from "node:assert/strict";
import type { ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";

interface Cause {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with an object, as a dry run tells it, field by field. Kubernetes looks at some fields twice, and says so twice. */
async function refusal(api: ContractApi, path: string, body: object): Promise<string[]> {
  const { status, text, body: told } = await api.post(`${path}?dryRun=All`, { metadata: { name: "a" }, ...body });
  assert.equal(status, 422, text);
  const causes: readonly Cause[] = told.details.causes;
  return [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))].toSorted();
}

/** The cases. */
export const builtInKindCases: readonly ContractCase[] = [
  contract("an autoscaler names its metrics, and what they should be", async (api) => {
    const wrong = (metric: object): Promise<string[]> =>
      refusal(api, `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`, {
        spec: { ...AUTOSCALED, metrics: [metric] },
      });
    assert.deepEqual(await wrong({}), [
      "spec.metrics[0].type: Required value: must specify a metric source type",
      `spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`,
    ]);
    assert.deepEqual(await wrong({ type: "Pods", pods: { metric: {}, target: {} } }), [
      "spec.metrics[0].pods.metric.name: Required value: must specify a metric name",
      "spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue",
      `spec.metrics[0].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue`,
      "spec.metrics[0].pods.target.type: Required value: must specify a metric target type",
    ]);
    const negative = { metric: { name: "a/b" }, target: { type: "AverageValue", averageValue: "-1" } };
    assert.deepEqual(await wrong({ type: "Pods", pods: negative }), [
      `spec.metrics[0].pods.metric.name: Invalid value: "a/b": may not contain '/'`,
      `spec.metrics[0].pods.target.averageValue: Invalid value: "-1": must be positive`,
    ]);
    const object = { describedObject: { apiVersion: "a/b/c" }, metric: { name: "x" }, target: { type: "Value" } };
    assert.deepEqual(await wrong({ type: "Object", object }), [
      `spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
      "spec.metrics[0].object.describedObject.kind: Required value",
      "spec.metrics[0].object.describedObject.name: Required value",
      "spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue",
    ]);
    assert.deepEqual(
      await wrong({ type: "External", external: { metric: { name: "x" }, target: { type: "Value" } } }),
      [
        "spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target",
      ],
    );
    const both = { metric: { name: "x" }, target: { type: "Value", value: "0", averageValue: "5" } };
    assert.deepEqual(await wrong({ type: "External", external: both }), [
      "spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
      `spec.metrics[0].external.target.value: Invalid value: "0": must be positive`,
    ]);
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } };
    assert.deepEqual(await wrong({ type: "External", resource: cpu }), [
      "spec.metrics[0].external: Required value: must populate information for the given metric source",
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    ]);
    assert.deepEqual(await wrong({ type: "Resource", pods: negative, resource: cpu }), [
      `spec.metrics[0].pods.metric.name: Invalid value: "a/b": may not contain '/'`,
      `spec.metrics[0].pods.target.averageValue: Invalid value: "-1": must be positive`,
      "spec.metrics[0].pods: Forbidden: must populate the given metric source only",
    ]);
  }),

  contract("an autoscaler changes replicas by policies that make sense", async (api) => {
    const path = `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`;
    const behavior = {
      scaleUp: { selectPolicy: "X" },
      scaleDown: { policies: [{ type: "X", value: 1, periodSeconds: 1 }], tolerance: "-1" },
    };
    assert.deepEqual(await refusal(api, path, { spec: { ...AUTOSCALED, behavior } }), [
      `spec.behavior.scaleDown.policies[0].type: Unsupported value: "X": supported values: "Percent", "Pods"`,
      `spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0`,
      `spec.behavior.scaleUp.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min"`,
    ]);
  }),
];

const AUTOSCALED = { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 };
