/** The garbage collector and the namespace controller. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "@kubewright/api/core/v1";
import { type Expectation, template, type World } from "./expectation.ts";

/** What becomes of objects whose owners, or whose namespace, are deleted. */
export const deletion: readonly Expectation[] = [
  ...(["Background", "Foreground"] as const).map(
    (propagationPolicy): Expectation => ({
      name: `a Deployment deleted in the ${propagationPolicy.toLowerCase()} takes its ReplicaSets and pods with it`,
      async run(world) {
        await deploy(world);
        await world.client.delete(Deployment, "web", { propagationPolicy });
        await world.eventually(async () => {
          assert.equal((await world.client.list(Deployment)).items.length, 0);
          assert.equal((await world.client.list(ReplicaSet)).items.length, 0);
          assert.equal((await world.client.list(Pod)).items.length, 0);
        });
      },
    }),
  ),
  {
    name: "a Deployment deleted with orphans leaves its ReplicaSet and pods alone",
    async run(world) {
      await deploy(world);
      await world.client.delete(Deployment, "web", { propagationPolicy: "Orphan" });
      await world.eventually(async () => {
        assert.equal((await world.client.list(Deployment)).items.length, 0);
      });
      const sets = (await world.client.list(ReplicaSet)).items;
      assert.equal(sets.length, 1);
      assert.deepEqual(sets[0]?.metadata?.ownerReferences ?? [], []);
      assert.equal((await world.client.list(Pod)).items.length, 2);
    },
  },
  {
    name: "an object goes when its last owner is gone, by uid, and loses only what dangles before",
    async run({ client, eventually }) {
      const first = await client.create(ConfigMap, { metadata: { name: "first" } });
      const second = await client.create(ConfigMap, { metadata: { name: "second" } });
      const ownerReferences = [first, second].map(({ metadata }) => reference(metadata?.name, metadata?.uid));
      await client.create(ConfigMap, { metadata: { name: "child", ownerReferences } });
      await client.delete(ConfigMap, "first");
      await client.create(ConfigMap, { metadata: { name: "first" } });
      await eventually(async () => {
        const child = await client.get(ConfigMap, "child");
        assert.deepEqual(
          child.metadata?.ownerReferences?.map(({ name }) => name),
          ["second"],
        );
      });
      await client.delete(ConfigMap, "second");
      await eventually(async () => assert.equal(await client.find(ConfigMap, "child"), undefined));
    },
  },
  {
    name: "a namespace goes with everything in it",
    async run({ client, namespace, eventually }) {
      const name = `${namespace}-going`;
      await client.create(Namespace, { metadata: { name } });
      const inside = client.with({ namespace: name });
      await inside.create(ConfigMap, { metadata: { name: "a" } });
      const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") };
      await inside.create(Deployment, { metadata: { name: "web" }, spec });
      await client.delete(Namespace, name);
      await eventually(async () => assert.equal(await client.find(Namespace, name), undefined));
      assert.equal((await inside.list(Pod)).items.length, 0);
    },
  },
  {
    name: "a namespace waits for finalizers and tells which",
    async run({ client, namespace, eventually }) {
      const name = `${namespace}-held`;
      await client.create(Namespace, { metadata: { name } });
      const inside = client.with({ namespace: name });
      await inside.create(ConfigMap, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
      await client.delete(Namespace, name);
      await eventually(async () => {
        const conditions = (await client.get(Namespace, name)).status?.conditions ?? [];
        const remaining = conditions.find(({ type }) => type === "NamespaceFinalizersRemaining");
        assert.match(remaining?.message ?? "", /example\.com\/hold in 1 resource instances/);
        const content = conditions.find(({ type }) => type === "NamespaceContentRemaining");
        assert.match(content?.message ?? "", /configmaps\. has 1 resource instances/);
      });
      await inside.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
      await eventually(async () => assert.equal(await client.find(Namespace, name), undefined));
    },
  },
  {
    name: "every namespace has the service account default and the certificates of the API server, again if deleted",
    async run({ client, eventually }) {
      const present = async (): Promise<void> => {
        await client.get(ServiceAccount, "default");
        await client.get(ConfigMap, "kube-root-ca.crt");
      };
      await eventually(present);
      const { metadata } = await client.get(ServiceAccount, "default");
      await client.delete(ServiceAccount, "default");
      await client.delete(ConfigMap, "kube-root-ca.crt");
      await eventually(async () => {
        await present();
        assert.notEqual((await client.get(ServiceAccount, "default")).metadata?.uid, metadata?.uid);
      });
    },
  },
];

function reference(name = "", uid = "") {
  return { apiVersion: "v1", kind: "ConfigMap", name, uid };
}

async function deploy({ client, eventually }: World): Promise<void> {
  const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") };
  await client.create(Deployment, { metadata: { name: "web" }, spec });
  await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, 2));
}
