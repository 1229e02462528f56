/** Deleting one object or many, and what keeps them. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

/** The cases. */
export const deletionCases: readonly ContractCase[] = [
  contract("a failed precondition names what it expected", async (api) => {
    const created = await api.post(configMaps(api.namespace), configMap("a"));
    const { uid, resourceVersion } = created.body.metadata;
    const path = `${configMaps(api.namespace)}/a`;
    const byUid = await api.delete(path, { preconditions: { uid: "other" } });
    assert.equal(byUid.status, 409);
    assert.equal(
      byUid.body.message,
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    assert.deepEqual(byUid.body.details, { name: "a", kind: "ConfigMap" });
    const byVersion = await api.delete(path, { preconditions: { resourceVersion: "1" } });
    assert.equal(
      byVersion.body.message,
      `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }),

  contract("propagation policies leave a finalizer for whoever collects garbage", async (api) => {
    for (const [policy, finalizer] of [
      ["Foreground", "foregroundDeletion"],
      ["Orphan", "orphan"],
    ] as const) {
      const name = policy.toLowerCase();
      await api.post(configMaps(api.namespace), configMap(name));
      const path = `${configMaps(api.namespace)}/${name}`;
      const deleted = await api.delete(path, { propagationPolicy: policy });
      assert.equal(deleted.status, 200);
      assert.deepEqual(deleted.body.metadata.finalizers, [finalizer]);
      const again = await api.delete(path, { propagationPolicy: "Background" });
      assert.equal(again.status, 200);
      assert.equal((await api.get(path)).status, 404);
    }
  }),

  contract("a deletion that waits is told by 202 to clients that ask the old way", async (api) => {
    await api.post(configMaps(api.namespace), configMap("a", {}, { finalizers: ["example.com/hold"] }));
    const deleted = await api.delete(`${configMaps(api.namespace)}/a`, { orphanDependents: false });
    assert.equal(deleted.status, 202);
    assert.equal(deleted.body.kind, "ConfigMap");
  }),

  contract("deletion options must make sense", async (api) => {
    await api.post(configMaps(api.namespace), configMap("a"));
    const path = `${configMaps(api.namespace)}/a`;
    const invalid = (detail: string) => `DeleteOptions.meta.k8s.io "" is invalid: ${detail}`;
    const message = async (query: string, body?: object) => (await api.delete(`${path}${query}`, body)).body.message;
    assert.equal(
      await message("?propagationPolicy=Foreground&orphanDependents=true"),
      invalid(
        'propagationPolicy: Invalid value: "Foreground": orphanDependents and deletionPropagation cannot be both set',
      ),
    );
    assert.equal(
      await message("?propagationPolicy=Nope"),
      invalid(
        'propagationPolicy: Unsupported value: "Nope": supported values: "Foreground", "Background", "Orphan", "nil"',
      ),
    );
    assert.equal(
      await message("?dryRun=Some"),
      invalid('dryRun: Unsupported value: ["Some"]: supported values: "All"'),
    );
    assert.equal(
      await message("", { gracePeriodSeconds: "x" }),
      "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
    );
    assert.equal((await api.get(path)).status, 200);
  }),

  contract("a collection is deleted by selector, and answers with what it found", async (api) => {
    const base = configMaps(api.namespace);
    for (const name of ["a", "b", "c"]) {
      await api.post(base, configMap(name, {}, { labels: { gone: name === "c" ? "no" : "yes" } }));
    }
    const deleted = await api.delete(`${base}?labelSelector=gone%3Dyes`);
    assert.equal(deleted.status, 200);
    assert.equal(deleted.body.kind, "ConfigMapList");
    assert.equal(deleted.body.items.length, 2);
    const left = await api.get(`${base}?labelSelector=gone`);
    assert.deepEqual(
      left.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ["c"],
    );
    assert.equal((await api.delete("/api/v1/namespaces")).status, 405);
  }),

  contract("a dry run goes all the way and leaves no trace", async (api) => {
    const base = configMaps(api.namespace);
    const created = await api.post(`${base}?dryRun=All`, configMap("a"));
    assert.equal(created.status, 201);
    assert.match(created.body.metadata.uid, /-/);
    assert.equal(created.body.metadata.resourceVersion, undefined);
    assert.equal((await api.get(`${base}/a`)).status, 404);
    const real = await api.post(base, configMap("b", { k: "1" }));
    const updated = await api.put(`${base}/b?dryRun=All`, configMap("b", { k: "2" }));
    assert.equal(updated.body.data.k, "2");
    assert.equal(updated.body.metadata.resourceVersion, real.body.metadata.resourceVersion);
    const deleted = await api.delete(`${base}/b`, { dryRun: ["All"] });
    assert.equal(deleted.body.status, "Success");
    const kept = await api.get(`${base}/b`);
    assert.deepEqual(kept.body, real.body);
    assert.equal((await api.post(`${base}?dryRun=All`, configMap("b"))).status, 409);
    const again = await api.post(`${base}?dryRun=All`, {
      ...real.body,
      metadata: { ...real.body.metadata, name: "c" },
    });
    assert.equal(again.status, 201, "what was read may be created again on a dry run");
    const version = await api.post(base, configMap("C", {}, { resourceVersion: "1" }));
    assert.equal(version.status, 422, "the object is validated before its version is refused");
  }),
];
