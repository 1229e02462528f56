/** kube-rs: an operator with its Controller, its CRD derivation, server-side apply and streaming lists. */
import { join } from "node:path";
import { test } from "node:test";
import { startForeignProgram } from "../foreign-program.ts";
import { expectGreetings, expectRepair } from "../greetings.ts";
import { eventually, startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder } from "../toolchain.ts";

const SOURCES = join(import.meta.dirname, "..", "kube-rs");

test("a kube-rs operator installs its CRD, converges, repairs and cleans up", async () => {
  const target = cacheFolder("kube-rs");
  await build("cargo", ["build", "--quiet"], { cwd: SOURCES, env: { CARGO_TARGET_DIR: target } });
  await using served = await startServedCluster();
  const program = join(target, "debug", "greeting-operator");
  await using operator = startForeignProgram(program, [], { KUBECONFIG: served.kubeconfig });
  await eventually("the operator has installed its CRD", async () => {
    operator.requireRunning();
    return operator.output().includes("started");
  });
  await expectGreetings(served, operator);
  await expectRepair(served);
});
