/** Contract cases: who a request comes from, what they may do, and the reviews that tell. */
import assert from "node:assert/strict";
import type { Answer, ContractApi, RequestOptions } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const AUTHENTICATION = "/apis/authentication.k8s.io/v1";

/** Acting as a user, who is in one group beside those of all users, or in none. */
export function as(user: string, group?: string): RequestOptions {
  return { headers: { "impersonate-user": user, ...(group === undefined ? {} : { "impersonate-group": group }) } };
}

/** Lets `user` do what `rules` say in the case's namespace. */
export async function grant(api: ContractApi, user: string, rules: readonly object[]): Promise<void> {
  const { namespace } = api;
  const name = `grant-${user}`;
  const role = await api.post(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
  assert.equal(role.status, 201, role.text);
  const binding = await api.post(`${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
  });
  assert.equal(binding.status, 201, binding.text);
}

/** Asks until the answer has `status`: a real server learns of roles and service accounts a little later. */
export async function eventually(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let attempt = 0; answer.status !== status && attempt < 200; attempt++) answer = await ask();
  assert.equal(answer.status, status, answer.text);
  return answer;
}

/** Asks until `isDone`. */
async function until(isDone: (answer: Answer) => boolean, ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let attempt = 0; !isDone(answer) && attempt < 200; attempt++) answer = await ask();
  assert.ok(isDone(answer), answer.text);
  return answer;
}

const mayRead = { verb: "get", resource: "configmaps" };

/** The cases. */
export const accessCases: readonly ContractCase[] = [
  contract("a review whose metadata says nothing is answered, however that is written", async (api) => {
    const metadata = { name: "", namespace: "", uid: "", generation: 0, creationTimestamp: null };
    const spec = { resourceAttributes: mayRead };
    const answer = await api.post(`${AUTHORIZATION}/selfsubjectaccessreviews`, { metadata, spec });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.status.allowed, true);
  }),

  contract("a user without rules is refused, with the verb, the resource and the place", async (api) => {
    const { namespace } = api;
    const listed = await api.get(configMaps(namespace), as("nobody"));
    assert.equal(listed.status, 403);
    assert.deepEqual(listed.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
      reason: "Forbidden",
      details: { kind: "configmaps" },
      code: 403,
    });
    const scaled = await api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/web/scale`, as("nobody"));
    assert.equal(
      scaled.body.message,
      `deployments.apps "web" is forbidden: User "nobody" cannot get resource "deployments/scale" in API group "apps" in the namespace "${namespace}"`,
    );
    const nodes = await api.get("/api/v1/nodes/a", as("nobody"));
    assert.match(nodes.body.message, /cannot get resource "nodes" in API group "" at the cluster scope$/);
    const path = await api.get("/logs/kubelet", as("nobody"));
    assert.equal(path.body.message, 'forbidden: User "nobody" cannot get path "/logs/kubelet"');
    const marked = await api.get("/logs/kubelet", as("<b>&"));
    assert.equal(marked.body.message, 'forbidden: User "&lt;b&gt;&amp;" cannot get path "/logs/kubelet"');
  }),

  contract("a role lets a user do what its rules say, in its namespace and to the named objects only", async (api) => {
    await grant(api, "reader", [
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["get", "watch", "list"] },
    ]);
    await api.post(configMaps(api.namespace), configMap("mine"));
    await eventually(200, () => api.get(`${configMaps(api.namespace)}/mine`, as("reader")));
    assert.equal((await api.get(`${configMaps(api.namespace)}/other`, as("reader"))).status, 403);
    assert.equal((await api.get(configMaps(api.namespace), as("reader"))).status, 403);
    const selected = `${configMaps(api.namespace)}?fieldSelector=metadata.name%3Dmine`;
    assert.equal((await api.get(selected, as("reader"))).status, 200);
    assert.equal((await api.get(`${configMaps("default")}/mine`, as("reader"))).status, 403);
    assert.equal((await api.delete(`${configMaps(api.namespace)}/mine`, undefined, as("reader"))).status, 403);
  }),

  contract("nobody grants more than they have", async (api) => {
    const { namespace } = api;
    await grant(api, "granter", [
      { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["create", "update"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
    ]);
    const role = (name: string, verbs: readonly string[]): object => ({
      metadata: { name },
      rules: [{ apiGroups: [""], resources: ["configmaps", "pods/log"], verbs }],
    });
    const roles = `${RBAC}/namespaces/${namespace}/roles`;
    await eventually(201, () =>
      api.post(
        roles,
        { metadata: { name: "held" }, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }] },
        as("granter"),
      ),
    );
    const refused = await api.post(roles, role("more", ["get", "list"]), as("granter"));
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body.message,
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "granter" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}',
    );
    const bound = await api.post(
      `${RBAC}/namespaces/${namespace}/rolebindings`,
      {
        metadata: { name: "all" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [],
      },
      as("granter"),
    );
    const missing = await api.post(
      `${RBAC}/namespaces/${namespace}/rolebindings`,
      {
        metadata: { name: "missing" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "not-there" },
        subjects: [],
      },
      as("granter"),
    );
    assert.equal(missing.body.message, 'rolebindings.rbac.authorization.k8s.io "not-there" not found');
    assert.match(bound.body.message, /not currently held:\n\{APIGroups:\["\*"\], Resources:\["\*"\], Verbs:\["\*"\]\}/);
  }),

  contract("an apply that creates needs the right to create", async (api) => {
    const rule = { apiGroups: [""], resources: ["configmaps"] };
    await grant(api, "patcher", [{ ...rule, verbs: ["patch"] }]);
    const apply = (user: string): Promise<Answer> =>
      api.patch(
        `${configMaps(api.namespace)}/applied?fieldManager=contract`,
        "application/apply-patch+yaml",
        JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" } }),
        as(user),
      );
    const refused = await until(
      ({ body }) => !/cannot patch/.test(body.message),
      () => apply("patcher"),
    );
    assert.equal(
      refused.body.message,
      `configmaps "applied" is forbidden: User "patcher" cannot create resource "configmaps" in API group "" in the namespace "${api.namespace}"`,
    );
    await grant(api, "creator", [{ ...rule, verbs: ["patch", "create"] }]);
    await eventually(201, () => apply("creator"));
  }),

  contract("the role of a binding cannot be changed", async (api) => {
    await grant(api, "fixed", [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }]);
    const path = `${RBAC}/namespaces/${api.namespace}/rolebindings/grant-fixed`;
    const patch = { roleRef: { name: "other" } };
    const refused = await api.patch(path, "application/merge-patch+json", patch);
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /roleRef: Invalid value: .*: cannot change roleRef$/);
  }),

  contract("impersonation must be allowed, and needs a user", async (api) => {
    const path = configMaps(api.namespace);
    const groups = await api.get(path, { headers: { "impersonate-group": "a" } });
    assert.equal(groups.status, 400);
    assert.equal(
      groups.body.message,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
    const self = await api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, as("ann", "a"));
    assert.equal(self.status, 201);
    const { username, groups: told } = self.body.status.userInfo;
    assert.deepEqual([username, [...told].sort()], ["ann", ["a", "system:authenticated"]]);
  }),

  contract("an impersonated service account is in its groups", async (api) => {
    const user = `system:serviceaccount:${api.namespace}:robot`;
    const self = await api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, as(user));
    assert.deepEqual([...self.body.status.userInfo.groups].sort(), [
      "system:authenticated",
      "system:serviceaccounts",
      `system:serviceaccounts:${api.namespace}`,
    ]);
  }),

  contract("access reviews answer as the authorizer decides, with its reason", async (api) => {
    const { namespace } = api;
    await grant(api, "looker", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }]);
    const ask = (): Promise<Answer> =>
      api.post(`${AUTHORIZATION}/subjectaccessreviews`, {
        spec: { user: "looker", resourceAttributes: { ...mayRead, namespace } },
      });
    let review = await ask();
    for (let attempt = 0; review.body.status?.allowed !== true && attempt < 200; attempt++) review = await ask();
    assert.equal(review.status, 201);
    assert.deepEqual(review.body.status, {
      allowed: true,
      reason: `RBAC: allowed by RoleBinding "grant-looker/${namespace}" of Role "grant-looker" to User "looker"`,
    });
    const self = await api.post(
      `${AUTHORIZATION}/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: { ...mayRead, verb: "delete", namespace } } },
      as("looker"),
    );
    assert.deepEqual(self.body.status, { allowed: false });
    const local = await api.post(`${AUTHORIZATION}/namespaces/${namespace}/localsubjectaccessreviews`, {
      metadata: { namespace },
      spec: { user: "looker", resourceAttributes: { ...mayRead, namespace: "elsewhere" } },
    });
    assert.equal(local.status, 422);
    assert.match(local.body.message, /spec.resourceAttributes.namespace: Invalid value: "elsewhere": must match/);
    const none = await api.post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: {} });
    assert.equal(none.status, 422);
    assert.match(none.body.message, /at least one of user or group must be specified/);
    const both = {
      verb: "list",
      resource: "pods",
      fieldSelector: { rawSelector: "a=b", requirements: [{ key: "a" }] },
    };
    const wrong = await api.post(`${AUTHORIZATION}/subjectaccessreviews`, {
      spec: { user: "looker", resourceAttributes: both },
    });
    assert.match(
      wrong.body.message,
      /^\.authorization\.k8s\.io "" is invalid: .*rawSelector: Invalid value: "a=b": may not specified at the same time as requirements/,
    );
  }),

  contract("a rules review lists what a user may do", async (api) => {
    await grant(api, "lister", [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"] }]);
    const ask = (): Promise<Answer> =>
      api.post(`${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: { namespace: api.namespace } }, as("lister"));
    const mayList = ({ body }: Answer): boolean =>
      body.status.resourceRules.some((rule: { resources: string[] }) => rule.resources.includes("deployments"));
    let review = await ask();
    for (let attempt = 0; !mayList(review) && attempt < 200; attempt++) review = await ask();
    assert.ok(mayList(review), review.text);
    assert.equal(review.body.status.incomplete, false);
  }),

  contract("a requested token acts as its service account", async (api) => {
    const { namespace } = api;
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    assert.equal((await api.post(accounts, { metadata: { name: "robot" } })).status, 201);
    const tooShort = await api.post(`${accounts}/robot/token`, { spec: { expirationSeconds: 60 } });
    assert.equal(tooShort.status, 422);
    assert.match(
      tooShort.body.message,
      /spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes/,
    );
    const requested = await api.post(`${accounts}/robot/token`, { spec: {} });
    assert.equal(requested.status, 201, requested.text);
    assert.equal(requested.body.spec.expirationSeconds, 3600);
    const { token } = requested.body.status;
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    const self = await eventually(201, () => api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, bearer));
    assert.equal(self.body.status.userInfo.username, `system:serviceaccount:${namespace}:robot`);
    const review = await api.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token } });
    assert.equal(review.body.status.authenticated, true);
    assert.equal(review.body.status.user.username, `system:serviceaccount:${namespace}:robot`);
  }),

  contract("wrong credentials are refused and never shown", async (api) => {
    const refused = await api.get("/api/v1/namespaces", { headers: { authorization: "Bearer wrong-token" } });
    assert.deepEqual(refused.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    });
    const review = await api.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: "wrong-token" } });
    assert.notEqual(review.body.status.authenticated, true);
  }),

  contract("objects are created only in namespaces that are there", async (api) => {
    const missing = await api.post(configMaps("not-there"), configMap("a"));
    assert.equal(missing.status, 404);
    assert.equal(missing.body.message, 'namespaces "not-there" not found');
    const immortal = await api.delete("/api/v1/namespaces/default");
    assert.equal(immortal.status, 403);
    assert.equal(immortal.body.message, 'namespaces "default" is forbidden: this namespace may not be deleted');
  }),

  contract("nothing is created in a namespace that is being deleted", async (api) => {
    const { namespace } = api;
    await api.delete(`/api/v1/namespaces/${namespace}`);
    const refused = await eventually(403, () => api.post(configMaps(namespace), configMap("late")));
    assert.equal(
      refused.body.message,
      `configmaps "late" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    );
    assert.deepEqual(refused.body.details.causes, [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ]);
  }),
];
