/** Contract cases: what is wrong with objects of built-in kinds, and what is filled in for them. */
import assert from "node:assert/strict";
import type { ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";

interface Cause {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with an object, as a dry run tells it, field by field. Kubernetes looks at some fields twice, and says so twice. */
async function refusal(api: ContractApi, path: string, body: object): Promise<string[]> {
  const { status, text, body: told } = await api.post(`${path}?dryRun=All`, { metadata: { name: "a" }, ...body });
  assert.equal(status, 422, text);
  const causes: readonly Cause[] = told.details.causes;
  return [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))].toSorted();
}

/** The cases. */
export const builtInKindCases: readonly ContractCase[] = [
  contract("an autoscaler names its metrics, and what they should be", async (api) => {
    const wrong = (metric: object): Promise<string[]> =>
      refusal(api, `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`, {
        spec: { ...AUTOSCALED, metrics: [metric] },
      });
    assert.deepEqual(await wrong({}), [
      "spec.metrics[0].type: Required value: must specify a metric source type",
      `spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`,
    ]);
    assert.deepEqual(await wrong({ type: "Pods", pods: { metric: {}, target: {} } }), [
      "spec.metrics[0].pods.metric.name: Required value: must specify a metric name",
      "spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue",
      `spec.metrics[0].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue`,
      "spec.metrics[0].pods.target.type: Required value: must specify a metric target type",
    ]);
    const negative = { metric: { name: "a/b" }, target: { type: "AverageValue", averageValue: "-1" } };
    assert.deepEqual(await wrong({ type: "Pods", pods: negative }), [
      `spec.metrics[0].pods.metric.name: Invalid value: "a/b": may not contain '/'`,
      `spec.metrics[0].pods.target.averageValue: Invalid value: "-1": must be positive`,
    ]);
    const object = { describedObject: { apiVersion: "a/b/c" }, metric: { name: "x" }, target: { type: "Value" } };
    assert.deepEqual(await wrong({ type: "Object", object }), [
      `spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
      "spec.metrics[0].object.describedObject.kind: Required value",
      "spec.metrics[0].object.describedObject.name: Required value",
      "spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue",
    ]);
    assert.deepEqual(
      await wrong({ type: "External", external: { metric: { name: "x" }, target: { type: "Value" } } }),
      [
        "spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target",
      ],
    );
    const both = { metric: { name: "x" }, target: { type: "Value", value: "0", averageValue: "5" } };
    assert.deepEqual(await wrong({ type: "External", external: both }), [
      "spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
      `spec.metrics[0].external.target.value: Invalid value: "0": must be positive`,
    ]);
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } };
    assert.deepEqual(await wrong({ type: "External", resource: cpu }), [
      "spec.metrics[0].external: Required value: must populate information for the given metric source",
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    ]);
    assert.deepEqual(await wrong({ type: "Resource", pods: negative, resource: cpu }), [
      `spec.metrics[0].pods.metric.name: Invalid value: "a/b": may not contain '/'`,
      `spec.metrics[0].pods.target.averageValue: Invalid value: "-1": must be positive`,
      "spec.metrics[0].pods: Forbidden: must populate the given metric source only",
    ]);
  }),

  contract("an autoscaler changes replicas by policies that make sense", async (api) => {
    const path = `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`;
    const behavior = {
      scaleUp: { selectPolicy: "X" },
      scaleDown: { policies: [{ type: "X", value: 1, periodSeconds: 1 }], tolerance: "-1" },
    };
    assert.deepEqual(await refusal(api, path, { spec: { ...AUTOSCALED, behavior } }), [
      `spec.behavior.scaleDown.policies[0].type: Unsupported value: "X": supported values: "Percent", "Pods"`,
      `spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0`,
      `spec.behavior.scaleUp.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min"`,
    ]);
  }),

  contract("a Job says which failures count, how many pods must succeed, and who runs it", async (api) => {
    const container = { name: "c", image: "i" };
    const template = { spec: { restartPolicy: "Never", containers: [container] } };
    const wrong = (spec: object): Promise<string[]> =>
      refusal(api, `/apis/batch/v1/namespaces/${api.namespace}/jobs`, { spec: { template, ...spec } });
    const failing = (...rules: readonly object[]): Promise<string[]> => wrong({ podFailurePolicy: { rules } });
    const field = "spec.podFailurePolicy.rules[0]";
    assert.deepEqual(await failing({}), [
      `${field}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
      `${field}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
    ]);
    const onPodConditions = [{ type: "DisruptionTarget", status: "Y" }];
    assert.deepEqual(await failing({ action: "FailIndex", onPodConditions, onExitCodes: {} }), [
      `${field}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
      `${field}.onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`,
      `${field}.onExitCodes.values: Invalid value: null: at least one value is required`,
      `${field}.onPodConditions[0].status: Unsupported value: "Y": supported values: "False", "True", "Unknown"`,
      `${field}: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
    ]);
    const onExitCodes = { operator: "In", values: [1, 0, 0], containerName: "x" };
    assert.deepEqual(await failing({ action: "FailJob", onExitCodes }), [
      `${field}.onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
      `${field}.onExitCodes.values: Invalid value: [1,0,0]: must be ordered`,
      `${field}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
      `${field}.onExitCodes.values[2]: Duplicate value: 0`,
      `${field}.onExitCodes.values[2]: Invalid value: 0: must not be 0 for the In operator`,
    ]);
    const rules = [
      {},
      { succeededCount: 4 },
      { succeededIndexes: "0,2", succeededCount: 3 },
      { succeededIndexes: "0-1", succeededCount: 2 },
      ...["0-9", "x", "2-1", "0-1-2", "-1"].map((succeededIndexes) => ({ succeededIndexes })),
    ];
    const at = (index: number, name: string): string => `spec.successPolicy.rules[${index}].${name}: Invalid value:`;
    assert.deepEqual(
      await wrong({ completionMode: "Indexed", completions: 3, successPolicy: { rules } }),
      [
        `${at(1, "succeededCount")} 4: must be less than or equal to 3 (the number of specified completions)`,
        `${at(2, "succeededCount")} 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
        `${at(4, "succeededIndexes")} "0-9": error parsing succeededIndexes: too large index: "9"`,
        `${at(5, "succeededIndexes")} "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"`,
        `${at(6, "succeededIndexes")} "2-1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1`,
        `${at(7, "succeededIndexes")} "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
        `${at(8, "succeededIndexes")} "-1": error parsing succeededIndexes: cannot convert string to integer for index: ""`,
        "spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified",
      ].toSorted(),
    );
    assert.deepEqual(await wrong({ managedBy: "x" }), [
      `spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")`,
    ]);
    assert.deepEqual(await wrong({ managedBy: `a.b/c ${"x".repeat(60)}` }), [
      `spec.managedBy: Invalid value: "c ${"x".repeat(60)}": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
      "spec.managedBy: Too long: may not be more than 63 bytes",
    ]);
  }),

  contract("what a claim is filled from stands in both of its fields", async (api) => {
    const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const filled = async (sources: object): Promise<readonly unknown[]> => {
      const claim = { metadata: { name: "a" }, spec: { ...spec, ...sources } };
      const { status, body } = await api.post(`${path}?dryRun=All`, claim);
      assert.equal(status, 201);
      return [body.spec.dataSource, body.spec.dataSourceRef];
    };
    const claim = { apiGroup: null, kind: "PersistentVolumeClaim", name: "b" };
    const other = { apiGroup: "a.b", kind: "Other", name: "b" };
    assert.deepEqual(await filled({ dataSource: claim }), [claim, claim]);
    assert.deepEqual(await filled({ dataSourceRef: other }), [other, other]);
    assert.deepEqual(await filled({ dataSource: other }), [undefined, undefined]);
    assert.deepEqual(await filled({ dataSourceRef: { ...claim, namespace: "c" } }), [undefined, undefined]);
    const wrong = (sources: object): Promise<string[]> => refusal(api, path, { spec: { ...spec, ...sources } });
    assert.deepEqual(await wrong({ dataSource: claim, dataSourceRef: { ...claim, name: "c" } }), [
      "spec: Invalid value: {}: must match dataSourceRef",
    ]);
    assert.deepEqual(await wrong({ dataSourceRef: { kind: "Other", name: "" } }), [
      "spec.dataSource.name: Required value",
      `spec.dataSource: Invalid value: "Other": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      "spec.dataSourceRef.name: Required value",
      `spec.dataSourceRef: Invalid value: "Other": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ]);
    const [badClass = ""] = await wrong({ volumeAttributesClassName: "A_" });
    assert.match(badClass, /^spec\.volumeAttributesClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain/);
  }),

  contract("a StorageClass deletes or retains, and its topologies differ", async (api) => {
    const wrong = (fields: object): Promise<string[]> =>
      refusal(api, "/apis/storage.k8s.io/v1/storageclasses", { provisioner: "a/b", ...fields });
    assert.deepEqual(await wrong({ reclaimPolicy: "Recycle" }), [
      `reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"`,
    ]);
    const term = (...values: readonly string[]): object => ({ matchLabelExpressions: [{ key: "a", values }] });
    const allowedTopologies = [
      {},
      term(),
      term("x", "x"),
      term("x", "y"),
      term("y", "x"),
      {
        matchLabelExpressions: [
          { key: "b", values: ["x"] },
          { key: "b", values: ["y"] },
        ],
      },
    ];
    assert.deepEqual(await wrong({ allowedTopologies }), [
      `allowedTopologies[0].matchLabelExpressions: Duplicate value: ""`,
      "allowedTopologies[1].matchLabelExpressions[0].values: Required value",
      `allowedTopologies[2].matchLabelExpressions[0].values[1]: Duplicate value: "x"`,
      `allowedTopologies[4].matchLabelExpressions: Duplicate value: ""`,
      `allowedTopologies[5].matchLabelExpressions[1].key: Duplicate value: "b"`,
    ]);
  }),

  contract("a NetworkPolicy excepts parts of a range, and names where ports begin", async (api) => {
    const wrong = (rule: object): Promise<string[]> =>
      refusal(api, `/apis/networking.k8s.io/v1/namespaces/${api.namespace}/networkpolicies`, {
        spec: { podSelector: {}, egress: [rule] },
      });
    const except = ["10.0.0.0/8", "10.1.0.0/16", "11.0.0.0/16", "2001:db8::/32", "x"];
    const field = "spec.egress[0].to[0].ipBlock.except";
    assert.deepEqual(await wrong({ to: [{ ipBlock: { cidr: "10.0.0.0/8", except } }] }), [
      `${field}[0]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
      `${field}[2]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
      `${field}[3]: Invalid value: "2001:db8::/32": must be a strict subset of \`cidr\``,
      `${field}[4]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
    ]);
    const ports = [{ endPort: 90 }, { port: 80, endPort: 70_000 }, { protocol: "X" }];
    assert.deepEqual(await wrong({ ports }), [
      "spec.egress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is not specified",
      "spec.egress[0].ports[1].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
      `spec.egress[0].ports[2].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"`,
    ]);
  }),

  contract("an IngressClass says where its parameters are", async (api) => {
    const wrong = (spec: object): Promise<string[]> =>
      refusal(api, "/apis/networking.k8s.io/v1/ingressclasses", { spec: { controller: "a.b/c", ...spec } });
    assert.deepEqual(await wrong({ controller: `a.b/${"c".repeat(250)}` }), [
      "spec.controller: Too long: may not be more than 250 bytes",
    ]);
    assert.deepEqual(await wrong({ parameters: { kind: "", name: "a/b", scope: "X" } }), [
      "spec.parameters.kind: Required value",
      `spec.parameters.name: Invalid value: "a/b": may not contain '/'`,
      `spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"`,
    ]);
    assert.deepEqual(await wrong({ parameters: { kind: "K", name: "a", namespace: "b" } }), [
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ]);
    assert.deepEqual(await wrong({ parameters: { kind: "K", name: "a", scope: "Namespace" } }), [
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ]);
  }),

  contract("an EndpointSlice hints at zones and nodes once each", async (api) => {
    const wrong = (fields: object): Promise<string[]> =>
      refusal(api, `/apis/discovery.k8s.io/v1/namespaces/${api.namespace}/endpointslices`, {
        addressType: "IPv4",
        endpoints: [],
        ...fields,
      });
    const hinting = (hints: object): object => ({ endpoints: [{ addresses: ["1.2.3.4"], hints }] });
    const twice = { forZones: [{ name: "x" }, { name: "x" }], forNodes: [{ name: "n" }, { name: "n" }] };
    assert.deepEqual(await wrong(hinting(twice)), [
      `endpoints[0].hints.forNodes[1].name: Duplicate value: "n"`,
      `endpoints[0].hints.forZones[1].name: Duplicate value: "x"`,
    ]);
    const forZones = Array.from({ length: 9 }, (_, index) => ({ name: `x${index}` }));
    assert.deepEqual(await wrong(hinting({ forZones })), [
      "endpoints[0].hints.forZones: Too many: 9: must have at most 8 items",
    ]);
    assert.deepEqual(await wrong({ endpoints: [{ addresses: ["::1"] }] }), [
      `endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address`,
      `endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
    ]);
    const [protocol = ""] = await wrong({ ports: [{ port: 80, appProtocol: "a b" }] });
    assert.match(protocol, /^ports\[0\]\.appProtocol: Invalid value: "a b": name part must consist of/);
  }),

  contract("a quota selects scopes by operators that fit them", async (api) => {
    const wrong = (...matchExpressions: readonly object[]): Promise<string[]> =>
      refusal(api, `/api/v1/namespaces/${api.namespace}/resourcequotas`, {
        spec: { hard: { services: "1" }, scopeSelector: { matchExpressions } },
      });
    const field = "spec.scopeSelector.matchExpressions";
    assert.deepEqual(await wrong({ scopeName: "Y", operator: "Exists", values: ["x"] }), [
      `${field}.scopeName: Invalid value: "Y": unsupported scope`,
      `${field}.values: Invalid value: ["x"]: must be no value when \`operator\` is 'Exist' or 'DoesNotExist' for scope selector`,
    ]);
    assert.deepEqual(await wrong({ scopeName: "PriorityClass", operator: "Exists" }), [
      `${field}: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"Exists","Values":null}]}: unsupported scope applied to resource`,
    ]);
    const effort = [
      { scopeName: "BestEffort", operator: "Exists" },
      { scopeName: "NotBestEffort", operator: "In" },
      { scopeName: "PriorityClass", operator: "X" },
    ];
    const told = (await wrong(...effort)).filter((text) => !text.includes("applied to resource"));
    assert.deepEqual(told, [
      `${field}.operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
      `${field}.operator: Invalid value: "X": not a valid selector operator`,
      `${field}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`,
      `${field}: Invalid value: null: conflicting scopes`,
    ]);
  }),

  contract("the ratio of a limit range fits its bounds", async (api) => {
    const item = { type: "Container", max: { cpu: "1" }, min: { cpu: "500m" }, maxLimitRequestRatio: { cpu: "3" } };
    const path = `/api/v1/namespaces/${api.namespace}/limitranges`;
    assert.deepEqual(await refusal(api, path, { spec: { limits: [item] } }), [
      `spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
    ]);
  }),

  contract("a ClusterRole is put together by selectors that make sense", async (api) => {
    const clusterRoleSelectors = [{ matchExpressions: [{ key: "a", operator: "X" }] }, {}];
    const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    assert.deepEqual(await refusal(api, path, { aggregationRule: { clusterRoleSelectors } }), [
      `aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "X": not a valid selector operator`,
      "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.",
    ]);
  }),

  contract("the rules of a webhook name each resource once", async (api) => {
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"] };
    const webhook = {
      name: "a.b.c",
      clientConfig: { url: "https://example.com" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const wrong = (rules: readonly object[]): Promise<string[]> =>
      refusal(api, path, { webhooks: [{ ...webhook, rules: rules.map((fields) => ({ ...rule, ...fields })) }] });
    const at = (index: number): string => `webhooks[0].rules[${index}]`;
    const lists = [["*", "pods"], ["*/*", "pods"], ["pods/*", "pods/status"], ["*/status", "pods/status"], [""]];
    const fine = [
      ["*", "pods/status"],
      ["*", "*/status"],
      ["pods", "*"],
    ];
    const rules = [...lists, ...fine].map((resources) => ({ resources }));
    assert.deepEqual(await wrong([...rules, { apiVersions: [""], resources: ["pods"] }]), [
      `${at(0)}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      `${at(1)}.resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
      `${at(2)}.resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`,
      `${at(3)}.resources[1]: Invalid value: "pods/status": if '*/status' is present, must not specify pods/status`,
      `${at(4)}.resources[0]: Required value`,
      `${at(8)}.apiVersions[0]: Required value`,
    ]);
  }),

  contract("a policy says what happens without its parameters, and names its annotations once", async (api) => {
    const group = "/apis/admissionregistration.k8s.io/v1";
    const paramRef = { name: "a", parameterNotFoundAction: "X" };
    const binding = { policyName: "p", validationActions: ["Deny"], paramRef };
    assert.deepEqual(await refusal(api, `${group}/validatingadmissionpolicybindings`, { spec: binding }), [
      `spec.paramRef.parameterNotFoundAction: Unsupported value: "X": supported values: "Deny", "Allow"`,
    ]);
    const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
    const matchConstraints = { resourceRules };
    const annotation = { key: "a", valueExpression: "'x'" };
    const validating = {
      matchConstraints,
      auditAnnotations: [annotation, annotation],
      matchConditions: [{ name: "", expression: "true" }],
    };
    assert.deepEqual(await refusal(api, `${group}/validatingadmissionpolicies`, { spec: validating }), [
      `spec.auditAnnotations[1].key: Duplicate value: "a"`,
      "spec.matchConditions[0].name: Required value",
    ]);
    const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "" } }];
    const mutating = { matchConstraints, reinvocationPolicy: "Never", mutations };
    assert.deepEqual(await refusal(api, `${group}/mutatingadmissionpolicies`, { spec: mutating }), [
      "spec.mutations[0].applyConfiguration.expression: Required value",
    ]);
  }),
];

const AUTOSCALED = { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 };
