/**
 * The expectations of the embedded cluster's controllers, on the real ones: kube-controller-manager, kube-scheduler and
 * kwok. Where they fail here, the expectation is wrong; where they pass here and not there, the embedded cluster is.
 */
import { describe, test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { rounds } from "../test/expectations/all.ts";

for (const { concurrency, expectations } of rounds) {
  describe(`on kube-controller-manager, kube-scheduler and kwok, ${concurrency} at once`, { concurrency }, () => {
    for (const { name, run } of expectations) {
      test(name, async () => {
        await using cluster = await startCluster({ provider: "envtest" });
        await run(cluster);
      });
    }
  });
}
