/** DaemonSets. */
import assert from "node:assert/strict";
import { DaemonSet } from "@kubewright/api/apps/v1";
import { Node, Pod } from "@kubewright/api/core/v1";
import { type Expectation, template, type World } from "./expectation.ts";

/** What DaemonSets do. */
export const daemonSets: readonly Expectation[] = [
  {
    name: "a DaemonSet runs one pod per node and rolls a new template over them",
    async run(world) {
      const { client, eventually } = world;
      const spec = { selector: { matchLabels: { app: "agent" } }, template: template("agent") };
      await client.create(DaemonSet, { metadata: { name: "agent" }, spec });
      await eventually(() => onEveryNode(world, "registry.example/server:1"));
      await client.patch(DaemonSet, "agent", {
        merge: { spec: { template: template("agent", "registry.example/server:2") } },
      });
      await eventually(() => onEveryNode(world, "registry.example/server:2"));
    },
  },
  {
    name: "a DaemonSet runs on no node that it does not select",
    async run({ client, eventually }) {
      const { metadata, spec } = template("agent");
      const selecting = { metadata, spec: { ...spec, nodeSelector: { "example.com/missing": "true" } } };
      await client.create(DaemonSet, {
        metadata: { name: "agent" },
        spec: { selector: { matchLabels: { app: "agent" } }, template: selecting },
      });
      await eventually(async () => {
        const { status } = await client.get(DaemonSet, "agent");
        assert.deepEqual([status?.observedGeneration, status?.desiredNumberScheduled], [1, 0]);
      });
      assert.equal((await client.list(Pod)).items.length, 0);
    },
  },
  {
    name: "a DaemonSet may start a new pod beside the old one on each node",
    async run(world) {
      const { client, eventually } = world;
      const updateStrategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      const spec = { selector: { matchLabels: { app: "agent" } }, template: template("agent"), updateStrategy };
      await client.create(DaemonSet, { metadata: { name: "agent" }, spec });
      await eventually(() => onEveryNode(world, "registry.example/server:1"));
      await client.patch(DaemonSet, "agent", { merge: { spec: { template: unplaceable("agent") } } });
      const nodes = (await client.list(Node)).items.length;
      await eventually(async () => {
        const pods = (await client.list(Pod)).items;
        assert.deepEqual([pods.length, pods.filter(({ spec: made }) => !made?.nodeName).length], [nodes + 1, 1]);
        const { numberAvailable, updatedNumberScheduled } = (await client.get(DaemonSet, "agent")).status ?? {};
        assert.deepEqual([numberAvailable, updatedNumberScheduled ?? 0], [nodes, 0]);
        const waiting = pods.find(({ spec: made }) => !made?.nodeName);
        const condition = waiting?.status?.conditions?.find(({ type }) => type === "PodScheduled");
        const others = `${nodes - 1} node(s) didn't satisfy plugin(s) [NodeAffinity]`;
        assert.ok(condition?.message?.includes(`: 1 Insufficient cpu, ${others}. `), condition?.message);
      });
      const next = template("agent", "registry.example/server:2");
      await client.patch(DaemonSet, "agent", { json: [{ op: "replace", path: "/spec/template", value: next }] });
      await eventually(() => onEveryNode(world, "registry.example/server:2"));
    },
  },
  {
    name: "pods of a DaemonSet are available when they were ready for as long as it asks",
    async run({ client, eventually }) {
      const spec = { selector: { matchLabels: { app: "agent" } }, template: template("agent"), minReadySeconds: 3 };
      await client.create(DaemonSet, { metadata: { name: "agent" }, spec });
      const nodes = (await client.list(Node)).items.length;
      const counts = async () => {
        const {
          numberReady,
          numberAvailable = 0,
          numberUnavailable = 0,
        } = (await client.get(DaemonSet, "agent")).status ?? {};
        return [numberReady, numberAvailable, numberUnavailable];
      };
      await eventually(async () => assert.deepEqual(await counts(), [nodes, 0, nodes]));
      await eventually(async () => assert.deepEqual(await counts(), [nodes, nodes, 0]));
    },
  },
  {
    name: "with OnDelete a new template reaches only the nodes whose pod somebody deletes",
    async run(world) {
      const { client, eventually } = world;
      const updateStrategy = { type: "OnDelete" as const };
      const spec = { selector: { matchLabels: { app: "agent" } }, template: template("agent"), updateStrategy };
      await client.create(DaemonSet, { metadata: { name: "agent" }, spec });
      await eventually(() => onEveryNode(world, "registry.example/server:1"));
      await client.patch(DaemonSet, "agent", {
        merge: { spec: { template: template("agent", "registry.example/server:2") } },
      });
      await eventually(async () => {
        const { metadata, status } = await client.get(DaemonSet, "agent");
        assert.deepEqual([status?.observedGeneration, status?.updatedNumberScheduled ?? 0], [metadata?.generation, 0]);
      });
      const [pod] = (await client.list(Pod)).items;
      await client.delete(Pod, pod?.metadata?.name ?? "");
      await eventually(async () => {
        const { status } = await client.get(DaemonSet, "agent");
        assert.deepEqual([status?.updatedNumberScheduled, status?.numberReady], [1, status?.desiredNumberScheduled]);
      });
    },
  },
  {
    name: "a pod of a DaemonSet is made for its node, whatever else is wrong with it",
    async run({ client, eventually }) {
      const pod = template("agent");
      const affinity = {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "Exists" as const }] }],
          },
        },
      };
      const selecting = { ...pod, spec: { ...pod.spec, affinity } };
      await client.create(DaemonSet, {
        metadata: { name: "agent" },
        spec: { selector: { matchLabels: { app: "agent" } }, template: selecting },
      });
      const nodes = (await client.list(Node)).items.length;
      await eventually(async () => {
        const placed = (await client.list(Pod)).items.filter(({ spec }) => spec?.nodeName);
        assert.equal(placed.length, nodes);
      });
      const [made] = (await client.list(Pod)).items;
      const fields = [{ key: "metadata.name", operator: "In", values: [made?.spec?.nodeName] }];
      assert.deepEqual(made?.spec?.affinity?.nodeAffinity, {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: fields }] },
      });
      assert.deepEqual(
        made?.spec?.tolerations?.map(({ key, effect, operator }) => `${operator} ${key} ${effect}`).toSorted(),
        [
          "Exists node.kubernetes.io/disk-pressure NoSchedule",
          "Exists node.kubernetes.io/memory-pressure NoSchedule",
          "Exists node.kubernetes.io/not-ready NoExecute",
          "Exists node.kubernetes.io/pid-pressure NoSchedule",
          "Exists node.kubernetes.io/unreachable NoExecute",
          "Exists node.kubernetes.io/unschedulable NoSchedule",
        ],
      );
      assert.equal(made?.metadata?.labels?.["pod-template-generation"], "1");
    },
  },
];

/** A template whose pods find no room on any node. */
function unplaceable(app: string) {
  const pod = template(app, "registry.example/server:2");
  const [container] = pod.spec.containers;
  return { ...pod, spec: { containers: [{ ...container, resources: { requests: { cpu: "1000" } } }] } };
}

async function onEveryNode({ client }: World, image: string): Promise<void> {
  const nodes = (await client.list(Node)).items.map(({ metadata }) => metadata?.name);
  const pods = (await client.list(Pod)).items;
  assert.deepEqual(pods.map(({ spec }) => spec?.nodeName).toSorted(), nodes.toSorted());
  for (const { spec } of pods) assert.equal(spec?.containers[0]?.image, image);
  const { metadata, status } = await client.get(DaemonSet, "agent");
  assert.equal(status?.observedGeneration, metadata?.generation);
  const { desiredNumberScheduled, numberReady, updatedNumberScheduled, numberAvailable } = status ?? {};
  assert.deepEqual(
    [desiredNumberScheduled, numberReady, updatedNumberScheduled, numberAvailable],
    [nodes.length, nodes.length, nodes.length, nodes.length],
  );
}
