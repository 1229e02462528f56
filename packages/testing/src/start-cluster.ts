/**
 * `startCluster`: what a test of an operator needs, in one call: an embedded cluster in virtual time, made for
 * this test alone: nothing is shared, nothing waits for real, and the same seed takes the same steps.
 */
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { type ClusterOptions, createCluster } from "@kubewright/cluster";
import { type Clock, type Logger, seededRandom, silentLogger, type Transport } from "@kubewright/core/ports";
import { type CustomResource, toCrd } from "@kubewright/core/schema";
import {
  type AnyController,
  type Client,
  createManager,
  customResourcesOf,
  type DurationInput,
  type Manager,
  toMilliseconds,
} from "@kubewright/runtime";
import { VirtualClock } from "./virtual-clock.ts";

/** How often `settled` looks again before it concludes that something never comes to rest. */
const LOOKS_MAX = 10_000;

/** Options of `startCluster`. */
export interface TestClusterOptions extends Pick<ClusterOptions, "metrics" | "nodes" | "scripts"> {
  /** The controllers under test; the CRDs of their kinds are installed. @default [] */
  readonly controllers?: readonly AnyController[];
  /** Which built-in controllers run, as `controllers` of `createCluster` says it. @default ["*"] */
  readonly clusterControllers?: readonly string[];
  /** Custom resources beside those that the controllers are for. @default [] */
  readonly resources?: readonly CustomResource[];
  /** Gives another, equally repeatable, run. @default 1 */
  readonly seed?: number;
  /** Where virtual time begins, in milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number;
  /** @default nothing is logged */
  readonly log?: Logger;
}

/** A cluster with the controllers under test, for one test. */
export interface TestCluster extends AsyncDisposable {
  readonly client: Client;
  readonly clock: Clock;
  /** Requests without a socket, as an administrator. */
  readonly transport: Transport;
  /** What runs the controllers under test. */
  readonly manager: Manager;
  /** Resolves when all is quiet: queues empty, no event in flight, nothing due now. */
  settled(): Promise<void>;
  /** Passes time, running everything that falls due in order, and settles. */
  advance(duration: DurationInput): Promise<void>;
  /** Stops everything. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster for one test.
 * @example
 * await using cluster = await startCluster({ controllers: [memcachedController] });
 * await cluster.client.create(Memcached, { metadata: { name: "a" }, spec: { size: 3 } });
 * await cluster.settled();
 */
export async function startCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { controllers = [], clusterControllers = ["*"], log = silentLogger, nodes = 1, scripts = [] } = options;
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
  return {
    client: manager.client,
    clock,
    transport: cluster.transport,
    manager,
    settled,
    async advance(duration) {
      await clock.advance(toMilliseconds(duration));
      await settled();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The custom resources that the controllers are for or own, and the extra ones, each once. */
function resourcesOf(options: TestClusterOptions): CustomResource[] {
  return [...new Set([...customResourcesOf(options.controllers ?? []), ...(options.resources ?? [])])];
}

async function installCrds(client: Client, resources: readonly CustomResource[]): Promise<void> {
  const byName = Map.groupBy(resources, ({ plural, group }) => `${plural}.${group}`);
  for (const versions of byName.values()) {
    await client.create(CustomResourceDefinition, toCrd(versions) as CustomResourceDefinition);
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
