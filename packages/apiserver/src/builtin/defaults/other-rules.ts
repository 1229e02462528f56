/** Defaults of all kinds that are neither pods nor workloads. */
import type { DefaultRules } from "@kubewright/api/defaults";
import type { JsonObject } from "@kubewright/core/meta";
import { autoscalerRules } from "./autoscaler-rules.ts";
import { change, fill, fillKeys, hasContent, objectOf, objectsOf } from "./fill.ts";

const RBAC_GROUP = "rbac.authorization.k8s.io";
const CLIENT_IP_SECONDS = 10_800;

const WEBHOOK_DEFAULTS: JsonObject = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Rules for the remaining kinds. */
export const otherRules: DefaultRules = new Map([
  ...autoscalerRules,
  ["core/v1.Namespace", defaultNamespace],
  ["core/v1.NamespaceStatus", (status) => fill(status, { phase: "Active" })],
  ["core/v1.Secret", defaultSecret],
  ["core/v1.Service", defaultService],
  ["core/v1.EndpointPort", (port) => fill(port, { protocol: "TCP" })],
  ["core/v1.NodeStatus", (status) => (status["capacity"] ? fill(status, { allocatable: status["capacity"] }) : status)],
  ["core/v1.PersistentVolume", defaultPersistentVolume],
  ["core/v1.PersistentVolumeClaim", (claim) => change(claim, "status", (status) => fill(status, { phase: "Pending" }))],
  ["core/v1.LimitRangeItem", defaultLimits],
  ["discovery/v1.EndpointPort", (port) => fill(port, { name: "", protocol: "TCP" })],
  ["networking/v1.NetworkPolicy", (policy) => change(policy, "spec", defaultPolicyTypes)],
  ["networking/v1.NetworkPolicyPort", (port) => fill(port, { protocol: "TCP" })],
  ["networking/v1.IngressClassParametersReference", (parameters) => fill(parameters, { scope: "Cluster" })],
  ["rbac/v1.RoleRef", (role) => fill(role, { apiGroup: RBAC_GROUP })],
  ["rbac/v1.Subject", defaultSubject],
  ["scheduling/v1.PriorityClass", (priority) => fill(priority, { preemptionPolicy: "PreemptLowerPriority" })],
  ["storage/v1.StorageClass", (item) => fill(item, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" })],
  ["storage/v1.CSIDriverSpec", defaultCsiDriver],
  ["admissionregistration/v1.ValidatingWebhook", (webhook) => fill(webhook, WEBHOOK_DEFAULTS)],
  [
    "admissionregistration/v1.MutatingWebhook",
    (webhook) => fill(webhook, { ...WEBHOOK_DEFAULTS, reinvocationPolicy: "Never" }),
  ],
  ["admissionregistration/v1.Rule", (rule) => fill(rule, { scope: "*" })],
  ["admissionregistration/v1.ServiceReference", (service) => fill(service, { port: 443 })],
  ["admissionregistration/v1.ValidatingAdmissionPolicySpec", (spec) => fill(spec, { failurePolicy: "Fail" })],
  ["admissionregistration/v1.MutatingAdmissionPolicySpec", (spec) => fill(spec, { failurePolicy: "Fail" })],
  [
    "admissionregistration/v1.MatchResources",
    (match) => fill(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} }),
  ],
  ["apiregistration/v1.ServiceReference", (service) => fill(service, { port: 443 })],
]);

function defaultNamespace(namespace: JsonObject): JsonObject {
  const { name, labels } = objectOf(namespace["metadata"]);
  if (typeof name !== "string" || name === "") return namespace;
  const labelled = { ...objectOf(labels), "kubernetes.io/metadata.name": name };
  return change(namespace, "metadata", (metadata) => ({ ...metadata, labels: labelled }));
}

/** `stringData` is for writing only: it becomes part of `data`. */
function defaultSecret(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = fill(secret, { type: "Opaque" });
  if (!hasContent(stringData)) return stringData === undefined ? { ...rest } : rest;
  const encoded = Object.entries(objectOf(stringData)).map(([key, value]) => [
    key,
    Buffer.from(String(value ?? "")).toString("base64"),
  ]);
  return { ...rest, data: { ...objectOf(rest["data"]), ...Object.fromEntries(encoded) } };
}

function defaultService(service: JsonObject): JsonObject {
  const filled = change(service, "spec", defaultServiceSpec);
  const balancer = objectOf(objectOf(service["status"])["loadBalancer"]);
  if (objectOf(filled["spec"])["type"] !== "LoadBalancer" || !hasContent(balancer["ingress"])) return filled;
  const ingress = objectsOf(balancer["ingress"]).map((item) => (item["ip"] ? fill(item, { ipMode: "VIP" }) : item));
  return change(filled, "status", (status) => ({ ...status, loadBalancer: { ...balancer, ingress } }));
}

function defaultServiceSpec(spec: JsonObject): JsonObject {
  const typed = fill(spec, { sessionAffinity: "None", type: "ClusterIP" });
  const { type } = typed;
  const isExternal =
    type === "NodePort" || type === "LoadBalancer" || (type === "ClusterIP" && hasContent(spec["externalIPs"]));
  const filled = fill(typed, {
    ...(isExternal && { externalTrafficPolicy: "Cluster" }),
    ...(type !== "ExternalName" && { internalTrafficPolicy: "Cluster" }),
    ...(type === "LoadBalancer" && { allocateLoadBalancerNodePorts: true }),
  });
  const ports = { ...(spec["ports"] && { ports: objectsOf(spec["ports"]).map(defaultServicePort) }) };
  return { ...withAffinity(filled), ...ports };
}

function defaultServicePort(port: JsonObject): JsonObject {
  const filled = fill(port, { protocol: "TCP" });
  const { targetPort } = filled;
  const isSet = targetPort !== undefined && targetPort !== null && targetPort !== 0 && targetPort !== "";
  return isSet ? filled : { ...filled, targetPort: filled["port"] };
}

function withAffinity(spec: JsonObject): JsonObject {
  const { sessionAffinityConfig, ...rest } = spec;
  if (spec["sessionAffinity"] === "None") return rest;
  const timeout = objectOf(objectOf(sessionAffinityConfig)["clientIP"])["timeoutSeconds"] ?? undefined;
  if (spec["sessionAffinity"] !== "ClientIP" || timeout !== undefined) return spec;
  return { ...rest, sessionAffinityConfig: { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } } };
}

function defaultPersistentVolume(volume: JsonObject): JsonObject {
  const phased = change(volume, "status", (status) => fill(status, { phase: "Pending" }));
  return change(phased, "spec", (spec) =>
    fill(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" }),
  );
}

function defaultLimits(item: JsonObject): JsonObject {
  if (item["type"] !== "Container") return item;
  const limit = fillKeys(item["default"], item["max"]);
  const request = fillKeys(fillKeys(item["defaultRequest"], limit), item["min"]);
  return { ...item, default: limit, defaultRequest: request };
}

function defaultPolicyTypes(spec: JsonObject): JsonObject {
  if (hasContent(spec["policyTypes"])) return spec;
  return { ...spec, policyTypes: hasContent(spec["egress"]) ? ["Ingress", "Egress"] : ["Ingress"] };
}

function defaultSubject(subject: JsonObject): JsonObject {
  const { kind } = subject;
  return kind === "User" || kind === "Group" ? fill(subject, { apiGroup: RBAC_GROUP }) : subject;
}

function defaultCsiDriver(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
  });
  return hasContent(spec["volumeLifecycleModes"]) ? filled : { ...filled, volumeLifecycleModes: ["Persistent"] };
}
