/** Server-side apply, and who owns which field after every write. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";
import { serveWidgets } from "./widgets.ts";

const APPLY = "application/apply-patch+yaml";

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: object;
}

/** Who owns what, by name: servers order owners by the second in which they wrote. */
const owners = (body: { metadata: { managedFields?: Entry[] } }): unknown[] =>
  (body.metadata.managedFields ?? [])
    .toSorted(byManager)
    .map(({ manager, operation, subresource, fieldsV1 }) =>
      subresource === undefined ? [manager, operation, fieldsV1] : [manager, operation, subresource, fieldsV1],
    );

const byManager = (one: Entry, other: Entry): number => one.manager.localeCompare(other.manager);

/** The cases. */
export const ownershipCases: readonly ContractCase[] = [
  contract("a write is owned by its manager, or by the client's name", async (api) => {
    const created = await api.post(`${configMaps(api.namespace)}?fieldManager=me`, configMap("a", { x: "1" }));
    assert.deepEqual(owners(created.body), [["me", "Update", { "f:data": { ".": {}, "f:x": {} } }]]);
    const patched = await api.patch(`${configMaps(api.namespace)}/a`, "application/merge-patch+json", {
      data: { y: "2" },
    });
    assert.deepEqual(owners(patched.body), [
      ["contract", "Update", { "f:data": { "f:y": {} } }],
      ["me", "Update", { "f:data": { ".": {}, "f:x": {} } }],
    ]);
  }),

  contract("apply creates, owns what it sends, and removes what it no longer sends", async (api) => {
    const path = `${configMaps(api.namespace)}/a?fieldManager=me`;
    const created = await api.patch(path, APPLY, configMap("a", { x: "1", y: "2" }));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(owners(created.body), [["me", "Apply", { "f:data": { "f:x": {}, "f:y": {} } }]]);
    const applied = await api.patch(path, APPLY, configMap("a", { x: "3" }));
    assert.equal(applied.status, 200);
    assert.deepEqual(applied.body.data, { x: "3" });
    const same = await api.patch(path, APPLY, configMap("a", { x: "3" }));
    assert.equal(same.body.metadata.resourceVersion, applied.body.metadata.resourceVersion);
  }),

  contract("apply conflicts with other owners unless forced", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    await api.patch(`${path}?fieldManager=one`, APPLY, configMap("a", { x: "1" }));
    const refused = await api.patch(`${path}?fieldManager=two`, APPLY, configMap("a", { x: "2" }));
    assert.equal(refused.status, 409);
    assert.equal(refused.body.message, 'Apply failed with 1 conflict: conflict with "one": .data.x');
    assert.deepEqual(refused.body.details, {
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.x" }],
    });
    const forced = await api.patch(`${path}?fieldManager=two&force=true`, APPLY, configMap("a", { x: "2" }));
    assert.deepEqual(owners(forced.body), [["two", "Apply", { "f:data": { "f:x": {} } }]]);
  }),

  contract("apply needs a manager, a name and the right version", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const missing = await api.patch(path, APPLY, configMap("a"));
    assert.equal(missing.status, 422);
    assert.equal(
      missing.body.message,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
    const version = await api.patch(`${path}?fieldManager=me`, APPLY, { ...configMap("a"), apiVersion: "v2" });
    assert.equal(version.status, 400);
    const managed = configMap("a", {}, { managedFields: [{ manager: "x" }] });
    const tracked = await api.patch(`${path}?fieldManager=me`, APPLY, managed);
    assert.equal(tracked.status, 400);
    assert.equal(tracked.body.message, "metadata.managedFields must be nil");
    const unknown = await api.patch(`${path}?fieldManager=me`, APPLY, { ...configMap("a"), dat: {} });
    assert.equal(unknown.status, 500);
    assert.match(unknown.body.message, /\.dat: field not declared in schema$/);
    assert.equal((await api.get(path)).status, 404);
  }),

  contract("apply may leave out the name of what is there, not of what it creates", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const nameless = { apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } };
    const absent = await api.patch(`${path}?fieldManager=me`, APPLY, nameless);
    assert.equal(absent.status, 400);
    const why = "the name of the object (a based on URL) was undeterminable: name must be provided";
    assert.equal(absent.body.message, why);
    await api.post(configMaps(api.namespace), configMap("a"));
    const applied = await api.patch(`${path}?fieldManager=me`, APPLY, nameless);
    assert.equal(applied.status, 200, applied.text);
    assert.deepEqual(applied.body.data, { x: "1" });
    const elsewhere = { ...nameless, metadata: { name: "a", namespace: "elsewhere" } };
    assert.equal((await api.patch(`${path}?fieldManager=me`, APPLY, elsewhere)).status, 400);
  }),

  contract("apply refuses values that the kind cannot hold, though its schema takes them", async (api) => {
    const refused = async (plural: string, config: object): Promise<string> => {
      const path = `/api/v1/namespaces/${api.namespace}/${plural}/a?fieldManager=me`;
      const { status, body } = await api.patch(path, APPLY, { apiVersion: "v1", metadata: { name: "a" }, ...config });
      assert.equal(status, 500);
      assert.equal((await api.get(`/api/v1/namespaces/${api.namespace}/${plural}/a`)).status, 404);
      return body.message;
    };
    const cannot = (kind: string): string =>
      `failed to convert new object (/a; /v1, Kind=${kind}) to proper version: unable to convert unstructured object to /v1, Kind=${kind}: `;
    assert.equal(
      await refused("secrets", { kind: "Secret", data: { x: "***" } }),
      `${cannot("Secret")}error decoding from json: illegal base64 data at input byte 0`,
    );
    const fraction = { kind: "Service", spec: { ports: [{ port: 1.5 }] } };
    assert.equal(await refused("services", fraction), `${cannot("Service")}cannot convert float64 to int32`);
  }),

  contract("status has owners of its own", async (api) => {
    const path = await serveWidgets(api);
    const kind = { apiVersion: `${api.namespace}.example.com/v1`, kind: "Widget", metadata: { name: "a" } };
    await api.patch(`${path}/a?fieldManager=me`, APPLY, { ...kind, spec: { size: 2 } });
    const status = await api.patch(`${path}/a/status?fieldManager=me`, APPLY, { ...kind, status: { phase: "Ready" } });
    assert.equal(status.status, 200, status.text);
    assert.deepEqual(owners(status.body), [
      ["me", "Apply", { "f:spec": { "f:size": {} } }],
      ["me", "Apply", "status", { "f:status": { "f:phase": {} } }],
    ]);
    const absent = await api.patch(`${path}/b/status?fieldManager=me`, APPLY, { ...kind, metadata: { name: "b" } });
    assert.equal(absent.status, 404);
  }),

  contract("unchanged ownership makes no new version, and owners can be reset", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(`${configMaps(api.namespace)}?fieldManager=me`, configMap("a", { x: "1" }));
    const again = await api.put(`${path}?fieldManager=me`, configMap("a", { x: "1" }));
    assert.equal(again.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
    const reset = await api.patch(path, "application/merge-patch+json", { metadata: { managedFields: [{}] } });
    assert.deepEqual(owners(reset.body), []);
  }),
];
