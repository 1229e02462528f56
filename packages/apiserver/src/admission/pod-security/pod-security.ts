/**
 * PodSecurity: the labels of a namespace say which Pod Security Standard its pods must meet ("enforce") and which to
 * warn about ("warn"). Workloads with a pod template are only warned about. Every version of a standard is its latest here.
 */
import type { Pod } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { baselineChecks } from "./baseline.ts";
import type { Check } from "./check.ts";
import { restrictedChecks } from "./restricted.ts";

const LABEL = "pod-security.kubernetes.io";

const CHECKS: ReadonlyMap<string, readonly Check[]> = new Map([
  ["baseline", baselineChecks],
  ["restricted", [...baselineChecks.filter(({ replacedBy }) => replacedBy === undefined), ...restrictedChecks]],
]);

/** Where workloads keep their pod template. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ["cronjobs.batch", ["spec", "jobTemplate", "spec", "template"]],
  ["daemonsets.apps", ["spec", "template"]],
  ["deployments.apps", ["spec", "template"]],
  ["jobs.batch", ["spec", "template"]],
  ["replicasets.apps", ["spec", "template"]],
  ["replicationcontrollers", ["spec", "template"]],
  ["statefulsets.apps", ["spec", "template"]],
]);

/** The plugin. */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  resources: new Set(["pods", ...TEMPLATES.keys()]),
  validate(request) {
    const { object, oldObject, operation, subresource, reader, namespace } = request;
    if (object === undefined || (subresource !== "" && subresource !== "ephemeralcontainers")) return;
    const pod = podOf(request, object);
    if (pod === undefined || (operation === "UPDATE" && deepEqual(object["spec"], oldObject?.["spec"]))) return;
    const labels = reader.get("namespaces", "", namespace)?.metadata.labels ?? {};
    if (request.resource.storageName === "pods") enforce(request, pod, labels);
    warn(request, pod, labels);
  },
};

type Labels = Readonly<Record<string, string>>;

function podOf({ resource }: AdmissionRequest, object: ApiObject): Pod | undefined {
  if (resource.storageName === "pods") return object as unknown as Pod;
  const path = TEMPLATES.get(resource.storageName) ?? [];
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object) as Pod;
}

function enforce(request: AdmissionRequest, pod: Pod, labels: Labels): void {
  const violation = violationOf("enforce", pod, labels);
  if (violation !== undefined) throw refusal(request, `violates PodSecurity ${violation}`);
}

function warn(request: AdmissionRequest, pod: Pod, labels: Labels): void {
  const violation = violationOf("warn", pod, labels);
  if (violation !== undefined) request.warn(`would violate PodSecurity ${violation}`);
}

/** `"restricted:latest": reason (detail), …`; undefined when the pod meets the standard, or none is asked for. */
function violationOf(mode: "enforce" | "warn", pod: Pod, labels: Labels): string | undefined {
  const level = labels[`${LABEL}/${mode}`] ?? "privileged";
  const version = labels[`${LABEL}/${mode}-version`] ?? "latest";
  const found = (CHECKS.get(level) ?? []).flatMap(({ reason, find }) => {
    const detail = find(pod);
    return detail === undefined ? [] : [`${reason} (${detail})`];
  });
  return found.length === 0 ? undefined : `"${level}:${version}": ${found.join(", ")}`;
}
