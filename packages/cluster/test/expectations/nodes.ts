/** Nodes in trouble. Each takes one that all share, so nothing runs beside it, and gives it back as it was. */
import assert from "node:assert/strict";
import { DaemonSet } from "@kubewright/api/apps/v1";
import { Node, Pod, Service, type Taint } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Expectation, server, template, type World } from "./expectation.ts";

const KEY = "example.com/broken";
const ZONE = "topology.kubernetes.io/zone";

/** What becomes of pods when something becomes of their node. */
export const nodes: readonly Expectation[] = [
  {
    name: "pods leave a node that they do not tolerate any more, some later than others, some not at all",
    alone: true,
    run: (world) =>
      withNode(world, async (node) => {
        const { namespace, eventually } = world;
        const toleration = { key: KEY, operator: "Exists" as const, effect: "NoExecute" as const };
        await createOn(world, node, "now", []);
        await createOn(world, node, "soon", [{ ...toleration, tolerationSeconds: 1 }]);
        await createOn(world, node, "late", [{ ...toleration, tolerationSeconds: 100_000 }]);
        await createOn(world, node, "never", [toleration]);
        await taint(world, node, [{ key: KEY, effect: "NoExecute" }]);
        await eventually(async () => {
          assert.deepEqual(await podNames(world), ["late", "never"]);
          const told = await evictions(world);
          const going = (name: string) => `Marking for deletion Pod ${namespace}/${name}`;
          assert.deepEqual(told, [
            ["now", going("now")],
            ["soon", going("soon")],
          ]);
        });
        await taint(world, node, []);
        await eventually(async () => {
          const told = (await evictions(world)).filter(([name]) => name === "late");
          assert.deepEqual(told, [["late", `Cancelling deletion of Pod ${namespace}/late`]]);
        });
        assert.deepEqual(await podNames(world), ["late", "never"]);
      }),
  },
  {
    name: "a DaemonSet leaves its pod where nothing new may go, takes it away where nothing may run, and brings it back",
    alone: true,
    run: (world) =>
      withNode(world, async (node) => {
        const { client, eventually } = world;
        const count = (await client.list(Node)).items.length;
        const spec = { selector: { matchLabels: { app: "agent" } }, template: template("agent") };
        await client.create(DaemonSet, { metadata: { name: "agent" }, spec });
        await eventually(() => scheduled(world, { desired: count, misscheduled: 0, pods: count }));
        await taint(world, node, [{ key: KEY, effect: "NoSchedule" }]);
        // Kubernetes counts anew when something happens to the set.
        await client.patch(DaemonSet, "agent", { merge: { metadata: { annotations: { touched: "yes" } } } });
        await eventually(() => scheduled(world, { desired: count - 1, misscheduled: 1, pods: count }));
        await taint(world, node, [{ key: KEY, effect: "NoExecute" }]);
        await eventually(() => scheduled(world, { desired: count - 1, misscheduled: 0, pods: count - 1 }));
        await taint(world, node, []);
        await eventually(() => scheduled(world, { desired: count, misscheduled: 0, pods: count }));
      }),
  },
  {
    name: "a DaemonSet follows the labels of nodes",
    alone: true,
    run: (world) =>
      withNode(world, async (node) => {
        const { client, eventually } = world;
        const { metadata, spec } = template("agent");
        const selecting = { metadata, spec: { ...spec, nodeSelector: { [KEY]: "yes" } } };
        await client.create(DaemonSet, {
          metadata: { name: "agent" },
          spec: { selector: { matchLabels: { app: "agent" } }, template: selecting },
        });
        await client.patch(Node, node, { merge: { metadata: { labels: { [KEY]: "yes" } } } });
        await eventually(() => scheduled(world, { desired: 1, misscheduled: 0, pods: 1 }));
        assert.equal((await client.list(Pod)).items[0]?.spec?.nodeName, node);
        await client.patch(Node, node, { merge: { metadata: { labels: { [KEY]: null } } } });
        await eventually(() => scheduled(world, { desired: 0, misscheduled: 0, pods: 0 }));
      }),
  },
  {
    name: "endpoints tell the zone of their node",
    alone: true,
    run: (world) =>
      withNode(world, async (node) => {
        const { client, eventually } = world;
        await client.patch(Node, node, { merge: { metadata: { labels: { [ZONE]: "west" } } } });
        const spec = { containers: [server], nodeName: node };
        await client.create(Pod, { metadata: { name: "web", labels: { app: "web" } }, spec });
        const ports = [{ port: 80 }];
        await client.create(Service, { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports } });
        await eventually(async () => {
          const labelSelector = "kubernetes.io/service-name=web";
          const [slice] = (await client.list(EndpointSlice, { labelSelector })).items;
          assert.deepEqual(
            slice?.endpoints?.map(({ zone, nodeName }) => [zone, nodeName]),
            [["west", node]],
          );
        });
      }),
  },
  {
    name: "a node is tainted while it is cordoned or short of something, beside the taints that it has",
    alone: true,
    run: (world) =>
      withNode(world, async (node) => {
        const { client, eventually } = world;
        const keys = async (): Promise<readonly string[]> =>
          ((await client.get(Node, node)).spec?.taints ?? []).map(({ key, effect }) => `${key} ${effect}`).toSorted();
        await taint(world, node, [{ key: KEY, effect: "PreferNoSchedule" }]);
        await client.patch(Node, node, { merge: { spec: { unschedulable: true } } });
        await pressure(world, node, "True");
        const own = `${KEY} PreferNoSchedule`;
        const cordoned = "node.kubernetes.io/unschedulable NoSchedule";
        await eventually(async () =>
          assert.deepEqual(await keys(), [own, "node.kubernetes.io/disk-pressure NoSchedule", cordoned]),
        );
        const nodeSelector = { "kubernetes.io/hostname": node };
        await client.create(Pod, { metadata: { name: "kept-away" }, spec: { containers: [server], nodeSelector } });
        await eventually(async () => {
          const { status } = await client.get(Pod, "kept-away");
          const condition = status?.conditions?.find(({ type }) => type === "PodScheduled");
          assert.match(condition?.message ?? "", /1 node\(s\) were unschedulable/);
        });
        await client.patch(Node, node, { merge: { spec: { unschedulable: null } } });
        await pressure(world, node, "False");
        await eventually(async () => {
          assert.deepEqual(await keys(), [own]);
          assert.equal((await client.get(Pod, "kept-away")).spec?.nodeName, node);
        });
      }),
  },
];

