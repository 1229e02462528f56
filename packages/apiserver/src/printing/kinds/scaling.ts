/** Rows of what sizes and guards workloads: autoscalers, scales and disruption budgets. */
import type { Json } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { age, type KindPrinter, nameOf, parseColumns, printer } from "../columns.ts";
import { type Field, listAt, numberAt, textAt, valueAt } from "../fields.ts";

/** Printers by qualified resource name. */
export const scalingPrinters: Readonly<Record<string, KindPrinter>> = {
  "horizontalpodautoscalers.autoscaling": printer(
    "Name|Reference|Targets|MinPods|MaxPods|Replicas|Age",
    (object, context) => [
      nameOf(object),
      `${textAt(object, "spec.scaleTargetRef.kind")}/${textAt(object, "spec.scaleTargetRef.name")}`,
      formatTargets(object),
      formatIntOrString(valueAt(object, "spec.minReplicas"), "<unset>"),
      numberAt(object, "spec.maxReplicas"),
      numberAt(object, "status.currentReplicas"),
      age(object, context),
    ],
  ),
  "poddisruptionbudgets.policy": printer(
    "Name|Min Available|Max Unavailable|Allowed Disruptions:integer|Age",
    (object, context) => [
      nameOf(object),
      formatIntOrString(valueAt(object, "spec.minAvailable"), "N/A"),
      formatIntOrString(valueAt(object, "spec.maxUnavailable"), "N/A"),
      numberAt(object, "status.disruptionsAllowed"),
      age(object, context),
    ],
  ),
};

/** The scale subresource of any kind. */
export const scalePrinter: KindPrinter = {
  columns: parseColumns("Name:string/|Desired:integer|Available:integer|Age"),
  print: (object, context) => ({
    cells: [
      nameOf(object),
      numberAt(object, "spec.replicas"),
      numberAt(object, "status.replicas"),
      age(object, context),
    ],
  }),
};

function formatIntOrString(value: Field, absent: string): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : absent;
}

const METRICS_SHOWN = 2;

function formatTargets(autoscaler: ApiObject): string {
  const specs = autoscaler.apiVersion === "autoscaling/v1" ? oldMetrics(autoscaler) : metrics(autoscaler);
  if (specs.length === 0) return "<none>";
  const more = specs.length > METRICS_SHOWN ? ` + ${specs.length - METRICS_SHOWN} more...` : "";
  return `${specs.slice(0, METRICS_SHOWN).join(", ")}${more}`;
}

/** Version 1 knows no metric but the share of CPU. */
function oldMetrics(autoscaler: ApiObject): readonly string[] {
  const target = valueAt(autoscaler, "spec.targetCPUUtilizationPercentage");
  if (target === undefined) return [];
  return [
    `cpu: ${formatPercent(valueAt(autoscaler, "status.currentCPUUtilizationPercentage"), "<unknown>")}/${target}%`,
  ];
}

function metrics(autoscaler: ApiObject): readonly string[] {
  const current = listAt(autoscaler, "status.currentMetrics");
  return listAt(autoscaler, "spec.metrics").map((spec, index) => formatMetric(spec, current[index]));
}

/** The field of a metric's spec and status, by its type. */
const METRIC_FIELDS: ReadonlyMap<string, string> = new Map([
  ["External", "external"],
  ["Pods", "pods"],
  ["Object", "object"],
  ["Resource", "resource"],
  ["ContainerResource", "containerResource"],
]);

function formatMetric(spec: Json, status: Field): string {
  const field = METRIC_FIELDS.get(textAt(spec, "type"));
  if (field === undefined) return "<unknown type>";
  const [target, current] = [valueAt(spec, `${field}.target`), valueAt(status, `${field}.current`)];
  const average = textAt(target, "averageValue");
  switch (field) {
    case "pods":
      return `${currentText(current, "averageValue")}/${average}`;
    case "resource":
    case "containerResource":
      return `${textAt(spec, `${field}.name`)}: ${formatResourceTarget(target, current)}`;
    default:
      if (average !== "") return `${textAt(current, "averageValue", "<unknown>")}/${average} (avg)`;
      return `${currentText(current, "value")}/${textAt(target, "value")}`;
  }
}

function formatResourceTarget(target: Field, current: Field): string {
  const average = textAt(target, "averageValue");
  if (average !== "") return `${currentText(current, "averageValue")}/${average}`;
  const share = formatPercent(valueAt(current, "averageUtilization"), "<unknown>");
  return `${share}/${formatPercent(valueAt(target, "averageUtilization"), "<auto>")}`;
}

/** A measured amount; "<nil>" is what Go prints when there is a measurement without it. */
function currentText(current: Field, field: string): string {
  return current === undefined ? "<unknown>" : textAt(current, field, "<nil>");
}

function formatPercent(value: Field, absent: string): string {
  return typeof value === "number" ? `${value}%` : absent;
}
