/**
 * An operator process for run-operator.test.ts: what its reconciles do wrong depends on the Widget's name.
 */
import { AsyncResource } from "node:async_hooks";
import { ConfigMap } from "@kubewright/api/core/v1";
import { defineController, runOperator } from "@kubewright/runtime";
import { Widget } from "../harness.ts";

/** Runs outside of every reconcile. */
const outside = AsyncResource.bind((): void => {
  void fail("stray");
});

async function fail(message: string): Promise<never> {
  throw new Error(message);
}

const controller = defineController({
  for: Widget,
  async reconcile({ metadata: { name = "" } }, { client, attempt, signal }) {
    if (name === "stray") outside();
    if (name === "unawaited" && attempt === 1) {
      void fail("nobody awaits this");
      await new Promise(() => {}); // Only the failure of the other promise ends this.
    }
    if ((await client.find(ConfigMap, name, { signal })) !== undefined) return;
    await client.create(ConfigMap, { metadata: { name }, data: { attempt: String(attempt) } }, { signal });
    if (name === "stuck") await new Promise(() => {});
  },
});

await runOperator({ controllers: [controller] });
