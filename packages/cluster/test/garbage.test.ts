import assert from "node:assert/strict";
import { test } from "node:test";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { ConfigMap, Namespace, Node, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { KubernetesObject, OwnerReference, ResourceDefinition } from "@kubewright/core/meta";
import { defineResource, toCrd } from "@kubewright/core/schema";
import { startCluster, type TestCluster } from "@kubewright/testing";
import { z } from "zod";

const Widget = defineResource({ group: "test.example.com", version: "v1", kind: "Widget", spec: z.object({}) });

interface Relation {
  readonly name: string;
  readonly owners?: readonly OwnerReference[];
  readonly namespace?: string;
  readonly finalizers?: readonly string[];
}

function configMap(
  { client }: TestCluster,
  { name, owners = [], namespace = "default", finalizers = [] }: Relation,
): Promise<ConfigMap> {
  return client.create(ConfigMap, {
    metadata: { name, namespace, ownerReferences: [...owners], finalizers: [...finalizers] },
  });
}

function ownerOf(object: KubernetesObject, blockOwnerDeletion = true): OwnerReference {
  const { apiVersion = "", kind = "", metadata: { name = "", uid = "" } = {} } = object;
  return { apiVersion, kind, name, uid, blockOwnerDeletion };
}

async function names(
  cluster: TestCluster,
  what: ResourceDefinition<KubernetesObject, unknown> = ConfigMap,
): Promise<(string | undefined)[]> {
  const { items } = await cluster.client.list(what, { allNamespaces: true });
  return items.map(({ metadata }) => metadata?.name).filter((name) => name !== "kube-root-ca.crt");
}

function labelled(): Partial<Deployment> {
  const labels = { app: "web" };
  return {
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
    },
  };
}

test("deleting a Deployment deletes its ReplicaSets and their pods", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Deployment, { metadata: { name: "web" }, ...labelled() } as Deployment);
  await cluster.settled();
  assert.equal((await names(cluster, Pod)).length, 2);
  await cluster.client.delete(Deployment, "web");
  await cluster.settled();
  assert.deepEqual(
    [await names(cluster, Deployment), await names(cluster, ReplicaSet), await names(cluster, Pod)],
    [[], [], []],
  );
});

