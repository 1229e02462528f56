/** The rows of docs/differences.md that show at the API, on Kubernetes: what is no difference any more leaves the table. */
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { differences } from "../test/differences/all.ts";

for (const { what, kubernetes } of differences) {
  if (kubernetes === undefined) continue;
  test(`difference: ${what}`, async () => {
    await using cluster = await startCluster({ provider: "envtest" });
    await kubernetes(cluster);
  });
}
