/** Defaults of the kinds that keep pods: apps/v1, batch/v1 and ReplicationController. */
import type { DefaultRules } from "@kubewright/api/defaults";
import type { JsonObject } from "@kubewright/core/meta";
import { change, fill, hasContent, objectOf } from "./fill.ts";

const INT32_MAX = 2_147_483_647;

/** Rules for the workload kinds. */
export const workloadRules: DefaultRules = new Map([
  ["apps/v1.Deployment", (deployment) => change(deployment, "spec", defaultDeploymentSpec)],
  ["apps/v1.ReplicaSet", (set) => change(set, "spec", (spec) => fill(spec, { replicas: 1 }))],
  ["apps/v1.StatefulSet", (set) => change(set, "spec", defaultStatefulSetSpec)],
  ["apps/v1.DaemonSet", defaultDaemonSet],
  ["core/v1.ReplicationController", defaultReplicationController],
  ["batch/v1.Job", defaultJob],
  ["batch/v1.CronJob", (job) => change(job, "spec", (spec) => fill(spec, CRON_JOB_DEFAULTS))],
  ["batch/v1.PodFailurePolicyOnPodConditionsPattern", (pattern) => fill(pattern, { status: "True" })],
]);

/** Counts the changes of a DaemonSet's template, as older controllers expect. */
export const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

const CRON_JOB_DEFAULTS: JsonObject = {
  concurrencyPolicy: "Allow",
  suspend: false,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
};

function defaultDeploymentSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  return change(filled, "strategy", (strategy) => rolling(strategy, { maxUnavailable: "25%", maxSurge: "25%" }));
}

/** Go reads the annotation into a field, and writes it always. */
function defaultDaemonSet(set: JsonObject): JsonObject {
  const counted = change(set, "metadata", (metadata) =>
    change(metadata, "annotations", (annotations) => fill(annotations, { [TEMPLATE_GENERATION]: "0" })),
  );
  return change(counted, "spec", defaultDaemonSetSpec);
}

function defaultDaemonSetSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, { revisionHistoryLimit: 10 });
  return change(filled, "updateStrategy", (strategy) => rolling(strategy, { maxUnavailable: 1, maxSurge: 0 }));
}

/** Rolling updates are the default, with these parameters. */
function rolling(strategy: JsonObject, parameters: JsonObject): JsonObject {
  const typed = fill(strategy, { type: "RollingUpdate" });
  if (typed["type"] !== "RollingUpdate") return typed;
  return change(typed, "rollingUpdate", (update) => fill(update, parameters));
}

function defaultStatefulSetSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, { podManagementPolicy: "OrderedReady", replicas: 1, revisionHistoryLimit: 10 });
  const updating = change(filled, "updateStrategy", (strategy) => {
    const typed = strategy["type"] ? strategy : fill({ ...strategy, type: "RollingUpdate" }, { rollingUpdate: {} });
    if (typed["type"] !== "RollingUpdate" || !typed["rollingUpdate"]) return typed;
    return change(typed, "rollingUpdate", (update) => fill(update, { partition: 0 }));
  });
  return change(updating, "persistentVolumeClaimRetentionPolicy", (policy) =>
    fill(policy, { whenDeleted: "Retain", whenScaled: "Retain" }),
  );
}

function defaultReplicationController(controller: JsonObject): JsonObject {
  const labels = labelsOf(objectOf(controller["spec"])["template"] as JsonObject | undefined);
  const counted = change(controller, "spec", (spec) => fill(spec, { replicas: 1 }));
  if (labels === undefined) return counted;
  const selecting = change(counted, "spec", (spec) =>
    hasContent(spec["selector"]) ? spec : { ...spec, selector: labels },
  );
  return withLabels(selecting, labels);
}

function defaultJob(job: JsonObject): JsonObject {
  const spec = objectOf(job["spec"]);
  const counts =
    (spec["completions"] ?? spec["parallelism"] ?? undefined) === undefined
      ? { completions: 1, parallelism: 1 }
      : { parallelism: 1 };
  const filled = change(job, "spec", (before) =>
    fill(before, {
      ...counts,
      backoffLimit: (spec["backoffLimitPerIndex"] ?? undefined) === undefined ? 6 : INT32_MAX,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: spec["podFailurePolicy"] ? "Failed" : "TerminatingOrFailed",
      manualSelector: false,
    }),
  );
  const labels = labelsOf(spec["template"] as JsonObject | undefined);
  return labels === undefined ? filled : withLabels(filled, labels);
}

/** Labels of the template, for objects that have none of their own. */
function withLabels(object: JsonObject, labels: JsonObject): JsonObject {
  return change(object, "metadata", (metadata) =>
    hasContent(metadata["labels"]) ? metadata : { ...metadata, labels },
  );
}

function labelsOf(template: JsonObject | undefined): JsonObject | undefined {
  const labels = objectOf(objectOf(template)["metadata"])["labels"];
  return hasContent(labels) ? objectOf(labels) : undefined;
}
