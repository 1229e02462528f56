import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { differences } from "./differences/all.ts";

for (const { what, embedded } of differences) {
  test(`difference: ${what}`, async () => {
    await using cluster = await startCluster({ provider: "embedded" });
    await embedded(cluster);
  });
}
