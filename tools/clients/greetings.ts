/**
 * What every hello-world operator here does, in whatever language: a Greeting gets a ConfigMap of its name that greets, and a status
 * that says so; both follow the spec, and the ConfigMap goes with the Greeting. The kind, and the expectations.
 */
import assert from "node:assert/strict";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { ConfigMap } from "@kubewright/api/core/v1";
import { defineResource, toCrd } from "@kubewright/core/schema";
import { z } from "zod";
import type { ForeignProgram } from "./foreign-program.ts";
import { eventually, type ServedCluster } from "./served-cluster.ts";

/** The kind that the operators are for. */
export const Greeting = defineResource({
  group: "clients.example.com",
  version: "v1",
  kind: "Greeting",
  spec: z.object({ name: z.string() }),
  // Some frameworks keep their own notes in the status.
  status: z.looseObject({ greeting: z.string().optional(), observedGeneration: z.int().optional() }),
});

/** Installs the CRD, for operators that do not bring it. */
export async function installGreetings({ client }: ServedCluster): Promise<void> {
  await client.create(CustomResourceDefinition, toCrd([Greeting]) as CustomResourceDefinition);
}

/** The life of a Greeting. */
export async function expectGreetings({ client }: ServedCluster, operator: ForeignProgram): Promise<void> {
  const target = { name: "first", namespace: "default" };
  const greeted = (text: string): Promise<unknown> =>
    eventually(
      `the ConfigMap and the status say ${JSON.stringify(text)}`,
      async () => {
        operator.requireRunning();
        const child = await client.find(ConfigMap, target);
        const greeting = await client.get(Greeting, target);
        return child?.data?.["greeting"] === text && greeting.status?.greeting === text;
      },
      operator.output,
    );
  const created = await client.create(Greeting, { metadata: target, spec: { name: "world" } });
  await greeted("Hello, world!");
  const child = await client.get(ConfigMap, target);
  assert.equal(child.metadata?.ownerReferences?.[0]?.uid, created.metadata.uid);
  await client.patch(Greeting, target, { merge: { spec: { name: "moon" } } });
  await greeted("Hello, moon!");
  assert.equal((await client.get(Greeting, target)).status?.observedGeneration, 2);
  await client.delete(Greeting, target);
  await eventually("the Greeting is gone", async () => (await client.find(Greeting, target)) === undefined);
  await eventually("its ConfigMap is gone", async () => (await client.find(ConfigMap, target)) === undefined);
}

/** A ConfigMap that was deleted by hand comes back. */
export async function expectRepair({ client }: ServedCluster): Promise<void> {
  const target = { name: "repaired", namespace: "default" };
  await client.create(Greeting, { metadata: target, spec: { name: "world" } });
  const first = await eventually("there is a ConfigMap", () => client.find(ConfigMap, target));
  await client.delete(ConfigMap, target);
  await eventually("there is a new one", async () => {
    const next = await client.find(ConfigMap, target);
    return next !== undefined && next.metadata?.uid !== first.metadata?.uid;
  });
}
