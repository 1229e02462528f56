/**
 * PodSecurity: the labels of a namespace say which Pod Security Standard its pods must meet ("enforce") and which to
 * warn about ("warn"). Workloads with a pod template are only warned about. Labels themselves must make sense.
 */
import type { Pod } from "@kubewright/api/core/v1";
import { forbidden, invalidError } from "@kubewright/core/protocol";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { checkExistingPods } from "./existing-pods.ts";
import { describeStandard, policyOf, type SecurityPolicy, type Standard } from "./policy.ts";
import { describeViolations, violationsOf } from "./standards.ts";

/** Where workloads keep their pod template. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ["cronjobs.batch", ["spec", "jobTemplate", "spec", "template"]],
  ["daemonsets.apps", ["spec", "template"]],
  ["deployments.apps", ["spec", "template"]],
  ["jobs.batch", ["spec", "template"]],
  ["podtemplates", ["template"]],
  ["replicasets.apps", ["spec", "template"]],
  ["replicationcontrollers", ["spec", "template"]],
  ["statefulsets.apps", ["spec", "template"]],
]);

/** Subresources of pods through which their containers change. */
const POD_SUBRESOURCES = new Set(["", "ephemeralcontainers", "resize"]);

/** The plugin. */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  resources: new Set(["namespaces", "pods", ...TEMPLATES.keys()]),
  validate(request) {
    const { object, oldObject, resource, subresource } = request;
    if (object === undefined) return;
    if (resource.storageName === "pods") {
      if (POD_SUBRESOURCES.has(subresource)) judgePod(request, object as unknown as Pod);
    } else if (subresource === "") {
      if (resource.storageName === "namespaces") judgeLabels(request, object, oldObject);
      else warn(request, templateOf(resource.storageName, object), policyFor(request));
    }
  },
};

function policyFor({ reader, namespace }: AdmissionRequest): SecurityPolicy {
  return policyOf(reader.get("namespaces", "", namespace)?.metadata.labels ?? {});
}

function templateOf(resource: string, object: ApiObject): Pod | undefined {
  const path = TEMPLATES.get(resource) ?? [];
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object) as Pod;
}

/** Updates of pods count when they change an image, or add a container. */
function judgePod(request: AdmissionRequest, pod: Pod): void {
  const { operation, oldObject } = request;
  const old = oldObject as unknown as Pod;
  if (operation === "UPDATE" && (pod.spec === old.spec || imagesOf(pod) === imagesOf(old))) return;
  const policy = policyFor(request);
  const violations = violationsOf(policy.enforce, pod);
  if (violations.length > 0) {
    const told = `violates PodSecurity "${describeStandard(policy.enforce)}": ${describeViolations(violations)}`;
    throw forbidden(request.resource.definition, request.name, told);
  }
  warn(request, pod, policy);
}

function imagesOf({ spec }: Pod): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? { containers: [] };
  const images = [initContainers, containers].map((list) => (list ?? []).map(({ image }) => image ?? ""));
  return JSON.stringify([images, (ephemeralContainers ?? []).map(({ name, image }) => [name, image])]);
}

function warn(request: AdmissionRequest, pod: Pod | undefined, { warn: standard }: SecurityPolicy): void {
  const violations = pod == null ? [] : violationsOf(standard, pod);
  if (violations.length === 0) return;
  request.warn(`would violate PodSecurity "${describeStandard(standard)}": ${describeViolations(violations)}`);
}

/** Refuses labels that say nothing, unless they did so before; tells which pods would not be let in by those that do. */
function judgeLabels(request: AdmissionRequest, namespace: ApiObject, old: ApiObject | undefined): void {
  const policy = policyOf(namespace.metadata.labels ?? {});
  const oldPolicy = old === undefined ? undefined : policyOf(old.metadata.labels ?? {});
  const isOld = JSON.stringify(policy.errors) === JSON.stringify(oldPolicy?.errors);
  if (policy.errors.length > 0 && !isOld) {
    throw invalidError({ group: "", kind: "Namespace", name: request.name }, policy.errors);
  }
  if (oldPolicy !== undefined) warnOfPods(request, policy.enforce, oldPolicy.enforce);
}

function warnOfPods(request: AdmissionRequest, standard: Standard, before: Standard): void {
  const pods = request.reader.list("pods", request.name) as unknown as readonly Pod[];
  for (const text of checkExistingPods(request.name, pods, { standard, before })) request.warn(text);
}
