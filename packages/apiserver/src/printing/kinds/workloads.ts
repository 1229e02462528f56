/** Rows of the kinds that run pods: deployments, sets, jobs. */
import { formatAge, getControllerOf } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { containerCells, formatLabels, formatSelector, selectorText } from "../cells.ts";
import { age, ageAt, type KindPrinter, nameOf, type PrintContext, printer, timeAt } from "../columns.ts";
import { itemOfType, listAt, numberAt, textAt, valueAt } from "../fields.ts";

const CONTAINERS = "spec.template.spec.containers";

/** Printers by qualified resource name. */
export const workloadPrinters: Readonly<Record<string, KindPrinter>> = {
  replicationcontrollers: printer(
    "Name|Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*",
    (object, context) => [
      ...replicaCells(object, context),
      ...containerCells(object, CONTAINERS),
      formatLabels(object, "spec.selector"),
    ],
  ),
  "replicasets.apps": printer(
    "Name|Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*",
    (object, context) => [
      ...replicaCells(object, context),
      ...containerCells(object, CONTAINERS),
      formatSelector(object, "spec.selector"),
    ],
  ),
  "deployments.apps": printer(
    "Name|Ready|Up-to-date|Available|Age|Containers*|Images*|Selector*",
    (object, context) => [
      nameOf(object),
      readyOfDesired(object),
      numberAt(object, "status.updatedReplicas"),
      numberAt(object, "status.availableReplicas"),
      age(object, context),
      ...containerCells(object, CONTAINERS),
      selectorText(object, "spec.selector"),
    ],
  ),
  "statefulsets.apps": printer("Name|Ready|Age|Containers*|Images*", (object, context) => [
    nameOf(object),
    readyOfDesired(object),
    age(object, context),
    ...containerCells(object, CONTAINERS),
  ]),
  "daemonsets.apps": printer(
    "Name|Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers*|Images*|Selector*",
    (object, context) => [
      nameOf(object),
      numberAt(object, "status.desiredNumberScheduled"),
      numberAt(object, "status.currentNumberScheduled"),
      numberAt(object, "status.numberReady"),
      numberAt(object, "status.updatedNumberScheduled"),
      numberAt(object, "status.numberAvailable"),
      formatLabels(object, "spec.template.spec.nodeSelector"),
      age(object, context),
      ...containerCells(object, CONTAINERS),
      formatSelector(object, "spec.selector"),
    ],
  ),
  "controllerrevisions.apps": printer("Name|Controller|Revision|Age", (object, context) => [
    nameOf(object),
    controllerName(object),
    numberAt(object, "revision"),
    age(object, context),
  ]),
  "jobs.batch": printer("Name|Status|Completions|Duration|Age|Containers*|Images*|Selector*", (object, context) => [
    nameOf(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, context),
    age(object, context),
    ...containerCells(object, CONTAINERS),
    formatSelector(object, "spec.selector"),
  ]),
  "cronjobs.batch": printer(
    "Name|Schedule|Timezone|Suspend:boolean|Active:integer|Last Schedule|Age|Containers*|Images*|Selector*",
    (object, context) => [
      nameOf(object),
      textAt(object, "spec.schedule"),
      textAt(object, "spec.timeZone", "<none>"),
      formatFlag(valueAt(object, "spec.suspend")),
      listAt(object, "status.active").length,
      ageAt(object, "status.lastScheduleTime", context, "<none>"),
      age(object, context),
      ...containerCells(object, "spec.jobTemplate.spec.template.spec.containers"),
      formatSelector(object, "spec.jobTemplate.spec.selector"),
    ],
  ),
};

function replicaCells(object: ApiObject, context: PrintContext): readonly (string | number)[] {
  return [
    nameOf(object),
    numberAt(object, "spec.replicas"),
    numberAt(object, "status.replicas"),
    numberAt(object, "status.readyReplicas"),
    age(object, context),
  ];
}

function readyOfDesired(object: ApiObject): string {
  return `${numberAt(object, "status.readyReplicas")}/${numberAt(object, "spec.replicas")}`;
}

function controllerName(object: ApiObject): string {
  const controller = getControllerOf(object);
  if (controller === undefined) return "<none>";
  const [group = "", version] = controller.apiVersion.split("/");
  const kind = version === undefined ? controller.kind : `${controller.kind}.${group}`;
  return `${kind.toLowerCase()}/${controller.name}`;
}

function jobStatus(job: ApiObject): string {
  const conditions = listAt(job, "status.conditions");
  const has = (type: string): boolean => textAt(itemOfType(conditions, type), "status") === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function jobCompletions(job: ApiObject): string {
  const succeeded = numberAt(job, "status.succeeded");
  if (valueAt(job, "spec.completions") !== undefined) return `${succeeded}/${numberAt(job, "spec.completions")}`;
  const parallelism = numberAt(job, "spec.parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, { nowMs }: PrintContext): string {
  const started = timeAt(job, "status.startTime");
  if (started === undefined) return "";
  return formatAge((timeAt(job, "status.completionTime") ?? nowMs) - started);
}

function formatFlag(value: unknown): string {
  return typeof value !== "boolean" ? "<unset>" : value ? "True" : "False";
}
