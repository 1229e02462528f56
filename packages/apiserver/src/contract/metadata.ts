/** What clients may say in metadata, and what they are warned of. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps, widgetCrd } from "./objects.ts";
import { createCrd, serveWidgets, untilServed } from "./widgets.ts";

const MERGE = "application/merge-patch+json";

/** The cases. */
export const metadataCases: readonly ContractCase[] = [
  contract("nobody but a deletion sets the time of a deletion, and nobody another uid", async (api) => {
    const path = configMaps(api.namespace);
    await api.post(path, configMap("a"));
    const refused = async (metadata: object): Promise<string> => {
      const answer = await api.patch(`${path}/a`, MERGE, { metadata });
      assert.equal(answer.status, 422, answer.text);
      return answer.body.message;
    };
    assert.match(
      await refused({ deletionTimestamp: "2020-01-01T00:00:00Z" }),
      /metadata\.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable/,
    );
    assert.match(
      await refused({ deletionGracePeriodSeconds: 7 }),
      /metadata\.deletionGracePeriodSeconds: Invalid value: 7: field is immutable/,
    );
    assert.match(await refused({ uid: "x" }), /metadata\.uid: Invalid value: "x": field is immutable/);
    const put = await api.put(`${path}/a`, configMap("a", {}, { uid: "x" }));
    assert.equal(put.status, 409);
    const where = `Key: /registry/configmaps/${api.namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: `;
    assert.ok(put.body.message.includes(`StorageError: invalid object, Code: 4, ${where}Precondition failed: UID in`));
  }),

  contract("an owner that stands twice counts once, with a warning", async (api) => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1" };
    const twice = { ownerReferences: [owner, owner] };
    const created = await api.post(configMaps(api.namespace), configMap("a", {}, twice));
    assert.deepEqual(created.body.metadata.ownerReferences, [owner]);
    assert.match(created.headers["warning"] ?? "", /contains duplicate entries; .* duplicate UID\(s\) observed: 1"$/);
    const event = { ...owner, kind: "Event" };
    const refused = await api.post(configMaps(api.namespace), configMap("b", {}, { ownerReferences: [event] }));
    assert.match(refused.body.message, /: \/v1, Kind=Event is disallowed from being an owner$/);
  }),

  contract("a namespace is active until it is deleted", async (api) => {
    const path = `/api/v1/namespaces/${api.namespace}/status`;
    const refused = await api.patch(path, MERGE, { status: { phase: "Terminating" } });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.message,
      /status\.Phase: Invalid value: "Terminating": may only be 'Active' if `deletionTimestamp` is empty$/,
    );
    const conditions = [{ type: "Seen", status: "True" }];
    assert.equal((await api.patch(path, MERGE, { status: { conditions } })).status, 200);
  }),

  contract("an object is either orphaned or waited for", async (api) => {
    const finalizers = ["orphan", "foregroundDeletion"];
    const refused = await api.post(configMaps(api.namespace), configMap("a", {}, { finalizers }));
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /finalizer orphan and foregroundDeletion cannot be both set$/);
  }),

  contract("names that are too long are told by characters, labels by bytes", async (api) => {
    const long = await api.post(configMaps(api.namespace), configMap("a".repeat(254)));
    assert.match(long.body.message, /: must be no more than 253 characters$/);
    const label = await api.post(configMaps(api.namespace), configMap("a", {}, { labels: { a: "b".repeat(64) } }));
    assert.match(label.body.message, /: must be no more than 63 bytes$/);
    const nameless = {
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } } },
    };
    const job = await api.post(`/apis/batch/v1/namespaces/${api.namespace}/jobs`, nameless);
    assert.equal(job.status, 422, job.text);
    assert.match(job.body.message, /metadata\.name: Required value: name or generateName is required/);
  }),

  contract("names that make bad hostnames are taken with a warning", async (api) => {
    const spec = { containers: [{ name: "c", image: "i" }] };
    const pod = await api.post(`/api/v1/namespaces/${api.namespace}/pods`, { metadata: { name: "a.b" }, spec });
    const advice = "which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";
    assert.equal(pod.headers["warning"], `299 - "metadata.name: this is used in the Pod's hostname, ${advice}"`);
    const template = { metadata: { labels: { a: "b" } }, spec };
    const deployment = { metadata: { name: "a.b" }, spec: { selector: { matchLabels: { a: "b" } }, template } };
    const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    const { headers } = await api.post(path, deployment);
    assert.equal(headers["warning"], `299 - "metadata.name: this is used in Pod names and hostnames, ${advice}"`);
    assert.equal((await api.patch(`${path}/a.b`, MERGE, { spec: { replicas: 2 } })).headers["warning"], undefined);
  }),

  contract("whoever uses a deprecated version is warned, whatever the verb", async (api) => {
    const endpoints = `/api/v1/namespaces/${api.namespace}/endpoints`;
    const deprecated = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    for (const answer of [await api.get(endpoints), await api.delete(`${endpoints}/none`)]) {
      assert.equal(answer.headers["warning"], deprecated);
    }
    const group = `${api.namespace}.example.com`;
    const crd = widgetCrd(group) as { spec: { versions: object[] } };
    const [v1] = crd.spec.versions;
    crd.spec.versions.push(
      { ...v1, name: "v1beta1", storage: false, deprecated: true },
      { ...v1, name: "v1alpha1", storage: false, deprecated: true, deprecationWarning: "too old" },
    );
    await createCrd(api, crd);
    const path = (version: string): string => `/apis/${group}/${version}/namespaces/${api.namespace}/widgets`;
    for (const version of ["v1beta1", "v1alpha1"]) await untilServed(api, path(version));
    const advice = `${group}/v1beta1 Widget is deprecated; use ${group}/v1 Widget`;
    assert.equal((await api.get(path("v1beta1"))).headers["warning"], `299 - ${JSON.stringify(advice)}`);
    assert.equal((await api.delete(`${path("v1alpha1")}/none`)).headers["warning"], '299 - "too old"');
    assert.equal((await api.get(path("v1"))).headers["warning"], undefined);
  }),

  contract("the metadata of an embedded resource is metadata", async (api) => {
    const embedded = {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    };
    const spec = { type: "object", properties: { template: embedded } };
    const path = await serveWidgets(api, {
      schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    });
    const widget = (name: string, metadata: object): object => ({
      apiVersion: `${api.namespace}.example.com/v1`,
      kind: "Widget",
      metadata: { name },
      spec: { template: { apiVersion: "v1", kind: "Pod", metadata, any: 1 } },
    });
    const created = await api.post(path, widget("a", { name: "p", foo: 1 }));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec.template, { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, any: 1 });
    assert.equal(created.headers["warning"], '299 - "unknown field \\"spec.template.metadata.foo\\""');
    assert.equal(created.body.metadata.managedFields.length, 1);
    const refused = await api.post(path, widget("b", { name: 1 }));
    assert.equal(refused.status, 400);
    const why = "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string";
    assert.ok(refused.body.message.endsWith(`: spec.template.metadata: Invalid value: {"name":1}: ${why}`));
    const text = await api.post(path, { ...widget("c", {}), metadata: "x" });
    assert.match(text.body.message, /json: cannot unmarshal string into Go value of type v1\.ObjectMeta$/);
  }),
];
