/**
 * The embedded cluster of `startCluster`, in virtual time and made for one test: nothing is shared, nothing waits for
 * real, and the same seed takes the same steps.
 */
import { createCluster } from "@kubewright/cluster";
import { seededRandom, silentLogger } from "@kubewright/core/ports";
import { createManager, toMilliseconds } from "@kubewright/runtime";
import { installCrds, resourcesOf } from "./install-crds.ts";
import type { TestCluster, TestClusterOptions } from "./test-cluster.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** All but the heartbeats of nodes: nothing simulated is lost, and a week of virtual time would be 60 000 writes a node. */
const QUIET = ["*", "-node-lease-controller"];

/** How often `settled` looks again before it concludes that something never comes to rest. */
const LOOKS_MAX = 10_000;

/** How much virtual time `eventually` passes, in steps of which each is twice as long as the one before. */
const EVENTUALLY_MS_MAX = 3_600_000;
const STEP_MS_MIN = 1000;
const STEP_MS_MAX = 60_000;

/** Starts an embedded cluster with a manager of the controllers under test. */
export async function startEmbeddedCluster(options: TestClusterOptions): Promise<TestCluster> {
  const { controllers = [], clusterControllers = QUIET, log = silentLogger, nodes = 1, scripts = [] } = options;
  const clock = new VirtualClock(options.startMs);
  const random = seededRandom(options.seed ?? 1);
  const cluster = await createCluster({
    clock,
    random,
    log,
    nodes,
    scripts,
    controllers: clusterControllers,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
  });
  await installCrds(cluster.client, resourcesOf(options));
  const manager = createManager({ transport: cluster.transport, controllers, clock, random, log });
  const settled = (): Promise<void> =>
    settle(clock, () => ({
      idle: manager.idle && cluster.idle,
      revision: cluster.apiServer.storage.revision,
    }));
  const stop = async (): Promise<void> => {
    await manager.stop();
    await cluster.close();
  };
  await manager.start();
  await settled(); // Each namespace has its service account and certificates, as anybody finds a cluster that runs.
  return {
    client: manager.client,
    namespace: "default",
    clock,
    transport: cluster.transport,
    manager,
    kubeconfig: undefined,
    settled,
    eventually: (check) => passTimeUntil(check, { clock, settled }),
    async advance(duration) {
      await clock.advance(toMilliseconds(duration));
      await settled();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Checks when all is quiet; while that fails, passes time in growing steps, as waiting would. */
async function passTimeUntil<Result>(
  check: () => Promise<Result>,
  { clock, settled }: { readonly clock: VirtualClock; readonly settled: () => Promise<void> },
): Promise<Result> {
  const endMs = clock.monotonic() + EVENTUALLY_MS_MAX;
  for (let stepMs = STEP_MS_MIN; ; stepMs = Math.min(2 * stepMs, STEP_MS_MAX)) {
    await settled();
    try {
      return await check();
    } catch (error) {
      if (clock.monotonic() >= endMs) throw error;
    }
    await clock.advance(stepMs);
  }
}

/**
 * Lets things run until nothing changes any more: one look sees all queues idle and the storage where the look before
 * saw it. In process everything runs without time, so a quiet look means that all wait for time to pass.
 */
async function settle(
  clock: VirtualClock,
  activity: () => { readonly idle: boolean; readonly revision: number },
): Promise<void> {
  let before = -1;
  for (let look = 0; look < LOOKS_MAX; look++) {
    await clock.advance(0);
    const { idle, revision } = activity();
    if (idle && revision === before) return;
    before = revision;
  }
  throw new Error("the cluster does not come to rest: something keeps writing without waiting; look for a hot loop");
}
