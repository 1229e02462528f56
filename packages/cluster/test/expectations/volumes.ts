/** Pods and their claims: which node a volume allows, and when a claim gets one. Volumes are shared, so each class is the namespace's own. */
import assert from "node:assert/strict";
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { StorageClass } from "@kubewright/api/storage/v1";
import { type Expectation, server, type World } from "./expectation.ts";

const HOST = "kubernetes.io/hostname";

/** What claims and volumes mean for pods. */
export const volumes: readonly Expectation[] = [
  {
    name: "a pod waits for a claim that is missing, then for its volume, and runs on the node that the volume allows",
    async run(world) {
      const { client, namespace, eventually } = world;
      const hosts = await hostNames(world);
      await createPod(world, "user");
      await eventually(() => cannotBePlaced(world, "user", 'persistentvolumeclaim "data" not found. not found'));
      await createClaim(world);
      const unbound = "pod has unbound immediate PersistentVolumeClaims. not found";
      await eventually(() => cannotBePlaced(world, "user", unbound));
      await createVolume(world, hosts.at(-1));
      await bindByHand(world);
      await eventually(async () => assert.equal((await client.get(Pod, "user")).spec?.nodeName, hosts.at(-1)));
      await createPod(world, "elsewhere", { nodeSelector: { [HOST]: hosts[0] } });
      const others = `${hosts.length - 1} node(s) didn't match Pod's node affinity/selector`;
      const words = `1 node(s) didn't match PersistentVolume's node affinity, ${others}.`;
      await eventually(() => cannotBePlaced(world, "elsewhere", `${words} no new claims to deallocate, preemption: `));
      assert.equal((await client.get(PersistentVolumeClaim, "data")).spec?.volumeName, `${namespace}-disk`);
    },
  },
  {
    name: "a claim that waits for its first consumer gets a volume that the pod's node can reach",
    async run(world) {
      const { client, namespace, eventually } = world;
      const hosts = await hostNames(world);
      await client.create(StorageClass, {
        metadata: { name: namespace },
        provisioner: "kubernetes.io/no-provisioner",
        volumeBindingMode: "WaitForFirstConsumer",
      });
      await createClaim(world);
      await eventually(async () => {
        const message = "waiting for first consumer to be created before binding";
        assert.deepEqual(await notes(world, "data", "WaitForFirstConsumer"), [message]);
      });
      await createPod(world, "user");
      const nothing = `${hosts.length} node(s) didn't find available persistent volumes to bind.`;
      await eventually(() => cannotBePlaced(world, "user", `${nothing} no new claims to deallocate, preemption: `));
      await createVolume(world, hosts[1]);
      await eventually(async () => {
        assert.equal((await client.get(Pod, "user")).spec?.nodeName, hosts[1]);
        const { metadata, spec, status } = await client.get(PersistentVolumeClaim, "data");
        assert.deepEqual([spec?.volumeName, status?.phase], [`${namespace}-disk`, "Bound"]);
        const annotations = ["pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller"];
        assert.deepEqual(Object.keys(metadata?.annotations ?? {}).toSorted(), annotations);
      });
      assert.equal((await client.get(Pod, "user")).status?.phase === "Failed", false);
    },
  },
  {
    name: "a volume that is made for a pod is made for the node that the scheduler selects",
    async run(world) {
      const { client, namespace, eventually } = world;
      const hosts = await hostNames(world);
      await client.create(StorageClass, {
        metadata: { name: namespace },
        provisioner: "example.com/disk",
        volumeBindingMode: "WaitForFirstConsumer",
        allowedTopologies: [{ matchLabelExpressions: [{ key: HOST, values: [hosts[1] ?? ""] }] }],
      });
      await createClaim(world);
      await createPod(world, "user");
      await eventually(async () => {
        const { metadata } = await client.get(PersistentVolumeClaim, "data");
        assert.equal(metadata?.annotations?.["volume.kubernetes.io/selected-node"], hosts[1]);
        assert.equal(metadata?.annotations?.["volume.kubernetes.io/storage-provisioner"], "example.com/disk");
        assert.equal(metadata?.annotations?.["volume.beta.kubernetes.io/storage-provisioner"], "example.com/disk");
      });
    },
  },
  {
    name: "a claim that a pod brings along is made with it and goes with it",
    async run(world) {
      const { client, namespace, eventually } = world;
      const spec = claimSpec(world);
      const template = { metadata: { labels: { app: "scratch" } }, spec };
      const volume = { name: "scratch", ephemeral: { volumeClaimTemplate: template } };
      await client.create(Pod, { metadata: { name: "user" }, spec: { containers: [server], volumes: [volume] } });
      await eventually(async () => {
        const { metadata, spec: made } = await client.get(PersistentVolumeClaim, "user-scratch");
        assert.deepEqual(metadata?.labels, { app: "scratch" });
        assert.equal(made?.storageClassName, namespace);
        const [{ uid: _, ...owner } = { uid: "" }] = metadata?.ownerReferences ?? [];
        const wanted = { apiVersion: "v1", kind: "Pod", name: "user", controller: true, blockOwnerDeletion: true };
        assert.deepEqual(owner, wanted);
        await cannotBePlaced(world, "user", "pod has unbound immediate PersistentVolumeClaims. not found");
      });
      await client.delete(Pod, "user");
      await eventually(async () => assert.equal(await client.find(PersistentVolumeClaim, "user-scratch"), undefined));
      await createClaim(world, "other-scratch");
      await client.create(Pod, { metadata: { name: "other" }, spec: { containers: [server], volumes: [volume] } });
      const foreign = `PVC ${namespace}/other-scratch was not created for pod ${namespace}/other (pod is not owner)`;
      await eventually(async () => {
        assert.deepEqual(await notes(world, "other", "FailedBinding"), [`ephemeral volume scratch: ${foreign}`]);
        await cannotBePlaced(world, "other", foreign);
      });
    },
  },
];

