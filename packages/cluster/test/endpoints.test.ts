import assert from "node:assert/strict";
import { test } from "node:test";
import { Endpoints, Pod, Service } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { Event } from "@kubewright/api/events/v1";
import { startCluster, type TestCluster } from "@kubewright/testing";

const labels = { app: "web" };

function createPod({ client }: TestCluster, name: string, more: object = {}): Promise<Pod> {
  return client.create(Pod, {
    metadata: { name, labels },
    spec: { containers: [{ name: "web", image: "web:1", ports: [{ name: "http", containerPort: 8080 }] }], ...more },
  });
}

function createService({ client }: TestCluster, spec: Service["spec"]): Promise<Service> {
  return client.create(Service, { metadata: { name: "web", labels: { team: "shop" } }, spec: { ...spec } });
}

async function slicesOf({ client }: TestCluster): Promise<readonly EndpointSlice[]> {
  return (await client.list(EndpointSlice, { labelSelector: { "kubernetes.io/service-name": "web" } })).items;
}

test("a service has the addresses of its pods, by the port they listen on", async () => {
  await using cluster = await startCluster();
  await createService(cluster, { selector: labels, ports: [{ port: 80, targetPort: "http" }] });
  const pod = await createPod(cluster, "a");
  await cluster.settled();
  const [slice, ...others] = await slicesOf(cluster);
  const { status } = await cluster.client.get(Pod, "a");
  assert.deepEqual(others, []);
  assert.match(slice?.metadata?.name ?? "", /^web-.{5}$/);
  assert.deepEqual(slice?.metadata?.labels, {
    team: "shop",
    "kubernetes.io/service-name": "web",
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
  });
  assert.deepEqual(slice?.ports, [{ name: "", port: 8080, protocol: "TCP" }]);
  assert.deepEqual(slice?.endpoints, [
    {
      addresses: [status?.podIP],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "node-0",
      targetRef: { kind: "Pod", namespace: "default", name: "a", uid: pod.metadata?.uid },
    },
  ]);
  const endpoints = await cluster.client.get(Endpoints, "web");
  assert.deepEqual(endpoints.subsets?.[0]?.ports, [{ port: 8080, protocol: "TCP" }]);
  assert.equal(endpoints.subsets?.[0]?.addresses?.[0]?.ip, status?.podIP);
});

test("addresses go with their pods, and an empty slice stays", async () => {
  await using cluster = await startCluster();
  await createService(cluster, { selector: labels, ports: [{ port: 80 }] });
  await createPod(cluster, "a");
  await cluster.settled();
  await cluster.client.delete(Pod, "a");
  await cluster.settled();
  const slices = await slicesOf(cluster);
  assert.deepEqual(
    slices.map(({ endpoints }) => endpoints ?? []), // The API writes null for none.
    [[]],
  );
  assert.deepEqual((await cluster.client.get(Endpoints, "web")).subsets ?? [], []);
});

test("slices and Endpoints go with their service", async () => {
  await using cluster = await startCluster();
  await createService(cluster, { selector: labels, ports: [{ port: 80 }] });
  await cluster.settled();
  await cluster.client.delete(Service, "web");
  await cluster.settled();
  assert.deepEqual(await slicesOf(cluster), []);
  assert.equal(await cluster.client.find(Endpoints, "web"), undefined);
});

test("a pod is told by its hostname under the headless service of its subdomain", async () => {
  await using cluster = await startCluster();
  await createService(cluster, { selector: labels, clusterIP: "None", ports: [{ port: 80 }] });
  await createPod(cluster, "a", { hostname: "a-0", subdomain: "web" });
  await cluster.settled();
  const [slice] = await slicesOf(cluster);
  assert.equal(slice?.endpoints?.[0]?.hostname, "a-0");
  assert.equal(slice?.metadata?.labels?.["service.kubernetes.io/headless"], "");
});

test("a service without a selector is left alone", async () => {
  await using cluster = await startCluster();
  await createService(cluster, { ports: [{ port: 80 }] });
  await cluster.settled();
  assert.deepEqual(await slicesOf(cluster), []);
});

test("pods that are not ready are told as such, or as ready where the service says that it does not matter", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "web:1", readyAfter: "never" }] });
  await createService(cluster, { selector: labels, ports: [{ port: 80 }] });
  await createPod(cluster, "a");
  await cluster.settled();
  const conditions = async (): Promise<unknown> =>
    (await slicesOf(cluster))[0]?.endpoints?.map((each) => each.conditions);
  assert.deepEqual(await conditions(), [{ ready: false, serving: false, terminating: false }]);
  const [subset] = (await cluster.client.get(Endpoints, "web")).subsets ?? [];
  assert.deepEqual([subset?.addresses?.length ?? 0, subset?.notReadyAddresses?.length], [0, 1]);
  await cluster.client.patch(Service, "web", { merge: { spec: { publishNotReadyAddresses: true } } });
  await cluster.settled();
  assert.deepEqual(await conditions(), [{ ready: true, serving: false, terminating: false }]);
});

test("a pod that takes its time to stop serves until it has, at most as long as it is given", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "web:1", stopsAfter: "20s" }] });
  const { client } = cluster;
  await createService(cluster, { selector: labels, ports: [{ port: 80 }] });
  await createPod(cluster, "patient", { terminationGracePeriodSeconds: 60 });
  await createPod(cluster, "hurried", { terminationGracePeriodSeconds: 5 });
  await cluster.settled();
  await client.deleteCollection(Pod);
  await cluster.settled();
  const ending = { ready: false, serving: true, terminating: true };
  const conditions = async (): Promise<unknown> =>
    (await slicesOf(cluster))[0]?.endpoints?.map((each) => each.conditions);
  assert.deepEqual(await conditions(), [ending, ending]);
  await cluster.advance("6s");
  assert.deepEqual(
    (await client.list(Pod)).items.map(({ metadata }) => metadata?.name),
    ["patient"],
  );
  await cluster.advance("13s");
  assert.deepEqual(await conditions(), [ending]);
  await cluster.advance("1s");
  assert.deepEqual([(await client.list(Pod)).items, await conditions()], [[], undefined]);
  const killing = (await client.list(Event)).items.filter(({ reason }) => reason === "Killing");
  assert.deepEqual(killing.map(({ regarding, series }) => [regarding?.name, series]).toSorted(), [
    ["hurried", undefined],
    ["patient", undefined],
  ]);
});
