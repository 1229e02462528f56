/** client-go: the program in ../client-go, whose scenarios say what Go programs rely on, with protobuf bodies throughout. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder, run } from "../toolchain.ts";

const SOURCES = join(import.meta.dirname, "..", "client-go");
const SCENARIOS = 12;

test("a Go program with typed clients, informers, paging and leader election works", async () => {
  const program = join(cacheFolder("client-go"), "clients");
  await build("go", ["build", "-o", program, "."], { cwd: SOURCES });
  await using served = await startServedCluster();
  const { code, output } = await run(program, [], { env: { KUBECONFIG: served.kubeconfig } });
  assert.equal(code, 0, output);
  assert.equal(output.match(/^ok /gm)?.length, SCENARIOS, output);
});
