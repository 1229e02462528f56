import assert from "node:assert/strict";
import { test } from "node:test";
import {
  comparableState,
  killAfterEveryWrite,
  startCluster,
  type TestCluster,
  type TestClusterOptions,
} from "@kubewright/testing";
import { findCondition, isConditionTrue, seededRandom, silentLogger } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { Event } from "kubewright/events/v1";
import { App } from "../api/v1/app.ts";
import { startAppProgram } from "../program.ts";
import { appController } from "./app.ts";

const spec = { deployment: { name: "web", image: "nginx:1.27", replicas: 2 }, service: { name: "web-service" } };

/** A cluster with one of the two controllers on it. */
const STARTS: Readonly<Record<string, (options?: TestClusterOptions) => Promise<TestCluster>>> = {
  declared: (options) => startCluster({ ...options, controllers: [appController] }),
  "by hand": startWithProgram,
};

async function startWithProgram(options?: TestClusterOptions): Promise<TestCluster> {
  const cluster = await startCluster({ ...options, resources: [App] });
  const ports = { transport: cluster.transport, clock: cluster.clock, random: seededRandom(1), log: silentLogger };
  const program = await startAppProgram(ports);
  const stop = async (): Promise<void> => {
    await program.stop();
    await cluster.stop();
  };
  return { ...cluster, stop, [Symbol.asyncDispose]: stop };
}

async function createApp({ client }: TestCluster): Promise<void> {
  await client.create(App, { metadata: { name: "app" }, spec });
}

async function eventsOf({ client }: TestCluster): Promise<readonly string[]> {
  const events = (await client.list(Event)).items.filter(({ regarding }) => regarding?.kind === "App");
  return events.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

for (const [style, start] of Object.entries(STARTS)) {
  test(`${style}: an App gets its Deployment and its Service, and says that it is synced`, async () => {
    await using cluster = await start();
    await createApp(cluster);
    await cluster.settled();
    const labels = { app: "myApp", controller: "app" };
    const deployment = await cluster.client.get(Deployment, "web");
    assert.deepEqual([deployment.spec?.replicas, deployment.metadata?.labels], [2, labels]);
    const service = await cluster.client.get(Service, "web-service");
    assert.deepEqual([service.spec?.ports?.[0]?.port, service.spec?.selector], [80, labels]);
    assert.ok((await eventsOf(cluster)).includes("Normal Synced: App synced successfully"));
    const { status, metadata } = await cluster.client.get(App, "app");
    assert.deepEqual([status?.availableReplicas, status?.observedGeneration], [2, metadata.generation]);
    assert.ok(isConditionTrue(status?.conditions, "Ready"));
  });

  test(`${style}: the Deployment and the Service follow the App, and come back when changed or deleted`, async () => {
    await using cluster = await start();
    const { client } = cluster;
    await createApp(cluster);
    await cluster.settled();
    const deployed = async (): Promise<readonly unknown[]> => {
      const { spec: found } = await client.get(Deployment, "web");
      return [found?.replicas, found?.template.spec?.containers[0]?.image];
    };
    await client.patch(App, "app", { merge: { spec: { deployment: { replicas: 5, image: "nginx:1.28" } } } });
    await cluster.settled();
    assert.deepEqual(await deployed(), [5, "nginx:1.28"]);
    await client.patch(Deployment, "web", { merge: { spec: { replicas: 1 } } });
    await client.patch(Service, "web-service", { merge: { spec: { selector: { app: "other" } } } });
    await cluster.settled();
    assert.deepEqual(await deployed(), [5, "nginx:1.28"]);
    assert.equal((await client.get(Service, "web-service")).spec?.selector?.["app"], "myApp");
    await client.delete(Deployment, "web");
    await client.delete(Service, "web-service");
    await cluster.settled();
    assert.deepEqual(await deployed(), [5, "nginx:1.28"]);
    assert.equal((await client.get(Service, "web-service")).spec?.ports?.[0]?.port, 80);
  });

  test(`${style}: a same-named object that is not the App's is left alone, with a warning`, async () => {
    await using cluster = await start();
    const ports = [{ port: 443 }];
    await cluster.client.create(Service, { metadata: { name: "web-service" }, spec: { ports } });
    const before = await cluster.client.get(Service, "web-service");
    await createApp(cluster);
    await cluster.settled();
    const warning = 'Resource "web-service" already exists and is not managed by App';
    assert.ok((await eventsOf(cluster)).includes(`Warning ErrResourceExists: ${warning}`));
    assert.deepEqual(await cluster.client.get(Service, "web-service"), before);
    const { status } = await cluster.client.get(App, "app");
    assert.ok(findCondition(status?.conditions, "Degraded")?.message.startsWith(warning));
  });

  test(`${style}: an App that fails is tried again 10 times, then left until it changes`, async () => {
    await using cluster = await start({ provider: "embedded" });
    await cluster.client.create(Service, { metadata: { name: "web-service" }, spec: { ports: [{ port: 443 }] } });
    await createApp(cluster);
    await cluster.advance("1h");
    await cluster.client.delete(Service, "web-service");
    await cluster.advance("1h");
    assert.equal(await cluster.client.find(Service, "web-service"), undefined);
    await cluster.client.patch(App, "app", { merge: { spec: { deployment: { replicas: 3 } } } });
    await cluster.settled();
    assert.equal((await cluster.client.get(Service, "web-service")).spec?.ports?.[0]?.port, 80);
  });

  test(`${style}: deleting an App leaves nothing`, async () => {
    await using cluster = await start();
    await createApp(cluster);
    await cluster.settled();
    await cluster.client.delete(App, "app");
    await cluster.settled();
    assert.deepEqual((await cluster.client.list(Deployment)).items, []);
    assert.equal(await cluster.client.find(Service, "web-service"), undefined);
  });
}

test("an App without an image is refused, with the field", async () => {
  await using cluster = await startCluster({ controllers: [appController] });
  await assert.rejects(
    cluster.client.create(App, {
      metadata: { name: "app" },
      spec: { ...spec, deployment: { name: "web", image: "" } },
    }),
    /spec\.deployment\.image: Invalid value: "": spec\.deployment\.image in body should be at least 1 chars long/,
  );
});

test("by hand: a kill after any single write changes nothing in the end", async () => {
  const writes = await killAfterEveryWrite({
    resources: [App],
    start: startAppProgram,
    steps: [({ cluster }) => createApp(cluster), ({ cluster: { client } }) => client.delete(App, "app").then(() => {})],
    state: ({ cluster }) => comparableState(cluster.client, [App, Deployment, Service]),
  });
  assert.ok(writes.length >= 4, writes.join("\n"));
});
