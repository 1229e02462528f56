import assert from "node:assert/strict";
import { test } from "node:test";
import { Pod, type PodCondition, type PodSpec } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { ContainerScript } from "@kubewright/cluster";
import { startCluster, type TestCluster } from "@kubewright/testing";

async function run(scripts: readonly ContainerScript[], spec: Partial<PodSpec> = {}): Promise<TestCluster> {
  const cluster = await startCluster({ scripts });
  const containers = [{ name: "app", image: "app:1" }];
  await cluster.client.create(Pod, { metadata: { name: "pod" }, spec: { containers, ...spec } });
  await cluster.settled();
  return cluster;
}

async function waiting({ client }: TestCluster): Promise<readonly (string | undefined)[]> {
  const { state } = (await client.get(Pod, "pod")).status?.containerStatuses?.[0] ?? {};
  return [state?.waiting?.reason, state?.waiting?.message];
}

async function condition({ client }: TestCluster, type: string): Promise<Partial<PodCondition>> {
  const found = (await client.get(Pod, "pod")).status?.conditions?.find((each) => each.type === type);
  const { lastTransitionTime: _time, lastProbeTime: _probed, type: _type, ...rest } = found ?? { type };
  return rest;
}

async function events({ client }: TestCluster): Promise<readonly string[]> {
  const told = (await client.list(Event)).items.filter(({ reportingController }) => reportingController === "kubelet");
  return told.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

test("a container that keeps failing says how long it waits, longer each time, and an event tells of it", async () => {
  await using cluster = await run([{ image: "app:1", runsFor: "1s", exitCode: 2 }]);
  const { metadata } = await cluster.client.get(Pod, "pod");
  const words = `pod_default(${metadata?.uid})`;
  await cluster.advance("1s");
  const wait = (time: string): readonly string[] => [
    "CrashLoopBackOff",
    `back-off ${time} restarting failed container=app pod=${words}`,
  ];
  assert.deepEqual(await waiting(cluster), wait("10s"));
  await cluster.advance("11s");
  assert.deepEqual(await waiting(cluster), wait("20s"));
  const note = `Warning BackOff: Back-off restarting failed container app in pod ${words}`;
  assert.ok((await events(cluster)).includes(note));
  await cluster.advance("1h");
  assert.deepEqual(await waiting(cluster), wait("5m0s"));
  assert.equal((await cluster.client.get(Pod, "pod")).status?.phase, "Running");
});

test("an image that cannot be pulled is an error at first, then waited for", async () => {
  await using cluster = await run([{ image: "app:1", unpullable: true }]);
  const problem = 'failed to pull and unpack image "app:1": not found';
  assert.deepEqual(await waiting(cluster), ["ErrImagePull", problem]);
  await cluster.advance("1m");
  assert.deepEqual(await waiting(cluster), [
    "ImagePullBackOff",
    `Back-off pulling image "app:1": ErrImagePull: ${problem}`,
  ]);
  assert.deepEqual((await events(cluster)).toSorted(), [
    'Normal BackOff: Back-off pulling image "app:1"',
    'Normal Pulling: Pulling image "app:1"',
    "Warning Failed: Error: ErrImagePull",
    "Warning Failed: Error: ImagePullBackOff",
    `Warning Failed: Failed to pull image "app:1": ${problem}`,
  ]);
  assert.equal((await cluster.client.get(Pod, "pod")).status?.phase, "Pending");
});

test("an image that has no valid name is never looked for", async () => {
  await using cluster = await run([], { containers: [{ name: "app", image: "Not/Valid:1" }] });
  const problem =
    'Failed to apply default image tag "Not/Valid:1": couldn\'t parse image name "Not/Valid:1": invalid reference format';
  assert.deepEqual(await waiting(cluster), ["InvalidImageName", problem]);
  assert.deepEqual((await events(cluster)).toSorted(), [
    "Warning Failed: Error: InvalidImageName",
    `Warning InspectFailed: ${problem}`,
  ]);
});

test("names of images are told from what is none", async () => {
  const digest = `@sha256:${"0123456789abcdef".repeat(4)}`;
  for (const image of [
    "a",
    "a:1",
    "a/b/c",
    "localhost:5000/a-b_c.d:v1.2-3",
    `Registry.Example/x${digest}`,
    `x:1${digest}`,
  ]) {
    await using cluster = await run([], { containers: [{ name: "app", image }] });
    assert.deepEqual(await waiting(cluster), [undefined, undefined], image);
  }
});

test("conditions name the containers that hold a pod back, and tell of which generation they are", async () => {
  const initContainers = [
    { name: "first", image: "slow" },
    { name: "second", image: "slow" },
  ];
  await using cluster = await run([{ image: "slow", runsFor: "10s" }], { initContainers });
  const observedGeneration = 1;
  assert.deepEqual(await condition(cluster, "Initialized"), {
    status: "False",
    reason: "ContainersNotInitialized",
    message: "containers with incomplete status: [first second]",
    observedGeneration,
  });
  await cluster.advance("10s");
  assert.match((await condition(cluster, "Initialized")).message ?? "", /status: \[second\]$/);
  const unready = { status: "False", reason: "ContainersNotReady", message: "containers with unready status: [app]" };
  assert.deepEqual(await condition(cluster, "Ready"), { ...unready, observedGeneration });
  await cluster.advance("10s");
  for (const type of ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]) {
    assert.deepEqual(await condition(cluster, type), { status: "True", observedGeneration }, type);
  }
});

