/** The ranges that Services get their addresses of. */
import assert from "node:assert/strict";
import { IPAddress, ServiceCIDR } from "@kubewright/api/networking/v1";
import type { Client } from "@kubewright/runtime";
import type { Expectation } from "./expectation.ts";

const FINALIZERS = ["networking.k8s.io/service-cidr-finalizer"];
const READY = ["True", "", "Kubernetes Service CIDR is ready"];
const HELD = [
  "False",
  "Terminating",
  "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
];
/** By this label addresses are those of Services. */
const labels = {
  "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  "ipaddress.kubernetes.io/ip-family": "IPv4",
};

/** What becomes of ServiceCIDRs. */
export const serviceRanges: readonly Expectation[] = [
  {
    name: "the range of a new cluster is ready and held by a finalizer",
    async run({ client, eventually }) {
      await eventually(async () => assert.deepEqual(await shown(client, "kubernetes"), [FINALIZERS, READY]));
    },
  },
  {
    name: "a range that goes waits for the addresses of services in it",
    alone: true, // Services of others may get addresses of the range.
    async run({ client, namespace, eventually }) {
      const name = namespace;
      await client.create(ServiceCIDR, { metadata: { name }, spec: { cidrs: ["198.51.100.0/24"] } });
      await eventually(async () => assert.deepEqual(await shown(client, name), [FINALIZERS, READY]));
      const parentRef = { resource: "services", namespace, name: "a" };
      await client.create(IPAddress, { metadata: { name: "198.51.100.7", labels }, spec: { parentRef } });
      await client.delete(ServiceCIDR, name);
      await eventually(async () => assert.deepEqual(await shown(client, name), [FINALIZERS, HELD]));
      await client.delete(IPAddress, "198.51.100.7"); // Ten seconds later it is gone.
    },
  },
];

async function shown(client: Client, name: string): Promise<readonly unknown[]> {
  const { metadata, status } = await client.get(ServiceCIDR, name);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return [metadata?.finalizers, [ready?.status, ready?.reason, ready?.message]];
}
