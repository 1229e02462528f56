/**
 * What is expected of the controllers of any cluster, of this one: in virtual time, where each expectation has a cluster of
 * its own, and in real time, where they share one and run beside each other, through the transport and over TLS.
 */
import { after, before, describe, test } from "node:test";
import { Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import { type Cluster, createCluster } from "@kubewright/cluster";
import { silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { createClient, createHttpTransport } from "@kubewright/runtime";
import { startCluster } from "@kubewright/testing";
import { ObjectFeed } from "../src/feed/object-feed.ts";
import { expectations, rounds } from "./expectations/all.ts";
import type { Expectation } from "./expectations/expectation.ts";

const NODES = 3;
const TOKEN = "expectations";
/** How long anything may take in real time before it counts as never. */
const EVENTUALLY_MS_MAX = 60_000;

describe("in virtual time", () => {
  for (const { name, run } of expectations) {
    test(name, async () => {
      await using cluster = await startCluster({ nodes: NODES });
      const namespace = "expectations";
      await cluster.client.create(Namespace, { metadata: { name: namespace } });
      await cluster.settled();
      await run({
        client: cluster.client.with({ namespace }),
        namespace,
        eventually: (check) => cluster.eventually(check),
      });
    });
  }
});

const connections: Readonly<Record<string, (cluster: Cluster) => Promise<ClosableTransport>>> = {
  "in real time": async ({ transport }) => ({ ...transport, close: () => {} }),
  "in real time over TLS": async ({ apiServer }) => {
    const { url, certificateAuthority } = await apiServer.listen();
    return createHttpTransport({
      server: url,
      tls: async () => ({ ca: certificateAuthority ?? "" }),
      headers: async () => ({ authorization: `Bearer ${TOKEN}` }),
    });
  },
};

interface ClosableTransport extends Transport {
  close(): void;
}

for (const [world, connect] of Object.entries(connections)) {
  for (const { concurrency, expectations: some } of rounds) {
    describe(`${world}, ${concurrency} at once`, { concurrency }, () => inRealTime(connect, some));
  }
}

function inRealTime(connect: (cluster: Cluster) => Promise<ClosableTransport>, some: readonly Expectation[]): void {
  let cluster: Cluster;
  let transport: ClosableTransport;
  let feed: ObjectFeed;
  before(async () => {
    const tokens = [{ token: TOKEN, user: { name: "admin", groups: ["system:masters"] } }];
    cluster = await createCluster({ nodes: NODES, tokens });
    transport = await connect(cluster);
    feed = new ObjectFeed(cluster.apiServer.storage, silentLogger);
  });
  after(async () => {
    feed.close();
    transport.close();
    await cluster.close();
  });

  for (const [index, { name, run }] of some.entries()) {
    test(name, async () => {
      const namespace = `expectation-${index}`;
      const client = createClient({ transport, namespace });
      const eventually = (check: () => Promise<void>): Promise<void> => untilTrue(feed, check);
      await client.create(Namespace, { metadata: { name: namespace } });
      await eventually(async () => void (await client.get(ServiceAccount, "default")));
      await run({ client, namespace, eventually });
    });
  }
}

/** Checks, and checks again whenever something has changed in the cluster. */
async function untilTrue(feed: ObjectFeed, check: () => Promise<void>): Promise<void> {
  let isLate = false;
  let wake = (): void => {};
  const cancelWatch = feed.watch(() => wake());
  const cancelDeadline = systemClock.schedule(EVENTUALLY_MS_MAX, () => {
    isLate = true;
    wake();
  });
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        return await check();
      } catch (error) {
        if (isLate) throw error;
      }
      await changed;
    }
  } finally {
    cancelWatch();
    cancelDeadline();
  }
}
