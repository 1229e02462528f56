/**
 * The expectations of the embedded cluster's controllers, on the real ones: kube-controller-manager, kube-scheduler and
 * kwok. Where they fail here, the expectation is wrong; where they pass here and not there, the embedded cluster is.
 */
import { describe, test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { expectations } from "../test/expectations/all.ts";

describe("on kube-controller-manager, kube-scheduler and kwok", { concurrency: 8 }, () => {
  for (const { name, run } of expectations) {
    test(name, async () => {
      await using cluster = await startCluster({ provider: "envtest" });
      await run(cluster);
    });
  }
});
