import { test } from "node:test";
import { Namespace } from "@kubewright/api/core/v1";
import { startCluster } from "@kubewright/testing";
import { expectations } from "./expectations/all.ts";

for (const { name, run } of expectations) {
  test(name, async () => {
    await using cluster = await startCluster({ nodes: 3 });
    const namespace = "expectations";
    await cluster.client.create(Namespace, { metadata: { name: namespace } });
    await cluster.settled();
    await run({
      client: cluster.client.with({ namespace }),
      namespace,
      async eventually(check) {
        await cluster.settled();
        await check();
      },
    });
  });
}
