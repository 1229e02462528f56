import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import { quotaUsage } from "./usage.ts";

const now = Date.UTC(2026, 0, 1);

function usage(
  spec: NonNullable<ResourceQuota["spec"]>,
  objects: Readonly<Record<string, readonly KubernetesObject[]>>,
): Readonly<Record<string, string>> {
  return quotaUsage({ spec }, (resource) => objects[resource] ?? [], now);
}

function pod(
  requests: Record<string, string>,
  more: Partial<NonNullable<Pod["spec"]>> = {},
  status: Pod["status"] = {},
): Pod {
  return { spec: { containers: [{ name: "c", resources: { requests, limits: requests } }], ...more }, status };
}

test("pods count with what their containers ask for, until they end", () => {
  const pods = [pod({ cpu: "250m", memory: "64Mi" }), pod({ cpu: "1" }), pod({ cpu: "4" }, {}, { phase: "Succeeded" })];
  const hard = { pods: "9", "count/pods": "9", cpu: "9", "requests.cpu": "9", "limits.memory": "9" };
  assert.deepEqual(usage({ hard }, { pods }), {
    pods: "2",
    "count/pods": "3",
    cpu: "1250m",
    "requests.cpu": "1250m",
    "limits.memory": "64Mi",
  });
});

test("an init container that needs more than all others counts in their place; sidecars count beside them", () => {
  const initContainers = [
    { name: "sidecar", restartPolicy: "Always", resources: { requests: { cpu: "100m" } } },
    { name: "init", resources: { requests: { cpu: "2" } } },
  ];
  assert.deepEqual(usage({ hard: { cpu: "9" } }, { pods: [pod({ cpu: "1" }, { initContainers })] }), { cpu: "2100m" });
  assert.deepEqual(usage({ hard: { cpu: "9" } }, { pods: [pod({ cpu: "3" }, { initContainers })] }), { cpu: "3100m" });
});

test("objects of any kind are counted by resource", () => {
  const hard = { "count/deployments.apps": "5", configmaps: "5", "count/widgets.example.com": "5" };
  assert.deepEqual(usage({ hard }, { "deployments.apps": [{}, {}], configmaps: [{}] }), {
    "count/deployments.apps": "2",
    configmaps: "1",
    "count/widgets.example.com": "0",
  });
});

test("services count by type, claims by class", () => {
  const services: Service[] = [
    { spec: { type: "LoadBalancer", ports: [{ port: 1 }, { port: 2 }] } },
    { spec: { type: "NodePort", ports: [{ port: 1 }] } },
    { spec: { type: "ClusterIP", ports: [{ port: 1 }] } },
  ];
  const claim: PersistentVolumeClaim = {
    spec: { storageClassName: "fast", resources: { requests: { storage: "2Gi" } } },
  };
  const hard = {
    services: "9",
    "services.loadbalancers": "9",
    "services.nodeports": "9",
    "requests.storage": "9Gi",
    "fast.storageclass.storage.k8s.io/requests.storage": "9Gi",
    "slow.storageclass.storage.k8s.io/persistentvolumeclaims": "9",
  };
  assert.deepEqual(usage({ hard }, { services, persistentvolumeclaims: [claim] }), {
    services: "3",
    "services.loadbalancers": "1",
    "services.nodeports": "3",
    "requests.storage": "2Gi",
    "fast.storageclass.storage.k8s.io/requests.storage": "2Gi",
    "slow.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
  });
});

test("scopes narrow which pods count", () => {
  const pods = [
    pod({}, { activeDeadlineSeconds: 5, priorityClassName: "high" }, { qosClass: "BestEffort" }),
    pod({ cpu: "1" }, {}, { qosClass: "Burstable" }),
  ];
  const hard = { pods: "9" };
  assert.deepEqual(usage({ hard, scopes: ["BestEffort"] }, { pods }), { pods: "1" });
  assert.deepEqual(usage({ hard, scopes: ["Terminating", "NotBestEffort"] }, { pods }), { pods: "0" });
  const matchExpressions = [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] as const;
  assert.deepEqual(usage({ hard, scopeSelector: { matchExpressions } }, { pods }), { pods: "1" });
});
