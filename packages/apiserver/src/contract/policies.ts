/** Contract cases: admission policies written in CEL. */
import assert from "node:assert/strict";
import type { Answer, ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";

const CONFIG_MAPS = [
  { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
];

/** Installs a policy for ConfigMaps of the case's namespace; returns how to remove it. */
async function install(
  api: ContractApi,
  kind: "validating" | "mutating",
  { policy, binding = {} }: { readonly policy: object; readonly binding?: object },
): Promise<AsyncDisposable> {
  const name = `${kind}-${api.namespace}`;
  const policies = `${GROUP}/${kind}admissionpolicies`;
  const bindings = `${GROUP}/${kind}admissionpolicybindings`;
  const spec = { matchConstraints: { resourceRules: CONFIG_MAPS }, failurePolicy: "Fail", ...policy };
  const created = await api.post(policies, { metadata: { name }, spec });
  assert.equal(created.status, 201, created.text);
  const matchResources = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": api.namespace } } };
  const actions = kind === "validating" ? { validationActions: ["Deny"] } : {};
  const bound = await api.post(bindings, {
    metadata: { name },
    spec: { policyName: name, matchResources, ...actions, ...binding },
  });
  assert.equal(bound.status, 201, bound.text);
  return {
    [Symbol.asyncDispose]: async () => {
      await api.delete(`${bindings}/${name}`);
      await api.delete(`${policies}/${name}`);
    },
  };
}

/** Writes until `isDone`: a real server learns of policies a little later. */
async function until(
  isDone: (answer: Answer) => boolean,
  write: (attempt: number) => Promise<Answer>,
): Promise<Answer> {
  let answer = await write(0);
  for (let attempt = 1; !isDone(answer) && attempt < 500; attempt++) answer = await write(attempt);
  assert.ok(isDone(answer), answer.text);
  return answer;
}

/** The cases. */
export const policyCases: readonly ContractCase[] = [
  contract("a policy refuses what its expressions do not hold for", async (api) => {
    const validations = [{ expression: "object.data.size != 'huge'" }];
    await using _installed = await install(api, "validating", { policy: { validations } });
    const path = configMaps(api.namespace);
    const refused = await until(
      ({ status }) => status !== 201,
      (attempt) => api.post(path, configMap(`a${attempt}`, { size: "huge" })),
    );
    const name = `validating-${api.namespace}`;
    const told = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: failed expression: object.data.size != 'huge'`;
    assert.equal(refused.status, 422);
    assert.equal(refused.body.reason, "Invalid");
    assert.match(refused.body.message, /^configmaps "a\d+" is forbidden: ValidatingAdmissionPolicy/);
    assert.ok(refused.body.message.endsWith(told), refused.body.message);
    assert.deepEqual(refused.body.details.causes, [{ message: told }]);
    const failed = await api.post(path, configMap("none", { other: "1" }));
    assert.match(
      failed.body.message,
      /denied request: expression 'object.data.size != 'huge'' resulted in error: no such key: size$/,
    );
    assert.equal((await api.post(path, configMap("good", { size: "small" }))).status, 201);
  }),

  contract("messages, reasons, variables and conditions of policies", async (api) => {
    const policy = {
      matchConditions: [{ name: "not-exempt", expression: "!object.metadata.name.startsWith('exempt')" }],
      variables: [
        { name: "size", expression: "object.?data.size.orValue('none')" },
        { name: "limit", expression: "variables.size == 'none' ? 0 : int(variables.size)" },
      ],
      validations: [
        {
          expression: "variables.limit < 10",
          messageExpression: "'the size ' + variables.size + ' is too large in ' + namespaceObject.metadata.name",
          reason: "Forbidden",
        },
      ],
    };
    await using _installed = await install(api, "validating", { policy });
    const path = configMaps(api.namespace);
    const refused = await until(
      ({ status }) => status !== 201,
      (attempt) => api.post(path, configMap(`a${attempt}`, { size: "12" })),
    );
    assert.equal(refused.status, 403);
    assert.equal(refused.body.reason, "Forbidden");
    assert.ok(refused.body.message.endsWith(`denied request: the size 12 is too large in ${api.namespace}`));
    assert.equal((await api.post(path, configMap("exempt", { size: "12" }))).status, 201);
    assert.equal((await api.post(path, configMap("without"))).status, 201);
  }),

  contract("a binding may warn instead, and gives parameters", async (api) => {
    const { namespace } = api;
    await api.post(configMaps(namespace), configMap("limits", { longest: "3" }));
    const policy = {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [
        { expression: "size(object.metadata.name) <= int(params.data.longest)", message: "the name is too long" },
      ],
    };
    const binding = {
      validationActions: ["Warn"],
      paramRef: { name: "limits", namespace, parameterNotFoundAction: "Deny" },
    };
    await using _installed = await install(api, "validating", { policy, binding });
    const warned = await until(
      ({ headers }) => headers["warning"] !== undefined,
      (attempt) => api.post(configMaps(namespace), configMap(`long-name-${attempt}`)),
    );
    const name = `validating-${namespace}`;
    assert.equal(warned.status, 201);
    assert.equal(
      warned.headers["warning"],
      `299 - "Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': the name is too long"`,
    );
  }),

  contract("what is not there is null in expressions", async (api) => {
    const validations = [
      { expression: "oldObject == null || oldObject.data.size == object.data.size", message: "fixed" },
    ];
    await using _installed = await install(api, "validating", { policy: { validations } });
    const path = configMaps(api.namespace);
    assert.equal((await api.post(path, configMap("a", { size: "1" }))).status, 201);
    const refused = await until(
      ({ status }) => status !== 200,
      (attempt) => api.patch(`${path}/a`, "application/merge-patch+json", { data: { size: String(attempt + 2) } }),
    );
    assert.match(refused.body.message, /denied request: fixed$/);
    assert.equal((await api.post(path, configMap("b", { size: "1" }))).status, 201);
  }),

  contract("a policy may ask the authorizer", async (api) => {
    const validations = [
      {
        expression: "authorizer.group('').resource('secrets').namespace('kube-system').check('get').allowed()",
        message: "not for you",
      },
      { expression: "request.userInfo.username != 'nobody'" },
    ];
    await using _installed = await install(api, "validating", { policy: { validations } });
    assert.equal((await api.post(configMaps(api.namespace), configMap("admin"))).status, 201);
  }),

  contract("a mutating policy merges what it computes into the object", async (api) => {
    const mutations = [
      {
        patchType: "ApplyConfiguration",
        applyConfiguration: {
          expression: "Object{metadata: Object.metadata{labels: Object.metadata.labels{seen: 'yes'}}}",
        },
      },
      {
        patchType: "JSONPatch",
        jsonPatch: {
          expression: "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'd'}]",
        },
      },
    ];
    const policy = { mutations, reinvocationPolicy: "Never" };
    await using _installed = await install(api, "mutating", { policy });
    const mutated = await until(
      ({ body }) => body.metadata.labels?.seen === "yes",
      (attempt) =>
        api.post(configMaps(api.namespace), configMap(`a${attempt}`, { own: "1" }, { labels: { mine: "1" } })),
    );
    assert.deepEqual(mutated.body.metadata.labels, { mine: "1", seen: "yes", "a.b/c": "d" });
  }),

  contract("an expression that does not compile is refused when it is written", async (api) => {
    const spec = {
      matchConstraints: { resourceRules: CONFIG_MAPS },
      validations: [{ expression: "nosuch > 1" }, { expression: "1 + 1" }],
    };
    const name = `broken-${api.namespace}`;
    const refused = await api.post(`${GROUP}/validatingadmissionpolicies`, { metadata: { name }, spec });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.body.details.causes.map(({ field }: { field: string }) => field),
      ["spec.validations[0].expression", "spec.validations[1].expression"],
    );
    const [first, second] = refused.body.details.causes;
    assert.match(
      first.message,
      /^Invalid value: "nosuch > 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nosuch' \(in container ''\)/,
    );
    assert.equal(second.message, 'Invalid value: "1 + 1": must evaluate to bool but got int');
  }),
];
