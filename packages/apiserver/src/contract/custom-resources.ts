/** Custom resources, from their definition to their status. */
import assert from "node:assert/strict";
import { beginWatch } from "./api.ts";
import { type ContractCase, contract, crdDeletion } from "./case.ts";
import { CRDS, widgetCrd } from "./objects.ts";
import { createCrd, serveWidgets, untilDeleting, untilGone, untilServed } from "./widgets.ts";

/** The cases. */
export const customResourceCases: readonly ContractCase[] = [
  contract("objects of a CRD are defaulted, pruned and validated", async (api) => {
    const path = await serveWidgets(api);
    const kind = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget" };
    const created = await api.post(path, { ...kind, metadata: { name: "a" }, spec: { note: "x", unknown: 1 } });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec, { note: "x", size: 1 });
    assert.equal(created.body.metadata.generation, 1);
    const refused = await api.post(path, { ...kind, metadata: { name: "b" }, spec: { size: -1 } });
    assert.equal(refused.status, 422);
    assert.equal(
      refused.body.message,
      `Widget.${api.namespace}.example.com "b" is invalid: spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0`,
    );
  }),

  contract("status and spec are written apart, and only spec counts generations", async (api) => {
    const path = await serveWidgets(api);
    const kind = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget" };
    const created = await api.post(path, {
      ...kind,
      metadata: { name: "a" },
      spec: { size: 2 },
      status: { phase: "Early" },
    });
    assert.equal(created.body.status, undefined);
    const status = await api.put(`${path}/a/status`, {
      ...created.body,
      spec: { size: 9 },
      status: { phase: "Ready" },
    });
    assert.equal(status.status, 200, status.text);
    assert.deepEqual(status.body.spec, { size: 2 });
    assert.deepEqual(status.body.status, { phase: "Ready" });
    assert.equal(status.body.metadata.generation, 1);
    const updated = await api.put(`${path}/a`, { ...status.body, spec: { size: 3 }, status: { phase: "Lost" } });
    assert.deepEqual(updated.body.status, { phase: "Ready" });
    assert.equal(updated.body.metadata.generation, 2);
  }),

  contract("an update of a custom resource must name the version it replaces", async (api) => {
    const path = await serveWidgets(api);
    const object = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget", metadata: { name: "a" } };
    await api.post(path, object);
    const blind = await api.put(`${path}/a`, { ...object, spec: { size: 5 } });
    assert.equal(blind.status, 422);
    assert.match(blind.body.message, /metadata\.resourceVersion: Invalid value: 0: must be specified for an update/);
  }),

  contract("rules of a schema are checked, and may compare with what was", async (api) => {
    const rules = [
      { rule: "self.size <= 5", message: "at most five" },
      { rule: "self.size >= oldSelf.size", message: "cannot shrink" },
    ];
    const spec = { type: "object", properties: { size: { type: "integer" } }, "x-kubernetes-validations": rules };
    const path = await serveWidgets(api, { schema: { openAPIV3Schema: { type: "object", properties: { spec } } } });
    const widget = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget", metadata: { name: "a" } };
    const refused = await api.post(path, { ...widget, spec: { size: 6 } });
    assert.equal(refused.status, 422);
    assert.equal(
      refused.body.message,
      `Widget.${api.namespace}.example.com "a" is invalid: spec: Invalid value: at most five`,
    );
    const created = await api.post(path, { ...widget, spec: { size: 3 } });
    assert.equal(created.status, 201, created.text);
    const shrunk = await api.patch(`${path}/a`, "application/merge-patch+json", { spec: { size: 2 } });
    assert.match(shrunk.body.message, /cannot shrink$/);
  }),

  contract("versions share their objects, and unserved ones are not there", async (api) => {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const group = `${api.namespace}.example.com`;
    const crd = widgetCrd(group, { schema }) as { spec: { versions: object[] } };
    const [first] = crd.spec.versions;
    const versions = [
      { ...first, name: "v1", storage: true },
      { ...first, name: "v2", storage: false },
      { ...first, name: "v3", storage: false, served: false },
    ];
    await createCrd(api, { ...crd, spec: { ...crd.spec, versions } });
    const path = (version: string) => `/apis/${group}/${version}/namespaces/${api.namespace}/widgets`;
    await untilServed(api, path("v2"));
    const object = { apiVersion: `${group}/v2`, kind: "Widget", metadata: { name: "a" }, spec: { size: 1 } };
    assert.equal((await api.post(path("v2"), object)).status, 201);
    const read = await api.get(`${path("v1")}/a`);
    assert.equal(read.body.apiVersion, `${group}/v1`);
    assert.deepEqual(read.body.spec, { size: 1 });
    const list = await api.get(path("v2"));
    assert.equal(list.body.items[0].apiVersion, `${group}/v2`);
    const [event] = await api.watch(`${path("v2")}?watch=1`, () => true);
    assert.equal(event?.object.apiVersion, `${group}/v2`);
    assert.equal((await api.get(path("v3"))).status, 404);
    const stored = await api.get(`${CRDS}/widgets.${group}`);
    assert.deepEqual(stored.body.status.storedVersions, ["v1"]);
  }),

  contract("what the stored version does not know is lost, and only its defaults are filled in", async (api) => {
    const group = `${api.namespace}.example.com`;
    const crd = widgetCrd(group) as { spec: { versions: object[] } };
    const [first] = crd.spec.versions;
    const version = (name: string, own: string): object => {
      const properties = { size: { type: "integer" }, [own]: { type: "string", default: name } };
      const schema = { type: "object", properties: { spec: { type: "object", properties } } };
      return { ...first, name, storage: name === "v1", schema: { openAPIV3Schema: schema } };
    };
    const versions = [version("v1", "one"), version("v2", "two")];
    await createCrd(api, { ...crd, spec: { ...crd.spec, versions } });
    const path = (name: string) => `/apis/${group}/${name}/namespaces/${api.namespace}/widgets`;
    await untilServed(api, path("v2"));
    const kind = { apiVersion: `${group}/v2`, kind: "Widget", metadata: { name: "a" } };
    const created = await api.post(path("v2"), { ...kind, spec: { size: 1, two: "x" } });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec, { size: 1 });
    assert.deepEqual((await api.get(`${path("v1")}/a`)).body.spec, { size: 1, one: "v1" });
    assert.deepEqual((await api.get(`${path("v2")}/a`)).body.spec, { size: 1 });
    assert.deepEqual((await api.get(path("v2"))).body.items[0].spec, { size: 1 });
    const [event] = await api.watch(`${path("v2")}?watch=1`, () => true);
    assert.deepEqual(event?.object.spec, { size: 1 });
    const patched = await api.patch(`${path("v2")}/a`, "application/merge-patch+json", { spec: { size: 2, two: "y" } });
    assert.deepEqual(patched.body.spec, { size: 2 });
  }),

  contract("a CRD must be valid", async (api) => {
    const group = `${api.namespace}.example.com`;
    const wrong = await api.post(CRDS, { ...widgetCrd(group), metadata: { name: "widget.example.com" } });
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.body.message,
      /metadata\.name: Invalid value: "widget\.example\.com": must be spec\.names\.plural\+"\."\+spec\.group/,
    );
    const bare = await api.post(CRDS, widgetCrd(group, { schema: undefined }));
    assert.match(bare.body.message, /schema\.openAPIV3Schema: Required value$/);
  }),

  crdDeletion("a deleted CRD takes its objects with it, once they may go", async (api) => {
    const path = await serveWidgets(api);
    const group = `${api.namespace}.example.com`;
    const widget = { apiVersion: `${group}/v1`, kind: "Widget" };
    await api.post(path, { ...widget, metadata: { name: "a" } });
    const held = { name: "b", finalizers: ["example.com/hold"] };
    assert.equal((await api.post(path, { ...widget, metadata: held })).status, 201);
    const crd = `${CRDS}/widgets.${group}`;
    const deleted = await api.delete(crd);
    assert.deepEqual(deleted.body.metadata.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
    const query = `watch=1&fieldSelector=metadata.name%3Dwidgets.${group}`;
    await api.watch(`${CRDS}?${query}`, (events) =>
      (events.at(-1)?.object.status?.conditions ?? []).some(
        ({ type, status }: { type: string; status: string }) => type === "Terminating" && status === "True",
      ),
    );
    const refused = await api.post(path, { ...widget, metadata: { name: "c" } });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /create not allowed while custom resource definition is terminating$/);
    const gone = await beginWatch(api, `${CRDS}?${query}`, (events) => events.at(-1)?.type === "DELETED");
    await untilDeleting(api, `${path}/b`);
    await api.patch(`${path}/b`, "application/merge-patch+json", { metadata: { finalizers: null } });
    await gone.events;
    assert.equal((await api.get(crd)).status, 404);
    await untilGone(api, path);
  }),
];
