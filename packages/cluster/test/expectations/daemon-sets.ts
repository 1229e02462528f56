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
];

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
