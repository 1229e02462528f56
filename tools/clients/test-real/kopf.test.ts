/** kopf: an operator in Python, with its list and watch, finalizers, events, and the official client beside it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Event } from "@kubewright/api/core/v1";
import { startForeignProgram } from "../foreign-program.ts";
import { expectGreetings, installGreetings } from "../greetings.ts";
import { eventually, startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder } from "../toolchain.ts";

const SOURCES = join(import.meta.dirname, "..", "kopf");

test("a kopf operator converges, records events, and lets go by its finalizer", async () => {
  const environment = await pythonEnvironment();
  await using served = await startServedCluster();
  await installGreetings(served);
  const args = ["run", "--all-namespaces", "--standalone", join(SOURCES, "operator.py")];
  await using operator = startForeignProgram(join(environment, "bin", "kopf"), args, {
    KUBECONFIG: served.kubeconfig,
    PYTHONDONTWRITEBYTECODE: "1",
  });
  await expectGreetings(served, operator);
  assert.match(operator.output(), /farewell, first/);
  await eventually("kopf has recorded an event", async () => {
    const { items } = await served.client.list(Event, { namespace: "default" });
    return items.some(({ reason, involvedObject }) => reason === "Greeted" && involvedObject.name === "first");
  });
});

/** A virtual environment with what the operator needs, made once. */
async function pythonEnvironment(): Promise<string> {
  const folder = cacheFolder("kopf");
  const pip = join(folder, "bin", "pip");
  if (!existsSync(pip)) await build("python3", ["-m", "venv", folder]);
  const requirements = join(SOURCES, "requirements.txt");
  await build(pip, ["install", "--quiet", "--disable-pip-version-check", "--requirement", requirements]);
  return folder;
}