test("a dependent stays as long as one of its owners does, and forgets the others", async () => {
  await using cluster = await startCluster();
  const [a, b] = [await configMap(cluster, { name: "a" }), await configMap(cluster, { name: "b" })];
  await configMap(cluster, { name: "child", owners: [ownerOf(a), ownerOf(b)] });
  await cluster.client.delete(ConfigMap, "a");
  await cluster.settled();
  const child = await cluster.client.get(ConfigMap, "child");
  assert.deepEqual(
    child.metadata?.ownerReferences?.map(({ name }) => name),
    ["b"],
  );
  await cluster.client.delete(ConfigMap, "b");
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

test("an owner made anew under the same name is another owner", async () => {
  await using cluster = await startCluster();
  const first = await configMap(cluster, { name: "owner" });
  await cluster.client.delete(ConfigMap, "owner");
  await configMap(cluster, { name: "owner" });
  await configMap(cluster, { name: "child", owners: [ownerOf(first)] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["owner"]);
});

test("deletion in the foreground keeps the owner until what blocks it is gone", async () => {
  await using cluster = await startCluster();
  const owner = await configMap(cluster, { name: "owner" });
  await configMap(cluster, { name: "kept", owners: [ownerOf(owner)], finalizers: ["test.example.com/hold"] });
  await configMap(cluster, { name: "free", owners: [ownerOf(owner)] });
  await configMap(cluster, { name: "aside", owners: [ownerOf(owner, false)], finalizers: ["test.example.com/hold"] });
  await cluster.client.delete(ConfigMap, "owner", { propagationPolicy: "Foreground" });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["aside", "kept", "owner"]);
  await cluster.client.patch(ConfigMap, "kept", { merge: { metadata: { finalizers: null } } });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["aside"], "what does not block is not waited for");
});

test("deletion in the foreground goes from the leaves to the root", async () => {
  await using cluster = await startCluster();
  const root = await configMap(cluster, { name: "root" });
  const middle = await configMap(cluster, { name: "middle", owners: [ownerOf(root)] });
  await configMap(cluster, { name: "leaf", owners: [ownerOf(middle)], finalizers: ["test.example.com/hold"] });
  await cluster.client.delete(ConfigMap, "root", { propagationPolicy: "Foreground" });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["leaf", "middle", "root"]);
  await cluster.client.patch(ConfigMap, "leaf", { merge: { metadata: { finalizers: null } } });
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

test("owners in a circle do not wait for each other for ever", async () => {
  await using cluster = await startCluster();
  const a = await configMap(cluster, { name: "a" });
  const b = await configMap(cluster, { name: "b", owners: [ownerOf(a)] });
  await cluster.client.patch(ConfigMap, "a", { merge: { metadata: { ownerReferences: [ownerOf(b)] } } });
  await cluster.client.delete(ConfigMap, "a", { propagationPolicy: "Foreground" });
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

test("orphaning leaves the dependents, without their owner", async () => {
  await using cluster = await startCluster();
  const owner = await configMap(cluster, { name: "owner" });
  await configMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await cluster.client.delete(ConfigMap, "owner", { propagationPolicy: "Orphan" });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
  assert.equal((await cluster.client.get(ConfigMap, "child")).metadata?.ownerReferences, undefined);
});

test("an owner in another namespace does not count, and an event says so", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  const owner = await configMap(cluster, { name: "owner", namespace: "shop" });
  const child = await configMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["owner"]);
  const { items } = await cluster.client.list(Event);
  const event = items.find(({ reason }) => reason === "OwnerRefInvalidNamespace");
  assert.equal(event?.regarding?.uid, child.metadata?.uid);
  assert.equal(
    event?.note,
    `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${owner.metadata?.uid}] does not exist in namespace "default"`,
  );
});

test("a cluster-scoped owner is an owner of objects in all namespaces", async () => {
  await using cluster = await startCluster();
  const node = await cluster.client.get(Node, "node-0");
  await configMap(cluster, { name: "child", owners: [ownerOf(node)] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
});

test("objects of custom kinds own and are owned, from the moment of their CRD on", async () => {
  await using cluster = await startCluster({ resources: [Widget] });
  const widget = await cluster.client.create(Widget, { metadata: { name: "w" }, spec: {} });
  await configMap(cluster, { name: "child", owners: [ownerOf(widget)] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
  await cluster.client.delete(Widget, "w");
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

test("an owner of a kind that is not served may be there: its dependents stay", async () => {
  await using cluster = await startCluster();
  const stranger = {
    apiVersion: "other.example.com/v1",
    kind: "Thing",
    name: "x",
    uid: "7a3b9e9e-0000-4000-8000-000000000000",
  };
  await configMap(cluster, { name: "child", owners: [stranger] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
});

test("what objects of a custom kind own goes with its CRD, too", async () => {
  await using cluster = await startCluster({ resources: [Widget] });
  const widget = await cluster.client.create(Widget, { metadata: { name: "w" }, spec: {} });
  await configMap(cluster, { name: "child", owners: [ownerOf(widget)] });
  await cluster.settled();
  await cluster.client.delete(CustomResourceDefinition, "widgets.test.example.com");
  await cluster.settled();
  assert.equal(await cluster.client.find(CustomResourceDefinition, "widgets.test.example.com"), undefined);
  assert.deepEqual(await names(cluster), []);
});

test("dependents of an owner whose kind is not served are judged when it is", async () => {
  await using cluster = await startCluster();
  const gone = { ...ownerOf({ metadata: { name: "w", uid: "7a3b9e9e-0000-4000-8000-000000000001" } }) };
  await configMap(cluster, { name: "child", owners: [{ ...gone, apiVersion: "test.example.com/v1", kind: "Widget" }] });
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
  await cluster.client.create(CustomResourceDefinition, toCrd([Widget]) as CustomResourceDefinition);
  await cluster.settled();
  assert.deepEqual(await names(cluster), []);
});

test("the collector can be left out", async () => {
  await using cluster = await startCluster({ clusterControllers: ["*", "-garbage-collector-controller"] });
  const owner = await configMap(cluster, { name: "owner" });
  await configMap(cluster, { name: "child", owners: [ownerOf(owner)] });
  await cluster.client.delete(ConfigMap, "owner");
  await cluster.settled();
  assert.deepEqual(await names(cluster), ["child"]);
});
