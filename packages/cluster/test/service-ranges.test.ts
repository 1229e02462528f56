/** Ranges of Services that go, in virtual time: they take ten seconds at least. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Service } from "@kubewright/api/core/v1";
import { IPAddress, ServiceCIDR } from "@kubewright/api/networking/v1";
import type { Client } from "@kubewright/runtime";
import { startCluster } from "@kubewright/testing";

const labels = { "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io" };
const parentRef = { resource: "services", namespace: "default", name: "a" };

async function createRange(client: Client, name: string, cidr: string): Promise<void> {
  await client.create(ServiceCIDR, { metadata: { name }, spec: { cidrs: [cidr] } });
}

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.list(ServiceCIDR)).items.map(({ metadata }) => metadata?.name ?? "");
}

test("a range goes ten seconds after it was deleted, when it has no address of a service or another range has them", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  await createRange(client, "narrow", "198.51.100.0/24");
  await client.create(IPAddress, { metadata: { name: "198.51.100.7", labels }, spec: { parentRef } });
  await client.create(IPAddress, { metadata: { name: "198.51.100.8" }, spec: { parentRef } }); // Not of a Service.
  await cluster.settled();
  await client.delete(ServiceCIDR, "narrow");
  await cluster.advance("1h");
  assert.deepEqual(await namesOf(client), ["kubernetes", "narrow"]);
  await createRange(client, "wide", "198.51.100.0/23");
  await cluster.settled();
  assert.deepEqual(await namesOf(client), ["kubernetes", "wide"]);
  await client.delete(ServiceCIDR, "wide");
  await cluster.settled();
  await client.delete(IPAddress, "198.51.100.7");
  await cluster.advance("9s");
  assert.deepEqual(await namesOf(client), ["kubernetes", "wide"]);
  await cluster.advance("2s");
  assert.deepEqual(await namesOf(client), ["kubernetes"]);
});

test("the range of a cluster stays as long as there are services", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  await client.delete(ServiceCIDR, "kubernetes");
  await cluster.advance("1m");
  const { status } = await client.get(ServiceCIDR, "kubernetes");
  assert.equal(status?.conditions?.[0]?.reason, "Terminating");
  await client.delete(Service, "kubernetes");
  await cluster.settled();
  assert.deepEqual(await namesOf(client), []);
});
