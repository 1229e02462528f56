/** ReplicaSets: which pods go, which are let go, what stands in the way. */
import assert from "node:assert/strict";
import { ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod, ResourceQuota } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { getControllerOf } from "@kubewright/core/meta";
import { type Expectation, template, type World } from "./expectation.ts";

const COST = "controller.kubernetes.io/pod-deletion-cost";

/** What ReplicaSets do beside counting. */
export const replicaSets: readonly Expectation[] = [
  {
    name: "a pod that no longer matches is let go and replaced",
    async run(world) {
      const { client, eventually } = world;
      await create(world, 2);
      await ready(world, 2);
      const [pod] = (await client.list(Pod)).items;
      const name = pod?.metadata?.name ?? "";
      await client.patch(Pod, name, { merge: { metadata: { labels: { app: "other" } } } });
      await eventually(async () => {
        assert.equal(getControllerOf(await client.get(Pod, name)), undefined);
        assert.equal((await client.list(Pod)).items.length, 3);
        assert.equal((await client.get(ReplicaSet, "set")).status?.readyReplicas, 2);
      });
    },
  },
  {
    name: "the pod that costs least goes first",
    async run(world) {
      const { client, eventually } = world;
      await create(world, 3);
      await ready(world, 3);
      const [, cheap] = (await client.list(Pod)).items;
      const name = cheap?.metadata?.name ?? "";
      await client.patch(Pod, name, { merge: { metadata: { annotations: { [COST]: "-10" } } } });
      await client.patch(ReplicaSet, "set", { merge: { spec: { replicas: 2 } } });
      await eventually(async () => {
        assert.equal((await client.list(Pod)).items.length, 2);
        assert.equal(await client.find(Pod, name), undefined);
        const events = (await client.list(Event)).items.filter(({ reason }) => reason === "SuccessfulDelete");
        assert.deepEqual(
          events.map(({ note, type, reportingController }) => [note, type, reportingController]),
          [[`Deleted pod: ${name}`, "Normal", "replicaset-controller"]],
        );
      });
    },
  },
  {
    name: "a pod that ended is replaced and left where it is",
    async run(world) {
      const { client, eventually } = world;
      await create(world, 1, { nodeSelector: { "example.com/nowhere": "" } });
      await eventually(async () => assert.equal((await client.list(Pod)).items.length, 1));
      const [pod] = (await client.list(Pod)).items;
      const name = pod?.metadata?.name ?? "";
      await client.patch(Pod, name, { merge: { status: { phase: "Failed" } } }, { subresource: "status" });
      await eventually(async () => {
        assert.equal((await client.list(Pod)).items.length, 2);
        assert.equal((await client.get(ReplicaSet, "set")).status?.replicas, 1);
      });
      assert.equal((await client.get(Pod, name)).status?.phase, "Failed");
    },
  },
  {
    name: "pods that a quota refuses are told in the status and in an event, and come when there is room",
    async run(world) {
      const { client, eventually } = world;
      await client.create(ResourceQuota, { metadata: { name: "few" }, spec: { hard: { pods: "1" } } });
      await eventually(async () =>
        assert.deepEqual((await client.get(ResourceQuota, "few")).status?.used, { pods: "0" }),
      );
      await create(world, 2);
      await eventually(async () => {
        const { status } = await client.get(ReplicaSet, "set");
        assert.equal(status?.replicas, 1);
        const [condition] = status?.conditions ?? [];
        assert.deepEqual(
          [condition?.type, condition?.status, condition?.reason],
          ["ReplicaFailure", "True", "FailedCreate"],
        );
        const why =
          /^pods "set-[a-z0-9]{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1$/;
        assert.match(condition?.message ?? "", why);
        const failures = (await client.list(Event)).items.filter(({ reason }) => reason === "FailedCreate");
        assert.ok(
          failures.some(({ note = "", type }) => type === "Warning" && note.startsWith('Error creating: pods "set-')),
        );
      });
      await client.patch(ResourceQuota, "few", { merge: { spec: { hard: { pods: "2" } } } });
      await ready(world, 2);
      await eventually(async () => assert.equal((await client.get(ReplicaSet, "set")).status?.conditions, undefined));
    },
  },
];

async function create({ client }: World, replicas: number, more: object = {}): Promise<void> {
  const pod = template("set");
  const all = { ...pod, spec: { ...pod.spec, ...more } };
  await client.create(ReplicaSet, {
    metadata: { name: "set" },
    spec: { replicas, selector: { matchLabels: { app: "set" } }, template: all },
  });
}

async function ready({ client, eventually }: World, count: number): Promise<void> {
  await eventually(async () => assert.equal((await client.get(ReplicaSet, "set")).status?.readyReplicas, count));
}
