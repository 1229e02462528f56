/** Create, get, update, patch and delete of one object. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

/** The cases. */
export const objectCases: readonly ContractCase[] = [
  contract("a created object has an identity, a version and a time", async (api) => {
    const created = await api.post(configMaps(api.namespace), configMap("a", { k: "v" }));
    assert.equal(created.status, 201);
    assert.match(created.body.metadata.uid, /^[0-9a-f-]{36}$/);
    assert.match(created.body.metadata.resourceVersion, /^[1-9][0-9]*$/);
    assert.match(created.body.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(created.body.metadata.generation, undefined);
    const read = await api.get(`${configMaps(api.namespace)}/a`);
    assert.equal(read.status, 200);
    assert.deepEqual(read.body, created.body);
  }),

  contract("a name can be taken once", async (api) => {
    await api.post(configMaps(api.namespace), configMap("a"));
    const again = await api.post(configMaps(api.namespace), configMap("a"));
    assert.equal(again.status, 409);
    assert.deepEqual(again.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "a" already exists',
      reason: "AlreadyExists",
      details: { name: "a", kind: "configmaps" },
      code: 409,
    });
  }),

  contract("generateName makes a name of the base and five characters", async (api) => {
    const created = await api.post(configMaps(api.namespace), { metadata: { generateName: "base-" } });
    assert.equal(created.status, 201);
    assert.match(created.body.metadata.name, /^base-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  }),

  contract("what is not there is told with its name", async (api) => {
    const missing = await api.get(`${configMaps(api.namespace)}/none`);
    assert.equal(missing.status, 404);
    assert.equal(missing.body.message, 'configmaps "none" not found');
    assert.deepEqual(missing.body.details, { name: "none", kind: "configmaps" });
  }),

  contract("an update with an old version conflicts, one without a version overwrites", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(configMaps(api.namespace), configMap("a", { k: "1" }));
    const updated = await api.put(path, { ...created.body, data: { k: "2" } });
    assert.equal(updated.status, 200);
    assert.notEqual(updated.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
    const stale = await api.put(path, { ...created.body, data: { k: "3" } });
    assert.equal(stale.status, 409);
    assert.equal(
      stale.body.message,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
    const blind = await api.put(path, configMap("a", { k: "4" }));
    assert.equal(blind.body.data.k, "4");
    assert.equal(blind.body.metadata.uid, created.body.metadata.uid);
  }),

  contract("a write that changes nothing makes no new version", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(configMaps(api.namespace), configMap("a", { x: "1", y: "2" }));
    const same = await api.put(path, { ...created.body, data: { y: "2", x: "1" } });
    assert.equal(same.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
    const patched = await api.patch(path, "application/merge-patch+json", { data: { x: "1" } });
    assert.equal(patched.body.metadata.resourceVersion, created.body.metadata.resourceVersion);
  }),

  contract("merge and JSON patches change what they name", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    await api.post(configMaps(api.namespace), configMap("a", { x: "1", y: "2" }));
    const merged = await api.patch(path, "application/merge-patch+json", { data: { x: null, z: "3" } });
    assert.equal(merged.status, 200);
    assert.deepEqual(merged.body.data, { y: "2", z: "3" });
    const patched = await api.patch(path, "application/json-patch+json", [
      { op: "replace", path: "/data/y", value: "5" },
    ]);
    assert.deepEqual(patched.body.data, { y: "5", z: "3" });
    const failed = await api.patch(path, "application/json-patch+json", [{ op: "test", path: "/data/y", value: "6" }]);
    assert.equal(failed.status, 422);
  }),

  contract("a JSON patch finds what is shown as null", async (api) => {
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${api.namespace}/roles`;
    await api.post(roles, { metadata: { name: "empty" } });
    const json = "application/json-patch+json";
    const tested = await api.patch(`${roles}/empty`, json, [{ op: "test", path: "/rules", value: null }]);
    assert.equal(tested.status, 200, tested.text);
    const moved = await api.patch(`${roles}/empty`, json, [
      { op: "move", from: "/rules", path: "/metadata/annotations" },
    ]);
    assert.equal(moved.status, 200, moved.text);
    const unowned = await api.patch(`${roles}/empty`, json, [
      { op: "add", path: "/metadata/ownerReferences", value: null },
    ]);
    assert.equal(unowned.status, 200, unowned.text);
  }),

  contract("a patch may carry the version it expects", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(configMaps(api.namespace), configMap("a", { x: "1" }));
    await api.patch(path, "application/merge-patch+json", { data: { x: "2" } });
    const { resourceVersion } = created.body.metadata;
    const stale = await api.patch(path, "application/merge-patch+json", {
      metadata: { resourceVersion },
      data: { x: "3" },
    });
    assert.equal(stale.status, 409);
  }),

  contract("a deleted object is gone and its Status says what it was", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(configMaps(api.namespace), configMap("a"));
    const deleted = await api.delete(path);
    assert.equal(deleted.status, 200);
    assert.deepEqual(deleted.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: created.body.metadata.uid },
    });
    assert.equal((await api.get(path)).status, 404);
  }),

  contract("a deletion's preconditions must hold", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    const created = await api.post(configMaps(api.namespace), configMap("a"));
    const refused = await api.delete(path, { preconditions: { uid: "other" } });
    assert.equal(refused.status, 409);
    const { uid, resourceVersion } = created.body.metadata;
    const deleted = await api.delete(path, { preconditions: { uid, resourceVersion } });
    assert.equal(deleted.status, 200);
  }),

  contract("finalizers keep a deleted object until the last one is taken away", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    await api.post(configMaps(api.namespace), configMap("a", {}, { finalizers: ["example.com/hold"] }));
    const deleted = await api.delete(path);
    assert.equal(deleted.status, 200);
    assert.equal(deleted.body.kind, "ConfigMap");
    assert.match(deleted.body.metadata.deletionTimestamp, /Z$/);
    assert.equal(deleted.body.metadata.deletionGracePeriodSeconds, 0);
    const again = await api.post(configMaps(api.namespace), configMap("a"));
    assert.equal(again.body.message, 'object is being deleted: configmaps "a" already exists');
    const added = await api.patch(path, "application/merge-patch+json", {
      metadata: { finalizers: ["example.com/hold", "example.com/more"] },
    });
    assert.equal(added.status, 422);
    const released = await api.patch(path, "application/merge-patch+json", { metadata: { finalizers: null } });
    assert.equal(released.status, 200);
    assert.equal((await api.get(path)).status, 404);
  }),
];
