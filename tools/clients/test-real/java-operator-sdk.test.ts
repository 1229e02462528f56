/** The Java Operator SDK on fabric8's client: a client certificate, watches over WebSocket, server-side apply, a finalizer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startForeignProgram } from "../foreign-program.ts";
import { expectGreetings, expectRepair, installGreetings } from "../greetings.ts";
import { startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder } from "../toolchain.ts";

const SOURCES = join(import.meta.dirname, "..", "java-operator-sdk");

test("a Java Operator SDK operator converges, repairs, and lets go by its finalizer", async () => {
  const output = cacheFolder("java-operator-sdk");
  await build("mvn", ["-q", "-B", `-Doutput=${output}`, "package"], { cwd: SOURCES });
  await using served = await startServedCluster();
  await installGreetings(served);
  const classPath = [join(output, "target", "classes"), join(output, "lib", "*")].join(":");
  await using operator = startForeignProgram("java", ["-Xmx256m", "-cp", classPath, "GreetingOperator"], {
    KUBECONFIG: served.kubeconfig,
  });
  await expectGreetings(served, operator);
  assert.match(operator.output(), /farewell, first/);
  await expectRepair(served);
});
