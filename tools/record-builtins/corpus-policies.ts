/** What admission policies refuse and change, and which of them are refused themselves. */
import { at, type Scenario } from "./scenario.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const validatingPolicies = at(`${GROUP}/validatingadmissionpolicies`);
const validatingBindings = at(`${GROUP}/validatingadmissionpolicybindings`);
const mutatingPolicies = at(`${GROUP}/mutatingadmissionpolicies`);
const mutatingBindings = at(`${GROUP}/mutatingadmissionpolicybindings`);
const namespace = (name: string, labels: object = {}) =>
  at("/api/v1/namespaces").create({ metadata: { name, labels } });
const configMaps = (n: string) => at(`/api/v1/namespaces/${n}/configmaps`);
const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }];
const policy = (name: string, spec: object) =>
  validatingPolicies.create({ metadata: { name }, spec: { matchConstraints: { resourceRules: rules }, ...spec } });
const selecting = (n: string) => ({ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": n } } });
const binding = (name: string, n: string, spec: object = {}) =>
  validatingBindings.create({
    metadata: { name },
    spec: { policyName: name, matchResources: selecting(n), validationActions: ["Deny"], ...spec },
  });
const mutating = (name: string, spec: object) =>
  mutatingPolicies.create({
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, reinvocationPolicy: "Never", ...spec },
  });
const mutatingBinding = (name: string, n: string, spec: object = {}) =>
  mutatingBindings.create({ metadata: { name }, spec: { policyName: name, matchResources: selecting(n), ...spec } });
const configMap = (name: string, data: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  data,
});
/** The scenarios. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: "reasons",
    setup: [
      namespace("p1"),
      policy("reasons", {
        validations: [
          { expression: "!('a' in object.data)", message: "no a" },
          { expression: "!('b' in object.data)", reason: "Forbidden" },
          { expression: "!('c' in object.data)", reason: "RequestEntityTooLarge" },
          { expression: "!('d' in object.data)", messageExpression: "'d is ' + object.data.d" },
          { expression: "!('e' in object.data)", messageExpression: "string(object.data.nope)", message: "fallback" },
        ],
      }),
      binding("reasons", "p1"),
    ],
    steps: [
      ...["a", "b", "c", "d", "e"].map((k) => configMaps("p1").create(configMap(k, { [k]: "1" }))),
      configMaps("p1").create(configMap("several", { b: "1", d: "2" })),
      configMaps("p1").create({ metadata: { name: "nodata" } }),
      configMaps("p1").create(configMap("fine", { x: "1" })),
      { method: "POST", path: "/api/v1/namespaces/p1/configmaps?dryRun=All", body: configMap("dry", { b: "1" }) },
      configMaps("p1").merge("fine", { data: { b: "1" } }),
      configMaps("p1").remove("fine"),
    ],
  },
  {
    name: "warn and audit",
    setup: [
      namespace("p2"),
      policy("warn", { validations: [{ expression: "object.metadata.name.size() < 4", message: "too long" }] }),
      binding("warn", "p2", { validationActions: ["Warn", "Audit"] }),
    ],
    steps: [configMaps("p2").create(configMap("longname")), configMaps("p2").create(configMap("ok"))],
  },
  {
    name: "params",
    setup: [
      namespace("p3"),
      configMaps("p3").create(configMap("limit", { max: "2" }, { labels: { role: "limit" } })),
      configMaps("p3").create(configMap("limit2", { max: "1" }, { labels: { role: "limit" } })),
      policy("params", {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        matchConditions: [{ name: "not-limit", expression: "!object.metadata.name.startsWith('limit')" }],
        validations: [
          {
            expression: "object.metadata.name.size() <= int(params.data.max)",
            messageExpression: "'longer than ' + params.data.max",
          },
        ],
      }),
      binding("params", "p3", { paramRef: { name: "limit", namespace: "p3", parameterNotFoundAction: "Deny" } }),
      namespace("p4"),
      policy("selected", {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        validations: [{ expression: "object.metadata.name.size() <= int(params.data.max)" }],
      }),
      binding("selected", "p4", {
        paramRef: { selector: { matchLabels: { role: "limit" } }, namespace: "p3", parameterNotFoundAction: "Deny" },
      }),
      namespace("p5"),
      policy("gone", { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "false" }] }),
      binding("gone", "p5", { paramRef: { name: "nope", namespace: "p3", parameterNotFoundAction: "Deny" } }),
      namespace("p6"),
      policy("allowed", { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: [{ expression: "false" }] }),
      binding("allowed", "p6", { paramRef: { name: "nope", parameterNotFoundAction: "Allow" } }),
    ],
    steps: [
      configMaps("p3").create(configMap("abc")),
      configMaps("p3").create(configMap("ab")),
      configMaps("p4").create(configMap("abc")),
      configMaps("p4").create(configMap("a")),
      configMaps("p5").create(configMap("a")),
      configMaps("p6").create(configMap("a")),
    ],
  },
  {
    name: "conditions and failures",
    setup: [
      namespace("p7"),
      policy("failing", {
        matchConditions: [{ name: "broken", expression: "object.data.nope == 'x'" }],
        validations: [{ expression: "false" }],
      }),
      binding("failing", "p7"),
      namespace("p8"),
      policy("ignored", { failurePolicy: "Ignore", validations: [{ expression: "object.data.nope == 'x'" }] }),
      binding("ignored", "p8"),
      namespace("p9"),
      policy("variables", {
        variables: [
          { name: "n", expression: "object.metadata.name" },
          { name: "long", expression: "variables.n.size() > 3" },
        ],
        validations: [
          {
            expression: "!variables.long",
            messageExpression:
              "variables.n + ' in ' + namespaceObject.metadata.name + ' ' + request.operation + ' ' + string(oldObject == null)",
          },
        ],
      }),
      binding("variables", "p9"),
    ],
    steps: [
      configMaps("p7").create(configMap("a")),
      configMaps("p8").create(configMap("a")),
      configMaps("p9").create(configMap("long")),
      configMaps("p9").create(configMap("abc")),
      configMaps("p9").merge("abc", { metadata: { labels: { a: "b" } } }),
    ],
  },
  {
    name: "bad policies",
    setup: [],
    steps: [
      policy("x", {
        validations: [
          { expression: "true", reason: "Unauthorized" },
          { expression: "true", message: "two\n lines" },
        ],
      }),
      policy("x", { validations: [] }),
      policy("x", { validations: [{ expression: "" }] }),
      policy("x", { validations: [{ expression: "object.x ==" }] }),
      policy("x", { validations: [{ expression: "1" }] }),
      policy("x", { validations: [{ expression: "params.a" }] }),
      policy("x", { validations: [{ expression: "true", reason: "Nope" }] }),
      policy("x", { validations: [{ expression: "true", messageExpression: "1" }] }),
      policy("x", { validations: [{ expression: "true" }], matchConditions: [{ name: "a b", expression: "true" }] }),
      policy("x", { validations: [{ expression: "true" }], variables: [{ name: "a-b", expression: "true" }] }),
      policy("x", { validations: [{ expression: "variables.nope" }] }),
      policy("x", { validations: [{ expression: "true" }], failurePolicy: "Maybe" }),
      policy("x", { paramKind: { apiVersion: "a/b/c", kind: "" }, validations: [{ expression: "true" }] }),
      policy("x", { auditAnnotations: [{ key: "a b", valueExpression: "'x'" }], validations: [] }),
      validatingPolicies.create({ metadata: { name: "x" }, spec: { validations: [{ expression: "true" }] } }),
      validatingBindings.create({ metadata: { name: "x" }, spec: {} }),
      validatingBindings.create({
        metadata: { name: "x" },
        spec: { policyName: "p", validationActions: ["Deny", "Warn"] },
      }),
      validatingBindings.create({
        metadata: { name: "x" },
        spec: { policyName: "p", validationActions: ["Deny"], paramRef: {} },
      }),
      mutating("x", { mutations: [] }),
      mutating("x", { mutations: [{ patchType: "JSONPatch" }] }),
      mutating("x", { mutations: [{ patchType: "X" }] }),
      mutatingPolicies.create({
        metadata: { name: "x" },
        spec: {
          matchConstraints: { resourceRules: rules },
          mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/a'}]" } }],
        },
      }),
    ],
  },
  {
    name: "mutations",
    setup: [
      namespace("m1"),
      mutating("apply", {
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: {
              expression:
                "Object{metadata: Object.metadata{labels: Object.metadata.labels{made: 'yes'}}, data: {'k': object.metadata.name}}",
            },
          },
        ],
      }),
      mutatingBinding("apply", "m1"),
      namespace("m2"),
      mutating("json", {
        mutations: [
          {
            patchType: "JSONPatch",
            jsonPatch: {
              expression:
                "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'example.com/a': 'b'}}, JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('example.com/c'), value: 'd'}]",
            },
          },
        ],
      }),
      mutatingBinding("json", "m2"),
      namespace("m4"),
      mutating("error", {
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: { expression: "Object{data: {'k': object.data.nope}}" },
          },
        ],
      }),
      mutatingBinding("error", "m4"),
      namespace("m5"),
      mutating("ignoring", {
        failurePolicy: "Ignore",
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: { expression: "Object{data: {'k': object.data.nope}}" },
          },
        ],
      }),
      mutatingBinding("ignoring", "m5"),
    ],
    steps: [
      configMaps("m1").create(configMap("a", { x: "1" })),
      configMaps("m2").create(configMap("a")),
      configMaps("m4").create(configMap("a", { x: "1" })),
      configMaps("m5").create(configMap("a", { x: "1" })),
    ],
  },
];
