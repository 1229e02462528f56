/** The whole life of a simulated pod, as a kubelet tells it: every status that it has, and every event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Event, Node, Pod } from "@kubewright/api/core/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const app = { name: "app", image: "registry.example/app:1" };
const setUp = { name: "set-up", image: "registry.example/set-up:1" };
const scripts = [
  { image: setUp.image, runsFor: "2s" },
  { image: app.image, startsAfter: "3s", readyAfter: "4s", stopsAfter: "5s" },
];

async function start(spec: object): Promise<TestCluster> {
  const cluster = await startCluster({ scripts });
  await cluster.client.create(Pod, { metadata: { name: "app" }, spec: { containers: [app], ...spec } });
  await cluster.settled();
  return cluster;
}

async function told({ client }: TestCluster): Promise<readonly string[]> {
  const events = (await client.list(Event)).items.filter(({ involvedObject }) => involvedObject.name === "app");
  return events.map(
    ({ type, reason, message, involvedObject }) => `${involvedObject.fieldPath} ${type} ${reason} ${message}`,
  );
}

/** The conditions that hold, in their order. */
function holding({ status }: Pod): readonly string[] {
  return (status?.conditions ?? []).filter((each) => each.status === "True").map(({ type }) => type);
}

test("a pod is scheduled, initialized, started, ready, and stopped when it is deleted", async () => {
  await using cluster = await start({ initContainers: [setUp], terminationGracePeriodSeconds: 60 });
  const { client, advance } = cluster;
  const pod = () => client.get(Pod, "app");
  const bound = await pod();
  const node = await client.get(Node, bound.spec?.nodeName ?? "");
  const host = node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
  assert.deepEqual(
    [bound.status?.phase, bound.status?.hostIP, bound.status?.hostIPs],
    ["Pending", host, [{ ip: host }]],
  );
  assert.ok(bound.status?.startTime);
  assert.deepEqual(bound.status?.containerStatuses?.[0]?.state, { waiting: { reason: "PodInitializing" } });
  assert.deepEqual(Object.keys(bound.status?.initContainerStatuses?.[0]?.state ?? {}), ["running"]);
  assert.deepEqual(holding(bound), ["PodReadyToStartContainers", "PodScheduled"]);
  await advance("2s");
  const initialized = await pod();
  const ended = initialized.status?.initContainerStatuses?.[0];
  assert.deepEqual([ended?.ready, ended?.state?.terminated?.reason], [true, "Completed"]);
  assert.deepEqual(initialized.status?.containerStatuses?.[0]?.state, { waiting: { reason: "ContainerCreating" } });
  assert.equal(initialized.status?.phase, "Pending");
  await advance("3s");
  const running = await pod();
  const container = running.status?.containerStatuses?.[0];
  assert.deepEqual(
    [running.status?.phase, container?.ready, container?.started, container?.restartCount],
    ["Running", false, true, 0],
  );
  assert.ok(container?.state?.running?.startedAt);
  assert.match(container?.imageID ?? "", /./);
  assert.match(container?.containerID ?? "", /:\/\//);
  assert.deepEqual(running.status?.podIPs, [{ ip: running.status?.podIP }]);
  assert.deepEqual(holding(running), ["PodReadyToStartContainers", "Initialized", "PodScheduled"]);
  await advance("4s");
  const all = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  assert.deepEqual(holding(await pod()), all);
  await client.delete(Pod, "app");
  await advance("4s");
  assert.equal((await pod()).metadata?.deletionGracePeriodSeconds, 60);
  await advance("1s");
  assert.equal(await client.find(Pod, "app"), undefined);
  const started = (path: string, image: string) => [
    `${path} Normal Pulled Container image "${image}" already present on machine`,
    `${path} Normal Created Container created`,
    `${path} Normal Started Container started`,
  ];
  assert.deepEqual(
    (await told(cluster)).toSorted(),
    [
      `undefined Normal Scheduled Successfully assigned default/app to ${node.metadata?.name}`,
      ...started("spec.initContainers{set-up}", setUp.image),
      ...started("spec.containers{app}", app.image),
      "spec.containers{app} Normal Killing Stopping container app",
    ].toSorted(),
  );
});

test("a pod that is deleted without grace is gone at once, and one that takes too long is stopped", async () => {
  await using cluster = await start({});
  const { client, advance } = cluster;
  await advance("10s");
  await client.delete(Pod, "app", { gracePeriodSeconds: 2 });
  await advance("1s");
  assert.notEqual(await client.find(Pod, "app"), undefined);
  await advance("1s");
  assert.equal(await client.find(Pod, "app"), undefined);
  await client.create(Pod, { metadata: { name: "app" }, spec: { containers: [app] } });
  await advance("10s");
  await client.delete(Pod, "app", { gracePeriodSeconds: 0 });
  assert.equal(await client.find(Pod, "app"), undefined);
});

test("a container that ends is started again, and tells how it ended before", async () => {
  const crashing = [{ image: app.image, runsFor: "1s", exitCode: 3 }];
  await using cluster = await startCluster({ scripts: crashing });
  const { client, advance } = cluster;
  await client.create(Pod, { metadata: { name: "app" }, spec: { containers: [app], restartPolicy: "OnFailure" } });
  await cluster.settled();
  await advance("1s");
  const { status } = await client.get(Pod, "app");
  const [container] = status?.containerStatuses ?? [];
  assert.deepEqual([status?.phase, container?.restartCount], ["Running", 1]);
  const { exitCode, reason } = container?.lastState?.terminated ?? {};
  assert.deepEqual([exitCode, reason], [3, "Error"]);
});

test("a pod that is active for too long fails in a kubelet's words", async () => {
  await using cluster = await start({ activeDeadlineSeconds: 20 });
  await cluster.advance("21s");
  const { status } = await cluster.client.get(Pod, "app");
  assert.deepEqual(
    [status?.phase, status?.reason, status?.message],
    ["Failed", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"],
  );
});

test("a node says what it is and has", async () => {
  await using cluster = await startCluster();
  const { metadata, status } = await cluster.client.get(Node, "node-0");
  assert.deepEqual(metadata?.labels, {
    "kubernetes.io/hostname": "node-0",
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
  });
  assert.deepEqual(
    status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason]),
    [
      ["MemoryPressure", "False", "KubeletHasSufficientMemory"],
      ["DiskPressure", "False", "KubeletHasNoDiskPressure"],
      ["PIDPressure", "False", "KubeletHasSufficientPID"],
      ["Ready", "True", "KubeletReady"],
    ],
  );
  assert.deepEqual(Object.keys(status?.capacity ?? {}).toSorted(), ["cpu", "ephemeral-storage", "memory", "pods"]);
  assert.deepEqual(status?.allocatable, status?.capacity);
  assert.match(status?.nodeInfo?.kubeletVersion ?? "", /^v1\.36\./);
});
