/** The scale subresource, of built-in workloads and of custom resources. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { serveWidgets } from "./widgets.ts";

const MERGE = "application/merge-patch+json";

function deployment(name: string): object {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "nginx:1" }] } };
  const selector = { matchLabels: { a: "b" } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec: { replicas: 2, selector, template } };
}

/** The cases. */
export const scaleCases: readonly ContractCase[] = [
  contract("a Scale shows and sets the replicas of a Deployment", async (api) => {
    const base = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    const created = await api.post(base, deployment("web"));
    assert.equal(created.status, 201, created.text);
    const { name, namespace, uid, resourceVersion, creationTimestamp } = created.body.metadata;
    const scale = await api.get(`${base}/web/scale`);
    assert.deepEqual(scale.body, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "a=b" },
    });
    const patched = await api.patch(`${base}/web/scale?fieldManager=me`, MERGE, { spec: { replicas: 5 } });
    assert.equal(patched.body.spec.replicas, 5);
    const scaled = await api.get(`${base}/web`);
    assert.equal(scaled.body.spec.replicas, 5);
    const entry = scaled.body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === "me");
    assert.equal(entry.subresource, "scale");
    assert.deepEqual(entry.fieldsV1, { "f:spec": { "f:replicas": {} } });
  }),

  contract("a Scale is applied without naming the object again", async (api) => {
    const base = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    await api.post(base, deployment("web"));
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 7 } };
    const type = "application/apply-patch+yaml";
    const applied = await api.patch(`${base}/web/scale?fieldManager=me&force=true`, type, scale);
    assert.equal(applied.status, 200, applied.text);
    assert.equal((await api.get(`${base}/web`)).body.spec.replicas, 7);
  }),

  contract("a Scale is printed as what it is, whatever stands behind it", async (api) => {
    const base = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    await api.post(base, deployment("web"));
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await api.get(`${base}/web/scale`, { headers: { accept } });
    assert.deepEqual(
      body.columnDefinitions.map(({ name }: { name: string }) => name),
      ["Name", "Desired", "Available", "Age"],
    );
    assert.deepEqual(body.rows[0].cells.slice(0, 3), ["web", 2, 0]);
  }),

  contract("a Scale must fit its object", async (api) => {
    const base = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    await api.post(base, deployment("web"));
    const scale = (replicas: number, metadata: object = {}) => ({
      metadata: { name: "web", namespace: api.namespace, ...metadata },
      spec: { replicas },
    });
    const negative = await api.put(`${base}/web/scale`, scale(-1));
    assert.equal(negative.status, 422);
    assert.equal(
      negative.body.message,
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
    const stale = await api.put(`${base}/web/scale`, scale(1, { resourceVersion: "1" }));
    assert.equal(stale.status, 409);
    const other = await api.put(`${base}/web/scale`, scale(1, { name: "other" }));
    assert.equal(other.status, 400);
    const zero = await api.put(`${base}/web/scale`, scale(0));
    assert.deepEqual(zero.body.spec, {});
    const missing = await api.get(`${base}/none/scale`);
    assert.equal(missing.body.message, 'deployments.apps "none" not found');
  }),

  contract("a custom resource is scaled where its CRD says", async (api) => {
    const replicas = {
      specReplicasPath: ".spec.size",
      statusReplicasPath: ".status.size",
      labelSelectorPath: ".status.labels",
    };
    const number = { type: "integer" };
    const properties = {
      spec: { type: "object", properties: { size: number } },
      status: { type: "object", properties: { size: number, labels: { type: "string" } } },
    };
    const path = await serveWidgets(api, {
      subresources: { status: {}, scale: replicas },
      schema: { openAPIV3Schema: { type: "object", properties } },
    });
    const widget = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget", metadata: { name: "a" } };
    await api.post(path, { ...widget, spec: { size: 2 } });
    await api.patch(`${path}/a/status`, MERGE, { status: { size: 1, labels: "app=a" } });
    const scale = await api.get(`${path}/a/scale`);
    assert.deepEqual(scale.body.spec, { replicas: 2 });
    assert.deepEqual(scale.body.status, { replicas: 1, selector: "app=a" });
    const patched = await api.patch(`${path}/a/scale`, MERGE, { spec: { replicas: 4 } });
    assert.equal(patched.status, 200, patched.text);
    assert.equal((await api.get(`${path}/a`)).body.spec.size, 4);
    const negative = await api.patch(`${path}/a/scale`, MERGE, { spec: { replicas: -1 } });
    assert.equal(negative.status, 422);
    assert.match(
      negative.body.message,
      /^Widget\..* \.spec\.size: Invalid value: -1: should be a non-negative integer$/,
    );
    const wrong = await api.put(`${path}/a/scale`, { metadata: { name: "a" }, spec: { replicas: "x" } });
    assert.equal(
      wrong.body.message,
      'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
    );
    const text = await api.patch(`${path}/a`, MERGE, { spec: { size: "3" } });
    assert.match(text.body.message, /\.spec\.size accessor error: 3 is of the type string, expected int64/);
    await api.post(path, { ...widget, metadata: { name: "b" }, spec: {} });
    assert.equal((await api.get(`${path}/b/scale`)).status, 500);
  }),
];
