import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject, ObjectMeta, ResourceDefinition } from "@kubewright/core/meta";
import { isAsWanted } from "./as-wanted.ts";
import { asCreated, marked, toManifest } from "./child-manifest.ts";

const named = (group: string, kind: string): ResourceDefinition => ({
  group,
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  scope: "Namespaced",
});
const owner: KubernetesObject = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "shop", uid: "owner-uid" },
};
const ownership = { owner, ownerDefinition: named("example.com", "Widget"), controller: "widget" };
const wanted = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "w", labels: { app: "w" }, annotations: { note: "x" } },
  data: { size: "3" },
};

/** The child as the server has it after it was applied, with changes of its metadata and of the rest. */
function stored(metadata: ObjectMeta = {}, rest: object = {}): KubernetesObject {
  const { object } = marked(toManifest(wanted, named("", "ConfigMap"), ownership));
  const added = { uid: "child-uid", resourceVersion: "4", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { ...object, metadata: { ...object.metadata, ...added, ...metadata }, ...rest };
}

const [reference] = stored().metadata?.ownerReferences ?? [];
assert.ok(reference !== undefined);
const annotations = stored().metadata?.annotations ?? {};

test("a child is as wanted when it was applied or created so, whatever the server added to its metadata", () => {
  assert.ok(isAsWanted(stored(), wanted, ownership));
  const { object, mark: manager } = asCreated(toManifest(wanted, named("", "ConfigMap"), ownership));
  const metadata = { ...object.metadata, managedFields: [{ manager, operation: "Update" as const }] };
  assert.ok(isAsWanted({ ...object, metadata }, wanted, ownership));
});

test("a status is nobody's wish", () => {
  assert.ok(isAsWanted(stored({}, { status: { phase: "Bound" } }), wanted, ownership));
});

const differing: ReadonlyArray<readonly [string, KubernetesObject]> = [
  ["another value", stored({}, { data: { size: "4" } })],
  ["a value that is not wanted", stored({}, { data: { size: "3", more: "x" } })],
  ["a field that is not wanted", stored({}, { immutable: true })],
  ["no value where one is wanted", stored({}, { data: undefined })],
  ["another label", stored({ labels: { app: "w", by: "others" } })],
  ["no labels", stored({ labels: {} })],
  ["another annotation", stored({ annotations: { ...annotations, by: "others" } })],
  ["no mark", stored({ annotations: { note: "x" } })],
  ["the mark of another controller", stored({ annotations: { note: "x", "kubewright.dev/applied": "other/hash" } })],
  ["a finalizer", stored({ finalizers: ["example.com/hold"] })],
  ["its end before it", stored({ deletionTimestamp: "2026-01-01T00:00:00Z" })],
  ["no owner", stored({ ownerReferences: [] })],
  ["a second owner", stored({ ownerReferences: [reference, { ...reference, uid: "other", controller: false }] })],
  ["a former owner of the same name", stored({ ownerReferences: [{ ...reference, uid: "former" }] })],
  ["an owner that does not wait for it", stored({ ownerReferences: [{ ...reference, blockOwnerDeletion: false }] })],
  ["an owner of another version", stored({ ownerReferences: [{ ...reference, apiVersion: "example.com/v2" }] })],
];
for (const [what, observed] of differing) {
  test(`a child with ${what} is not exactly as wanted`, () => {
    assert.equal(isAsWanted(observed, wanted, ownership), false);
  });
}

test("what is wanted beyond labels and annotations, or for an epoch, is left to the manifest", () => {
  const finalized = { ...wanted, metadata: { ...wanted.metadata, finalizers: ["example.com/hold"] } };
  assert.equal(isAsWanted(stored(), finalized, ownership), false);
  assert.equal(isAsWanted(stored(), { ...wanted, immutable: false } as KubernetesObject, ownership), false);
  assert.equal(isAsWanted(stored(), wanted, { ...ownership, epoch: 3 }), false);
});
