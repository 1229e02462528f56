/** Roles, autoscalers, budgets, leases, webhooks, priorities, certificate requests, API services. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const rbac = (plural: string) => at(`/apis/rbac.authorization.k8s.io/v1/namespaces/default/${plural}`);
const clusterRbac = (plural: string) => at(`/apis/rbac.authorization.k8s.io/v1/${plural}`);
const rule = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const roleRef = { kind: "Role", name: "r" };
const budgets = at("/apis/policy/v1/namespaces/default/poddisruptionbudgets");
const hpas = at("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers");
const oldHpas = at("/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers");
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const leases = at("/apis/coordination.k8s.io/v1/namespaces/default/leases");
const webhooks = (type: string) => at(`/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`);
const webhook = {
  name: "a.example.com",
  clientConfig: { service: { namespace: "default", name: "s" } },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["CREATE"] }],
};
const priorities = at("/apis/scheduling.k8s.io/v1/priorityclasses");
const services = at("/apis/apiregistration.k8s.io/v1/apiservices");

/** Scenarios about the other kinds. */
export const otherScenarios: readonly Scenario[] = [
  ...creates(rbac("roles"), {
    "a role": { metadata: { name: "a:b" }, rules: [rule] },
    "a role without verbs": { metadata: { name: "x" }, rules: [{ ...rule, verbs: [] }] },
    "a role without groups": { metadata: { name: "x" }, rules: [{ resources: ["pods"], verbs: ["get"] }] },
    "a role for paths": { metadata: { name: "x" }, rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }] },
    "a role with a slash": { metadata: { name: "a/b" }, rules: [] },
  }),
  ...creates(clusterRbac("clusterroles"), {
    "a cluster role for paths": { metadata: { name: "paths" }, rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] },
    "a cluster role for both": { metadata: { name: "x" }, rules: [{ ...rule, nonResourceURLs: ["/x"] }] },
    "an aggregate of nothing": { metadata: { name: "x" }, aggregationRule: {} },
  }),
  scenario(
    "role bindings",
    rbac("rolebindings").create({
      metadata: { name: "b" },
      roleRef,
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s" },
      ],
    }),
    rbac("rolebindings").merge("b", { roleRef: { name: "other" } }),
    rbac("rolebindings").create({ metadata: { name: "x" }, roleRef: { kind: "Thing", name: "" } }),
    rbac("rolebindings").create({ metadata: { name: "x" }, roleRef, subjects: [{ kind: "Robot", name: "r" }] }),
    clusterRbac("clusterrolebindings").create({ metadata: { name: "x" }, roleRef, subjects: [] }),
    clusterRbac("clusterrolebindings").create({
      metadata: { name: "x" },
      roleRef: { kind: "ClusterRole", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s" }],
    }),
    rbac("rolebindings").update("by-put", { metadata: { name: "by-put" }, roleRef }),
  ),
  scenario(
    "disruption budgets",
    budgets.create({ metadata: { name: "b" }, spec: { minAvailable: "50%", selector: { matchLabels: { a: "b" } } } }),
    budgets.merge("b", { spec: { minAvailable: 2 } }),
    budgets.update("b", { metadata: { name: "b" }, spec: { minAvailable: 1 } }),
    budgets.create({ metadata: { name: "x" }, spec: { minAvailable: 1, maxUnavailable: 1 } }),
    budgets.create({ metadata: { name: "x" }, spec: { minAvailable: -1 } }),
    budgets.create({ metadata: { name: "x" }, spec: { maxUnavailable: "150%" } }),
    budgets.create({ metadata: { name: "x" }, spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: "Never" } }),
  ),
  ...creates(hpas, {
    "an autoscaler": { metadata: { name: "minimal" }, spec: { scaleTargetRef, maxReplicas: 3 } },
    "an autoscaler with behaviour": {
      metadata: { name: "behaving" },
      spec: {
        scaleTargetRef,
        minReplicas: 2,
        maxReplicas: 3,
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    },
    "no maximum": { metadata: { name: "x" }, spec: { scaleTargetRef } },
    "a maximum below the minimum": {
      metadata: { name: "x" },
      spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 3 },
    },
    "a minimum of nothing": { metadata: { name: "x" }, spec: { scaleTargetRef, minReplicas: 0, maxReplicas: 3 } },
    "no target": { metadata: { name: "x" }, spec: { maxReplicas: 3 } },
    "a metric of nothing": {
      metadata: { name: "x" },
      spec: { scaleTargetRef, maxReplicas: 3, metrics: [{ type: "Resource" }] },
    },
    "a metric without target": {
      metadata: { name: "x" },
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization" } } }],
      },
    },
  }),
  scenario(
    "autoscalers of both versions are one",
    oldHpas.create({
      metadata: { name: "old" },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    }),
    hpas.get("old"),
    hpas.create({
      metadata: { name: "new" },
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [
          { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
        ],
      },
    }),
    oldHpas.get("new"),
  ),
  scenario(
    "leases",
    leases.create({
      metadata: { name: "l" },
      spec: { holderIdentity: "a", leaseDurationSeconds: 15, renewTime: "2020-01-02T03:04:05.000006Z" },
    }),
    leases.update("l", { metadata: { name: "l" }, spec: { holderIdentity: "b" } }),
    leases.merge("l", { spec: { leaseDurationSeconds: 0 } }),
    leases.update("by-put", { metadata: { name: "by-put" }, spec: {} }),
    leases.create({ metadata: { name: "x" }, spec: { renewTime: "yesterday" } }),
    leases.create({
      metadata: { name: "coordinated" },
      spec: { preferredHolder: "x", strategy: "OldestEmulationVersion" },
    }),
  ),
  ...creates(webhooks("validating"), {
    "a webhook": { metadata: { name: "minimal" }, webhooks: [webhook] },
    "a webhook by url": {
      metadata: { name: "url" },
      webhooks: [{ ...webhook, clientConfig: { url: "https://example.com/x" } }],
    },
    "no side effects told": { metadata: { name: "x" }, webhooks: [{ ...webhook, sideEffects: undefined }] },
    "some side effects": { metadata: { name: "x" }, webhooks: [{ ...webhook, sideEffects: "Some" }] },
    "no versions": { metadata: { name: "x" }, webhooks: [{ ...webhook, admissionReviewVersions: [] }] },
    "versions nobody knows": { metadata: { name: "x" }, webhooks: [{ ...webhook, admissionReviewVersions: ["v9"] }] },
    "a short name": { metadata: { name: "x" }, webhooks: [{ ...webhook, name: "a" }] },
    "no client": { metadata: { name: "x" }, webhooks: [{ ...webhook, clientConfig: {} }] },
    "a plain url": { metadata: { name: "x" }, webhooks: [{ ...webhook, clientConfig: { url: "http://example.com" } }] },
    "a long timeout": { metadata: { name: "x" }, webhooks: [{ ...webhook, timeoutSeconds: 60 }] },
    "a bad failure policy": { metadata: { name: "x" }, webhooks: [{ ...webhook, failurePolicy: "Shrug" }] },
    "a rule of nothing": { metadata: { name: "x" }, webhooks: [{ ...webhook, rules: [{}] }] },
    "two of one name": { metadata: { name: "x" }, webhooks: [webhook, webhook] },
  }),
  scenario(
    "a mutating webhook",
    webhooks("mutating").create({ metadata: { name: "minimal" }, webhooks: [webhook] }),
    webhooks("mutating").merge("minimal", { metadata: { labels: { a: "b" } } }),
    webhooks("mutating").merge("minimal", { webhooks: [{ ...webhook, timeoutSeconds: 5 }] }),
    webhooks("mutating").remove("minimal"),
  ),
  scenario(
    "priority classes",
    priorities.get("system-node-critical"),
    priorities.create({ metadata: { name: "high" }, value: 1000 }),
    priorities.merge("high", { value: 2000 }),
    priorities.merge("high", { preemptionPolicy: "Never" }),
    priorities.merge("high", { description: "d" }),
    priorities.create({ metadata: { name: "x" }, value: 2_000_000_000 }),
    priorities.create({ metadata: { name: "system-x" }, value: 1 }),
  ),
  scenario("API services", services.get("v1."), services.get("v1.apps"), services.get("v1.rbac.authorization.k8s.io")),
  scenario(
    "runtime classes",
    at("/apis/node.k8s.io/v1/runtimeclasses").create({ metadata: { name: "r" }, handler: "runc" }),
    at("/apis/node.k8s.io/v1/runtimeclasses").merge("r", { handler: "other" }),
    at("/apis/node.k8s.io/v1/runtimeclasses").create({ metadata: { name: "x" }, handler: "A_B" }),
  ),
];