/** Lends a node, and takes away what was done to it. */
async function withNode(world: World, use: (node: string) => Promise<void>): Promise<void> {
  const [first] = (await world.client.list(Node)).items;
  const node = first?.metadata?.name ?? "";
  try {
    await use(node);
  } finally {
    await taint(world, node, []);
    await pressure(world, node, "False");
    const metadata = { labels: { [KEY]: null, [ZONE]: null } };
    await world.client.patch(Node, node, { merge: { metadata, spec: { unschedulable: null } } });
  }
}

/** Sets the taints that are not the node controller's own. */
async function taint({ client }: World, node: string, taints: readonly Taint[]): Promise<void> {
  await client.modify(Node, node, (current) => {
    const others = (current.spec?.taints ?? []).filter(({ key }) => key !== KEY);
    return { ...current, spec: { ...current.spec, taints: [...others, ...taints] } };
  });
}

async function pressure({ client }: World, node: string, status: "True" | "False"): Promise<void> {
  const conditions = [{ type: "DiskPressure", status }];
  await client.patch(Node, node, { strategic: { status: { conditions } } }, { subresource: "status" });
}

async function createOn(
  { client, eventually }: World,
  node: string,
  name: string,
  tolerations: readonly object[],
): Promise<void> {
  const spec = { containers: [server], nodeName: node, tolerations: [...tolerations] };
  await client.create(Pod, { metadata: { name }, spec });
  await eventually(async () => assert.equal((await client.get(Pod, name)).status?.phase, "Running"));
}

async function podNames({ client }: World): Promise<readonly (string | undefined)[]> {
  return (await client.list(Pod)).items.map(({ metadata }) => metadata?.name).toSorted();
}

async function evictions({ client }: World): Promise<readonly (string | undefined)[][]> {
  const events = (await client.list(Event)).items.filter(({ reason }) => reason === "TaintManagerEviction");
  return events.map(({ regarding, note }) => [regarding?.name, note]).toSorted();
}

async function scheduled(
  { client }: World,
  wanted: { readonly desired: number; readonly misscheduled: number; readonly pods: number },
): Promise<void> {
  const { status } = await client.get(DaemonSet, "agent");
  const ready = (await client.list(Pod)).items.filter((pod) => pod.status?.phase === "Running");
  const { desiredNumberScheduled, numberMisscheduled, currentNumberScheduled } = status ?? {};
  const found = { desired: desiredNumberScheduled, misscheduled: numberMisscheduled, pods: ready.length };
  assert.deepEqual(found, wanted);
  assert.equal(currentNumberScheduled, wanted.desired);
}
