import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import type { ObjectOf } from "@kubewright/core/meta";
import { defineResource } from "@kubewright/core/schema";
import { type Controller, defineController } from "@kubewright/runtime";
import { z } from "zod";
import { startCluster } from "./start-cluster.ts";

const Cache = defineResource({
  group: "cache.example.com",
  version: "v1",
  kind: "Cache",
  spec: z.object({ size: z.int32().min(0).default(1) }),
  status: z.object({ pods: z.array(z.string()).optional() }),
});
type Cache = ObjectOf<typeof Cache>;

const cacheController: Controller<Cache> = defineController<Cache>({
  for: Cache,
  owns: [Deployment],
  reads: [Pod],
  children: (cache) => [deploymentFor(cache)],
});

function deploymentFor(cache: Cache): Deployment {
  const labels = { app: cache.metadata.name ?? "" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: cache.metadata.name ?? "" },
    spec: {
      replicas: cache.spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "cache", image: "cache:1" }] } },
    },
  };
}

test("a controller's children converge on the embedded cluster, down to running pods", async () => {
  await using cluster = await startCluster({ controllers: [cacheController] });
  await cluster.client.create(Cache, { metadata: { name: "a" }, spec: { size: 3 } });
  await cluster.settled();
  const deployment = await cluster.client.get(Deployment, "a");
  assert.equal(deployment.spec?.replicas, 3);
  assert.equal(deployment.status?.availableReplicas, 3);
  const pods = await cluster.client.list(Pod);
  assert.deepEqual(
    pods.items.map((pod) => pod.status?.phase),
    ["Running", "Running", "Running"],
  );
});

test("the same seed gives the same names, and another seed others", async () => {
  const namesOf = async (seed: number): Promise<unknown> => {
    await using cluster = await startCluster({ controllers: [cacheController], seed });
    await cluster.client.create(Cache, { metadata: { name: "a" }, spec: { size: 2 } });
    await cluster.settled();
    return (await cluster.client.list(Pod)).items.map((pod) => pod.metadata?.name);
  };
  assert.deepEqual(await namesOf(1), await namesOf(1));
  assert.notDeepEqual(await namesOf(1), await namesOf(2));
});

test("a pod that takes an hour to be ready is ready an hour later, at once", async () => {
  const scripts = [{ image: "cache:1", readyAfter: "1h" }];
  await using cluster = await startCluster({ controllers: [cacheController], scripts });
  await cluster.client.create(Cache, { metadata: { name: "a" }, spec: { size: 1 } });
  await cluster.settled();
  assert.equal((await cluster.client.get(Deployment, "a")).status?.availableReplicas, undefined);
  await cluster.advance("1h");
  assert.equal((await cluster.client.get(Deployment, "a")).status?.availableReplicas, 1);
});

test("eventually passes virtual time until the check passes, and tells its last failure when it never does", async () => {
  const scripts = [{ image: "cache:1", readyAfter: "10m" }];
  await using cluster = await startCluster({ provider: "embedded", controllers: [cacheController], scripts });
  await cluster.client.create(Cache, { metadata: { name: "a" }, spec: { size: 2 } });
  const available = async () => (await cluster.client.get(Deployment, "a")).status?.availableReplicas;
  await cluster.eventually(async () => assert.equal(await available(), 2));
  await assert.rejects(
    cluster.eventually(async () => assert.equal(await available(), 3)),
    /2 !== 3/,
  );
});

test("a provider or level that there is none of is refused, with those that there are", async () => {
  const cases = {
    KUBEWRIGHT_TEST_PROVIDER: /use one of: embedded, envtest/,
    KUBEWRIGHT_TEST_LEVEL: /"control-plane" or/,
  };
  const { KUBEWRIGHT_TEST_PROVIDER: before = "embedded" } = process.env;
  for (const [name, message] of Object.entries(cases)) {
    process.env["KUBEWRIGHT_TEST_PROVIDER"] = "envtest";
    process.env[name] = "minikube";
    await assert.rejects(startCluster(), message);
    delete process.env[name];
  }
  process.env["KUBEWRIGHT_TEST_PROVIDER"] = before;
});
