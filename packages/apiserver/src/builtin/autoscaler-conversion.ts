/**
 * HorizontalPodAutoscalers of version 1 have a target for cpu alone; whatever else version 2 says stands in annotations,
 * from where it comes back. Version 2 is stored.
 */
import { isJsonArray, isMalformed, type Json, type JsonObject, parseJson, stringifyJson } from "@kubewright/core/meta";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import { objectOf, objectsOf } from "./defaults/fill.ts";
import { settleObject } from "./kind-strategy.ts";

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const V1 = "autoscaling/v1";

/** Autoscalers in the other version. */
export async function convertAutoscalers(
  objects: readonly ApiObject[],
  apiVersion: string,
): Promise<readonly ApiObject[]> {
  return objects.map((object) => {
    if (object.apiVersion === apiVersion) return object;
    return settleObject(apiVersion === V1 ? toVersion1(object) : toVersion2(object));
  });
}

function toVersion1(object: ApiObject): ApiObject {
  const { metrics, behavior, ...spec } = objectOf(object["spec"]);
  const { conditions, currentMetrics, ...status } = objectOf(object["status"]);
  const list = objectsOf(metrics);
  const cpu = list.find(isCpuUtilization);
  const others = list.filter((metric) => metric !== cpu);
  const annotations = {
    ...object.metadata.annotations,
    ...(others.length > 0 && { [METRICS]: stringifyJson(others.map(toOldMetric)) }),
    ...(behavior !== undefined && { [BEHAVIOR]: stringifyJson(capitalized(behavior) as Json) }),
    ...(isJsonArray(conditions) && conditions.length > 0 && { [CONDITIONS]: stringifyJson(conditions) }),
    ...(isJsonArray(currentMetrics) &&
      currentMetrics.length > 0 && { [CURRENT_METRICS]: stringifyJson(currentMetrics) }),
  };
  const percentage = objectOf(objectOf(cpu?.["resource"])["target"])["averageUtilization"];
  const converted = withFields(object, {
    apiVersion: V1,
    spec: { ...spec, ...(percentage !== undefined && { targetCPUUtilizationPercentage: percentage }) },
    status: { ...status, currentReplicas: status["currentReplicas"] ?? 0 },
  });
  return Object.keys(annotations).length === 0 ? converted : withMetadata(converted, { annotations });
}

function isCpuUtilization({ type, resource }: JsonObject): boolean {
  const { name, target } = objectOf(resource);
  return type === "Resource" && name === "cpu" && objectOf(target)["averageUtilization"] !== undefined;
}

/** Metrics in annotations have the form of version 2beta1. */
function toOldMetric(metric: JsonObject): JsonObject {
  const { type, ...sources } = metric;
  const entries = Object.entries(sources).map(([name, source]): [string, JsonObject] => {
    const { target, ...rest } = objectOf(source);
    const { averageValue, averageUtilization, value } = objectOf(target);
    return [
      name,
      {
        ...rest,
        ...(averageUtilization !== undefined && { targetAverageUtilization: averageUtilization }),
        ...(averageValue !== undefined && { targetAverageValue: averageValue }),
        ...(value !== undefined && { targetValue: value }),
      },
    ];
  });
  return { type, ...Object.fromEntries(entries) };
}

function toNewMetric(metric: JsonObject): JsonObject {
  const { type, ...sources } = metric;
  const entries = Object.entries(sources).map(([name, source]): [string, JsonObject] => {
    const { targetAverageUtilization, targetAverageValue, targetValue, ...rest } = objectOf(source);
    const target = {
      type:
        targetAverageUtilization !== undefined ? "Utilization" : targetValue !== undefined ? "Value" : "AverageValue",
      ...(targetAverageUtilization !== undefined && { averageUtilization: targetAverageUtilization }),
      ...(targetAverageValue !== undefined && { averageValue: targetAverageValue }),
      ...(targetValue !== undefined && { value: targetValue }),
    };
    return [name, { ...rest, target }];
  });
  return { type, ...Object.fromEntries(entries) };
}

/** Behaviour in annotations has the names of Go's fields. */
function capitalized(value: Json | undefined): Json | undefined {
  if (isJsonArray(value)) return value.map((item) => capitalized(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    capitalized(item),
  ]);
  return Object.fromEntries(entries);
}

function uncapitalized(value: Json | undefined): Json | undefined {
  if (isJsonArray(value)) return value.map((item) => uncapitalized(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    uncapitalized(item),
  ]);
  return Object.fromEntries(entries);
}

function toVersion2(object: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage: percentage, ...spec } = objectOf(object["spec"]);
  const {
    [METRICS]: metrics,
    [BEHAVIOR]: behavior,
    [CONDITIONS]: conditions,
    [CURRENT_METRICS]: currentMetrics,
    ...annotations
  } = object.metadata.annotations ?? {};
  const others = parsed(metrics);
  const cpu = {
    type: "Resource",
    resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percentage } },
  };
  const all = [
    ...(percentage === undefined ? [] : [cpu]),
    ...(isJsonArray(others) ? objectsOf(others).map(toNewMetric) : []),
  ];
  const { currentCPUUtilizationPercentage: _, ...status } = objectOf(object["status"]);
  const converted = withFields(object, {
    apiVersion: "autoscaling/v2",
    spec: {
      ...spec,
      ...(all.length > 0 && { metrics: all }),
      ...(behavior !== undefined && { behavior: uncapitalized(parsed(behavior)) }),
    },
    status: {
      ...status,
      ...(conditions !== undefined && { conditions: parsed(conditions) }),
      ...(currentMetrics !== undefined && { currentMetrics: parsed(currentMetrics) }),
    },
  });
  const isAnnotated = Object.keys(annotations).length > 0;
  return withMetadata(converted, { annotations: isAnnotated ? annotations : undefined });
}

/** The value of an annotation; undefined when it is no JSON, which is then lost, as in Kubernetes. */
function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}
