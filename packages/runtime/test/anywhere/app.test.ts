import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { Event } from "@kubewright/api/events/v1";
import { App } from "../app/app.ts";
import { appController } from "../app/app-controller.ts";
import { startAppProgram } from "../app/app-program.ts";
import { type AnyHarness, Harness } from "../harness.ts";

/** Both programs, behind what the tests need of them. */
interface Running {
  readonly idle: boolean;
  stop(): Promise<void>;
}

const PROGRAMS: ReadonlyArray<readonly [name: string, start: (harness: AnyHarness) => Promise<Running>]> = [
  ["defineController", (harness) => harness.manage([appController])],
  [
    "informers, queue and workers",
    async ({ clock, random, server }) => {
      let program: Running | undefined;
      const starting = startAppProgram({ transport: server.transport, clock, random }).then((started) => {
        program = started;
      });
      await clock.advanceUntil(() => program !== undefined);
      await starting;
      return program as Running;
    },
  ],
];

for (const [name, start] of PROGRAMS) {
  /** Runs `work` with an App in place. */
  const withApp = async (work: (harness: AnyHarness, settle: () => Promise<void>) => Promise<void>): Promise<void> => {
    await using harness = await Harness.anywhere();
    await harness.installResource(App);
    const program = await start(harness);
    const settle = async (): Promise<void> => {
      do
        await harness.clock.advance(0); // Events are sent when all else has run.
      while (!program.idle);
    };
    await work(harness, settle);
    await program.stop();
  };
  const createApp = (harness: AnyHarness) =>
    harness.client.create(App, { metadata: { name: "app" }, spec: { deploymentName: "web", replicas: 2 } });

  test(`${name}: an App gets its Deployment, and its status follows the Deployment's`, () =>
    withApp(async (harness, settle) => {
      await createApp(harness);
      await settle();
      const deployment = await harness.client.get(Deployment, "web");
      assert.deepEqual([deployment.spec?.replicas, deployment.metadata?.ownerReferences?.[0]?.name], [2, "app"]);
      const merge = { status: { replicas: 2, availableReplicas: 2, readyReplicas: 2, updatedReplicas: 2 } };
      await harness.client.patch(Deployment, "web", { merge }, { subresource: "status" });
      await settle();
      assert.deepEqual((await harness.client.get(App, "app")).status, { availableReplicas: 2, observedGeneration: 1 });
    }));

  test(`${name}: replicas follow the spec, and are restored when somebody changes or deletes the Deployment`, () =>
    withApp(async (harness, settle) => {
      await createApp(harness);
      await settle();
      await harness.client.patch(App, "app", { merge: { spec: { replicas: 5 } } });
      await settle();
      assert.equal((await harness.client.get(Deployment, "web")).spec?.replicas, 5);
      await harness.client.patch(Deployment, "web", { merge: { spec: { replicas: 1 } } });
      await settle();
      assert.equal((await harness.client.get(Deployment, "web")).spec?.replicas, 5);
      await harness.client.delete(Deployment, "web");
      await settle();
      assert.equal((await harness.client.get(Deployment, "web")).spec?.replicas, 5);
    }));

  test(`${name}: a Deployment that is somebody else's is left alone, with a warning`, () =>
    withApp(async (harness, settle) => {
      const labels = { app: "other" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
      const spec = { replicas: 7, selector: { matchLabels: labels }, template };
      await harness.client.create(Deployment, { metadata: { name: "web" }, spec });
      await createApp(harness);
      await settle();
      assert.equal((await harness.client.get(Deployment, "web")).spec?.replicas, 7);
      assert.equal((await harness.client.list(Event)).items[0]?.reason, "ErrResourceExists");
    }));
}

test("the declared controller, its kind included, is at most 60 lines", async () => {
  const texts = await Promise.all(
    ["../app/app.ts", "../app/app-controller.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
  );
  const lines = texts
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "").length;
  assert.ok(lines <= 60, `${lines} lines`);
});
