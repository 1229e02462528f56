/** Contract cases: what admission webhooks see of requests to subresources, of patches and of collections. */
import assert from "node:assert/strict";
import type { ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";
import { startWebhook, type WebhookServer } from "./webhook-server.ts";
import { configure } from "./webhooks.ts";

const MERGE = "application/merge-patch+json";
const EVERYTHING = [
  { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"], scope: "Namespaced" },
];

/** Sees all requests of the case's namespace; works from the moment this returns. */
async function followAll(api: ContractApi): Promise<{ readonly server: WebhookServer; readonly end: AsyncDisposable }> {
  const server = await startWebhook(() => ({ allowed: true }));
  const end = await configure(api, "ValidatingWebhookConfiguration", [{ rules: EVERYTHING }], server);
  for (let attempt = 0; server.requests.length === 0 && attempt < 300; attempt++) {
    await api.post(configMaps(api.namespace), configMap(`awaited-${attempt}`));
  }
  assert.ok(server.requests.length > 0, "the webhook is never called");
  server.requests.length = 0;
  return { server, end };
}

function seen({ requests }: WebhookServer): readonly unknown[] {
  return requests
    .splice(0)
    .map(({ kind, resource, subResource = "", operation, name = "", object, oldObject, options }) => [
      operation,
      `${resource.resource}/${subResource}`,
      kind.kind,
      name,
      object?.kind ?? null,
      oldObject?.kind ?? null,
      options?.kind ?? null,
    ]);
}

const POD = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
const DEPLOYMENT = {
  metadata: { name: "d" },
  spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: POD.spec } },
};

/** The cases. */
export const webhookSubresourceCases: readonly ContractCase[] = [
  contract("webhooks see a Scale, an Eviction, a Binding and a connection as what they are", async (api) => {
    const { namespace } = api;
    const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await api.post(deployment, DEPLOYMENT);
    await api.post(pods, POD);
    const { server, end } = await followAll(api);
    await using _server = server;
    await using _end = end;
    await api.patch(`${deployment}/d/scale`, MERGE, { spec: { replicas: 3 } });
    const [{ object, oldObject }] = server.requests;
    assert.deepEqual([oldObject.spec.replicas, object.spec.replicas, object.status.selector], [1, 3, "a=b"]);
    assert.deepEqual(seen(server), [["UPDATE", "deployments/scale", "Scale", "d", "Scale", "Scale", "UpdateOptions"]]);
    await api.post(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n" } });
    assert.deepEqual(seen(server), [["CREATE", "pods/binding", "Binding", "p", "Binding", null, "CreateOptions"]]);
    await api.get(`${pods}/p/exec?command=a&stdout=true`);
    assert.deepEqual(server.requests[0]?.object?.command, ["a"]);
    assert.deepEqual(seen(server), [["CONNECT", "pods/exec", "PodExecOptions", "p", "PodExecOptions", null, null]]);
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
    await api.post(`${pods}/p/eviction`, eviction);
    assert.deepEqual(seen(server), [["CREATE", "pods/eviction", "Eviction", "p", "Eviction", null, "CreateOptions"]]);
  }),

  contract("webhooks see a patch as an update or a create, and no name in a collection", async (api) => {
    const path = configMaps(api.namespace);
    const { server, end } = await followAll(api);
    await using _server = server;
    await using _end = end;
    await api.delete(path);
    seen(server);
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    await api.patch(`${path}/a?fieldManager=m`, "application/apply-patch+yaml", JSON.stringify(applied));
    await api.patch(`${path}/a`, MERGE, { data: { a: "b" } });
    assert.deepEqual(seen(server), [
      ["CREATE", "configmaps/", "ConfigMap", "a", "ConfigMap", null, "CreateOptions"],
      ["UPDATE", "configmaps/", "ConfigMap", "a", "ConfigMap", "ConfigMap", "UpdateOptions"],
    ]);
    await api.delete(path);
    assert.deepEqual(seen(server), [["DELETE", "configmaps/", "ConfigMap", "", null, "ConfigMap", "DeleteOptions"]]);
    const made = await api.post(path, { metadata: { generateName: "made-" } });
    assert.equal(server.requests[0]?.name, made.body.metadata.name);
  }),

  contract("a mutating webhook may change a Scale before it is carried out", async (api) => {
    const deployment = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    await api.post(deployment, DEPLOYMENT);
    const patch = Buffer.from(JSON.stringify([{ op: "replace", path: "/spec/replicas", value: 7 }])).toString("base64");
    await using server = await startWebhook(() => ({ allowed: true, patch, patchType: "JSONPatch" }));
    const rules = [
      { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments/scale"] },
    ];
    await using _end = await configure(api, "MutatingWebhookConfiguration", [{ rules }], server);
    let scaled = await api.patch(`${deployment}/d/scale`, MERGE, { spec: { replicas: 2 } });
    for (let attempt = 0; scaled.body.spec.replicas !== 7 && attempt < 300; attempt++) {
      scaled = await api.patch(`${deployment}/d/scale`, MERGE, { spec: { replicas: 2 + (attempt % 2) } });
    }
    assert.equal(scaled.body.spec.replicas, 7);
    assert.equal((await api.get(`${deployment}/d`)).body.spec.replicas, 7);
  }),
];
