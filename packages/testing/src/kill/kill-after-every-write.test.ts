import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { isAlreadyExists } from "@kubewright/core/protocol";
import { defineResource } from "@kubewright/core/schema";
import { type AnyController, defineController, type ReconcileContext } from "@kubewright/runtime";
import { z } from "zod";
import { comparableState } from "./comparable-state.ts";
import { type KillOptions, killAfterEveryWrite } from "./kill-after-every-write.ts";
import { managerOf } from "./program-life.ts";

const Pair = defineResource({ group: "example.com", version: "v1", kind: "Pair", spec: z.object({}) });

function lifeOf(controller: AnyController): KillOptions {
  return {
    ...managerOf([controller]),
    clusterControllers: [],
    steps: [
      async ({ cluster }) => {
        await cluster.client.create(Pair, { metadata: { name: "a" }, spec: {} });
      },
    ],
    state: ({ cluster }) => comparableState(cluster.client, [ConfigMap]),
  };
}

test("a controller that looks at the world ends in the same state, whenever it is killed", async () => {
  const controller = defineController({
    for: Pair,
    async reconcile(_pair, { client }) {
      for (const name of ["first", "second"]) {
        if ((await client.find(ConfigMap, name)) === undefined) await client.create(ConfigMap, { metadata: { name } });
      }
    },
  });
  const writes = await killAfterEveryWrite(lifeOf(controller));
  assert.equal(writes.length, 2);
});

test("a controller that takes its first step for all of them is found out, with the write that it did not survive", async () => {
  const create = ({ client }: ReconcileContext, name: string): Promise<unknown> =>
    client.create(ConfigMap, { metadata: { name } });
  const controller = defineController({
    for: Pair,
    async reconcile(_pair, context) {
      try {
        await create(context, "first");
      } catch (error) {
        if (isAlreadyExists(error)) return;
        throw error;
      }
      await create(context, "second");
    },
  });
  await assert.rejects(killAfterEveryWrite(lifeOf(controller)), /killedAfter: 'write 1: POST .*configmaps/);
});