test("a pod that ended says so in the conditions of its readiness", async () => {
  for (const [exitCode, reason] of [
    [0, "PodCompleted"],
    [3, "PodFailed"],
  ] as const) {
    await using cluster = await run([{ image: "app:1", exitCode }], { restartPolicy: "Never" });
    const told = { status: "False", reason, observedGeneration: 1 };
    assert.deepEqual(await condition(cluster, "Ready"), told);
    assert.deepEqual(await condition(cluster, "ContainersReady"), told);
  }
});

test("a pod waits for the gates of its readiness, and says for which", async () => {
  const readinessGates = [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }];
  await using cluster = await run([], { readinessGates });
  const { client } = cluster;
  const gate = (type: string, status: "True" | "False") =>
    client.patch(Pod, "pod", { strategic: { status: { conditions: [{ type, status }] } } }, { subresource: "status" });
  await gate("example.com/a", "False");
  await cluster.settled();
  const { reason, message } = await condition(cluster, "Ready");
  assert.equal(reason, "ReadinessGatesNotReady");
  assert.equal(
    message,
    'the status of pod readiness gate "example.com/a" is not "True", but False, corresponding condition of pod readiness gate "example.com/b" does not exist.',
  );
  assert.equal((await condition(cluster, "ContainersReady")).status, "True");
  await gate("example.com/a", "True");
  await gate("example.com/b", "True");
  await cluster.settled();
  assert.equal((await condition(cluster, "Ready")).status, "True");
});

test("a probe that finds a container not ready is told as an event", async () => {
  const containers = [{ name: "app", image: "app:1", readinessProbe: { httpGet: { port: 80 } } }];
  await using cluster = await run([{ image: "app:1", readyAfter: "30s" }], { containers });
  assert.ok((await events(cluster)).includes("Warning Unhealthy: Readiness probe failed: simulated"));
});

test("a container that is resized while it runs is granted what it asks for, and not restarted", async () => {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "100m" } } }];
  await using cluster = await run([], { containers });
  const status = async () => (await cluster.client.get(Pod, "pod")).status?.containerStatuses?.[0];
  assert.deepEqual((await status())?.allocatedResources, { cpu: "100m" });
  const body = { spec: { containers: [{ name: "app", resources: { requests: { cpu: "300m" } } }] } };
  await cluster.client.subresource(Pod, "resize").patch("pod", { strategic: body });
  await cluster.settled();
  const { allocatedResources, resources, restartCount } = (await status()) ?? {};
  assert.deepEqual([allocatedResources, resources], [{ cpu: "300m" }, { requests: { cpu: "300m" } }]);
  assert.equal(restartCount, 0);
  assert.equal((await cluster.client.get(Pod, "pod")).status?.observedGeneration, 2);
});
