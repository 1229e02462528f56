import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { asCreated, marked, toManifest } from "./child-manifest.ts";
import { type PlanInput, planChildren } from "./children-plan.ts";

const Widget: ResourceDefinition = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  singular: "widget",
  scope: "Namespaced",
};
const ConfigMap: ResourceDefinition = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  singular: "configmap",
  scope: "Namespaced",
};

const owner: KubernetesObject = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w", namespace: "shop", uid: "owner-uid" },
};
const wanted = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "w" }, data: { size: "3" } };
const ownership = { owner, ownerDefinition: Widget, controller: "widget" };

function plan(there: readonly KubernetesObject[], input: Partial<PlanInput> = {}) {
  return planChildren({
    ...ownership,
    owns: [ConfigMap],
    wanted: [wanted],
    find: (_definition, child) => there.find((object) => object.metadata?.name === child.metadata?.name),
    owned: () => there.filter((object) => object.metadata?.ownerReferences?.[0]?.uid === "owner-uid"),
    settled: () => false,
    ...input,
  }).map((action) => action.kind);
}

/** The child as the server has it after it was applied. */
function stored(changes: object = {}): KubernetesObject {
  const { object } = marked(toManifest(wanted, ConfigMap, ownership));
  return { ...object, metadata: { ...object.metadata, uid: "child-uid", resourceVersion: "4" }, ...changes };
}

/** The child as caches have it after it was created. */
function created(changes: object = {}): KubernetesObject {
  const { object, mark } = asCreated(toManifest(wanted, ConfigMap, ownership));
  const managedFields = [{ manager: mark, operation: "Update" as const }];
  return { ...object, metadata: { ...object.metadata, managedFields }, ...changes };
}

test("a missing child is created", () => {
  assert.deepEqual(plan([]), ["create"]);
});

test("a child that is as it should be needs nothing", () => {
  assert.deepEqual(plan([stored()]), []);
});

test("fields that others added do not matter", () => {
  assert.deepEqual(plan([stored({ data: { size: "3", extra: "x" } })]), []);
});

test("a child that was created bears no annotation, and its creator's name tells what was declared", () => {
  assert.equal(created().metadata?.annotations, undefined);
  assert.deepEqual(plan([created()]), []);
  assert.deepEqual(plan([created({ data: { size: "3", extra: "x" } })]), []);
  const shorter = { ...wanted, data: {} };
  assert.deepEqual(plan([created()], { wanted: [shorter] }), ["apply"]);
  assert.deepEqual(plan([created()], { wanted: [] }), ["delete"]);
  assert.deepEqual(plan([created()], { wanted: [], controller: "other" }), []);
});

test("a child that somebody changed is applied", () => {
  assert.deepEqual(plan([stored({ data: { size: "4" } })]), ["apply"]);
});

test("a child whose manifest lost a field is applied, so that the field goes", () => {
  const shorter = { ...wanted, data: {} };
  assert.deepEqual(plan([stored()], { wanted: [shorter] }), ["apply"]);
});

test("what the server made of the very manifest is left alone", () => {
  assert.deepEqual(plan([stored({ data: { size: "three" } })], { settled: () => true }), []);
});

test("a child of a stranger is refused", () => {
  const stranger = { apiVersion: "v1", kind: "Pod", name: "p", uid: "other", controller: true };
  assert.deepEqual(plan([{ ...wanted, metadata: { name: "w", ownerReferences: [stranger] } }]), ["refuse"]);
  assert.deepEqual(plan([wanted]), ["refuse"]);
});

test("a child of a former owner of the same name is waited for", () => {
  const former = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "former", controller: true };
  assert.deepEqual(plan([{ ...wanted, metadata: { name: "w", ownerReferences: [former] } }]), ["wait"]);
});

test("a child that is being deleted is waited for", () => {
  const dying = stored();
  assert.deepEqual(plan([{ ...dying, metadata: { ...dying.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }]), [
    "wait",
  ]);
});

test("a child that is no longer wanted is deleted, unless somebody else made it", () => {
  assert.deepEqual(plan([stored()], { wanted: [] }), ["delete"]);
  const foreign = stored();
  const { annotations: _marks, ...unmarked } = foreign.metadata ?? {};
  assert.deepEqual(plan([{ ...foreign, metadata: unmarked }], { wanted: [] }), []);
});

test("R27: a child in another namespace than its owner is refused with the remedy", () => {
  const elsewhere = { ...wanted, metadata: { name: "w", namespace: "other" } };
  assert.throws(() => plan([], { wanted: [elsewhere] }), /Widget "shop\/w" cannot own ConfigMap "other\/w"/);
});

test("R27: a cluster-scoped child of a namespaced owner is refused", () => {
  const cluster = { ...ConfigMap, scope: "Cluster" as const };
  assert.throws(() => plan([], { owns: [cluster] }), /cannot own ConfigMap "w", which is cluster-scoped/);
});

test("a child of a kind that is not among owns is an error that names it", () => {
  assert.throws(() => plan([], { owns: [] }), /children has a v1 ConfigMap, which is not among owns/);
});

test("two children of the same name are an error", () => {
  assert.throws(() => plan([], { wanted: [wanted, wanted] }), /children has configmaps shop\/w twice/);
});

test("an object of the same kind and name in another group is somebody else, however their versions are named", () => {
  const controlledBy = (apiVersion: string): KubernetesObject => {
    const reference = { apiVersion, kind: "Widget", name: "w", uid: "another", controller: true };
    return { ...wanted, metadata: { ...wanted.metadata, namespace: "shop", ownerReferences: [reference] } };
  };
  assert.deepEqual(
    ["other.io/v1", "v1", "example.com/v1", "example.com/v2"].flatMap((each) => plan([controlledBy(each)])),
    ["refuse", "refuse", "wait", "wait"],
  );
});