async function hostNames({ client }: World): Promise<string[]> {
  return (await client.list(Node)).items.map(({ metadata }) => metadata?.name ?? "").toSorted();
}

async function createPod({ client }: World, name: string, more: object = {}): Promise<void> {
  const claimed = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
  await client.create(Pod, { metadata: { name }, spec: { containers: [server], volumes: claimed, ...more } });
}

function claimSpec({ namespace }: World) {
  const resources = { requests: { storage: "1Gi" } };
  return { accessModes: ["ReadWriteOnce" as const], resources, storageClassName: namespace };
}

async function createClaim(world: World, name = "data"): Promise<void> {
  await world.client.create(PersistentVolumeClaim, { metadata: { name }, spec: claimSpec(world) });
}

/** A volume that one host can reach. */
async function createVolume({ client, namespace }: World, host = ""): Promise<void> {
  const matchExpressions = [{ key: HOST, operator: "In" as const, values: [host] }];
  await client.create(PersistentVolume, {
    metadata: { name: `${namespace}-disk` },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: "/tmp/disk" },
      storageClassName: namespace,
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  });
}

/** Says on the claim which volume it gets: Kubernetes looks again by itself, but only every fifteen seconds. */
async function bindByHand({ client, namespace }: World): Promise<void> {
  await client.patch(PersistentVolumeClaim, "data", { merge: { spec: { volumeName: `${namespace}-disk` } } });
}

/** Neither condition nor event say less than why the pod waits. */
async function cannotBePlaced(world: World, name: string, words: string): Promise<void> {
  const hosts = await hostNames(world);
  const { status } = await world.client.get(Pod, name);
  const condition = status?.conditions?.find(({ type }) => type === "PodScheduled");
  assert.deepEqual([condition?.status, condition?.reason], ["False", "Unschedulable"]);
  const message = `0/${hosts.length} nodes are available: ${words}`;
  assert.equal((condition?.message ?? "").slice(0, message.length), message);
  assert.ok((await notes(world, name, "FailedScheduling")).includes(condition?.message));
}

async function notes({ client }: World, name: string, reason: string): Promise<readonly (string | undefined)[]> {
  const events = (await client.list(Event)).items;
  const about = events.filter((event) => event.regarding?.name === name && event.reason === reason);
  return about.map(({ note }) => note);
}
