/** RuntimeClass: a pod gets the overhead, the node selector and the tolerations of its runtime class, which must be there. */
import type { Pod, PodSpec, Toleration } from "@kubewright/api/core/v1";
import type { RuntimeClass } from "@kubewright/api/node/v1";
import { deepEqual, type Json } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { withSpec } from "./pods.ts";

/** The plugin. */
export const runtimeClasses: AdmissionPlugin = {
  name: "RuntimeClass",
  resources: new Set(["pods"]),
  mutate(object, request) {
    if (request.operation !== "CREATE" || request.subresource !== "") return object;
    const found = classOf(object, request);
    const { spec = { containers: [] } } = object as unknown as Pod;
    const changes = { ...overheadOf(found, spec, request), ...schedulingOf(found, spec, request) };
    return Object.keys(changes).length === 0 ? object : withSpec(object, changes);
  },
  validate(request) {
    const { object, operation, subresource } = request;
    if (operation !== "CREATE" || subresource !== "" || object === undefined) return;
    const { overhead } = (object as unknown as Pod).spec ?? {};
    const fixed = classOf(object, request)?.overhead?.podFixed;
    if (deepEqual(asJson(fixed), asJson(overhead))) return;
    if (fixed !== undefined) throw mismatch(request);
    throw refusal(request, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  },
};

function asJson(value: object | undefined): Json {
  return (value ?? null) as Json;
}

function classOf(object: ApiObject, request: AdmissionRequest): RuntimeClass | undefined {
  const name = (object as unknown as Pod).spec?.runtimeClassName;
  if (name == null) return undefined;
  const found = request.reader.get("runtimeclasses.node.k8s.io", "", name);
  if (found === undefined) throw refusal(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found as unknown as RuntimeClass;
}

function overheadOf(found: RuntimeClass | undefined, spec: PodSpec, request: AdmissionRequest): Partial<PodSpec> {
  const fixed = found?.overhead?.podFixed;
  if (fixed === undefined || deepEqual(asJson(fixed), asJson(spec.overhead))) return {};
  if (Object.keys(spec.overhead ?? {}).length > 0) throw mismatch(request);
  return { overhead: fixed };
}

function mismatch(request: AdmissionRequest): Error {
  return refusal(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function schedulingOf(found: RuntimeClass | undefined, spec: PodSpec, request: AdmissionRequest): Partial<PodSpec> {
  if (found?.scheduling == null) return {};
  const { nodeSelector = {}, tolerations = [] } = found.scheduling;
  const own = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    if (own[key] === undefined || own[key] === value) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
    throw refusal(request, why);
  }
  const merged = mergeTolerations([...(spec.tolerations ?? []), ...tolerations]);
  const selector = { ...own, ...nodeSelector };
  return {
    ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
    ...(merged.length > 0 && { tolerations: merged }),
  };
}

/** Those that another one does not cover; of equal ones the first. */
function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, one] of all.entries()) {
    const isCovered = merged.some((other) => covers(other, one));
    const isCoveredLater = all.slice(index + 1).some((other) => !isEqual(other, one) && covers(other, one));
    if (!isCovered && !isCoveredLater) merged.push(one);
  }
  return merged;
}

function isEqual(left: Toleration, right: Toleration): boolean {
  return deepEqual(left as unknown as Json, right as unknown as Json);
}

/** True when `wide` tolerates all that `narrow` does. */
function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isEqual(wide, narrow)) return true;
  const { key = "", effect = "", operator = "Equal", tolerationSeconds } = wide;
  if (key !== (narrow.key ?? "") && (key !== "" || operator !== "Exists")) return false;
  if (effect !== "" && effect !== (narrow.effect ?? "")) return false;
  if (effect === "NoExecute" && tolerationSeconds != null) {
    if (narrow.tolerationSeconds == null || narrow.tolerationSeconds > tolerationSeconds) return false;
  }
  return operator === "Exists" || (narrow.operator === "Equal" && (narrow.value ?? "") === (wide.value ?? ""));
}
