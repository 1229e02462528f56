/**
 * The manager: one set of caches, controllers and what surrounds them, on one API server. `createManager` wires it; `start` begins in
 * order (caches, then workers, those that need leadership when it is won), `stop` ends in reverse and leaves nothing behind.
 * Several managers may live in one process.
 */
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { Cache, type CacheOptions } from "../cache/cache.ts";
import type { Client, ClientSettings } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { createDiscovery } from "../client/discovery.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { AnyController } from "../controller/define-controller.ts";
import { ReconcileHistory } from "../controller/reconcile-history.ts";
import { type ControllerPorts, ControllerRunner } from "../controller/run-controller.ts";
import type { ElectionTiming } from "../election/election-state.ts";
import { LeaderElection } from "../election/leader-election.ts";
import { createEventRecorder } from "../events/event-recorder.ts";
import type { EventRecorder } from "../events/recorder.ts";
import { createControllerMetrics, measuredTransport } from "../metrics/controller-metrics.ts";
import { MetricsRegistry } from "../metrics/registry.ts";
import { type Tracer, tracedTransport } from "../metrics/tracing.ts";
import { retryingTransport } from "../transport/retrying-transport.ts";
import { leaderGate } from "./leader-gate.ts";

/** How long running reconciles may take to finish when the manager stops. */
const GRACE_MS = 30_000;

/** How a manager competes for leadership. */
export interface LeaderElectionSettings {
  /** Name of the Lease; the same for all replicas. */
  readonly name: string;
  readonly namespace: string;
  /** Names this replica; must be unique. */
  readonly identity: string;
  /** @default 15 s lease, 10 s renew deadline, 2 s between tries */
  readonly timing?: ElectionTiming;
  /** A connection for the lease alone, so that reconciles cannot hold it up. @default the manager's */
  readonly transport?: Transport;
}

/** What a manager is made of. */
export interface ManagerOptions {
  /** Where requests go. */
  readonly transport: Transport;
  readonly controllers: readonly AnyController[];
  /** Names the process in events and metrics. @default "kubewright" */
  readonly name?: string;
  /** Namespaces to follow, by name or by label. @default all */
  readonly namespaces?: CacheOptions["namespaces"];
  /** @default no election: this replica is the only one */
  readonly leaderElection?: LeaderElectionSettings;
  /** Called when leadership was lost; nothing is written any more, and the process should end. */
  readonly onLeadershipLost?: () => void;
  /** @default real time */
  readonly clock?: Clock;
  /** @default the system's */
  readonly random?: Random;
  /** @default nothing is logged */
  readonly log?: Logger;
  /** How long running reconciles may take to finish when the manager stops. @default 30_000 */
  readonly graceMs?: number;
  /** Settings of the clients. */
  readonly client?: ClientSettings;
  /** Opens a span per reconcile and per request: a tracer of `@opentelemetry/api`. @default none */
  readonly tracer?: Tracer;
}

/** Controllers and their caches, alive. */
export interface Manager extends AsyncDisposable {
  /** A client of the same API server. */
  readonly client: Client;
  /** The shared informers. */
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly metrics: MetricsRegistry;
  /** The last reconciles and their causes. */
  readonly history: Pick<ReconcileHistory, "list">;
  /** Starts everything; resolves when every controller works, or waits for leadership with its caches filled. */
  start(signal?: AbortSignal): Promise<void>;
  /** Ends everything; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** True when no controller works or could work on anything now. */
  readonly idle: boolean;
  /** True when this replica may write; always so without an election. */
  readonly leading: boolean;
  /** What keeps the manager from being ready, one line each; none when it is. */
  problems(): readonly string[];
}

/**
 * Makes a manager.
 * @example await using manager = createManager({ transport, controllers: [memcachedController] });
 *          await manager.start();
 */
export function createManager(options: ManagerOptions): Manager {
  const { clock = systemClock, random = systemRandom, log = silentLogger, name = "kubewright" } = options;
  const metrics = new MetricsRegistry();
  const transport = retryingTransport(
    tracedTransport(measuredTransport(options.transport, metrics, clock), options.tracer),
    { clock, random },
  );
  const plain: ClientOptions = { ...options.client, transport, onWarning: warningsTo(log) };
  const cache = new Cache({ client: createClient(plain), namespaces: options.namespaces, clock, random, log });
  const observed: ClientOptions = { ...plain, ...cache.observers };
  const election = createElection(options, { clock, random, log });
  const events = createEventRecorder({ client: createClient(plain), clock, random, log, controller: name });
  const runners: ControllerRunner[] = [];
  const controllerMetrics = createControllerMetrics(metrics, {
    cache,
    name,
    queues: () =>
      runners.map(({ controller, concurrency, queue }) => ({ controller: controller.name, concurrency, queue })),
    leading: () => election?.mayWrite,
  });
  const ports: ControllerPorts = {
    cache,
    client: observed,
    discovery: createDiscovery(createClient(plain)),
    history: new ReconcileHistory(),
    events,
    metrics: controllerMetrics,
    tracer: options.tracer,
    clock,
    random,
    log,
  };
  const guarded: ControllerPorts =
    election === undefined
      ? ports
      : { ...ports, client: { ...observed, gate: leaderGate(election) }, epoch: () => election.epoch };
  for (const controller of options.controllers) {
    runners.push(new ControllerRunner(controller, controller.needsLeader === false ? ports : guarded));
  }
  return lifecycle({ ...ports, runners, election, registry: metrics, options });
}

interface ManagerParts extends ControllerPorts {
  readonly runners: readonly ControllerRunner[];
  readonly election: LeaderElection | undefined;
  readonly registry: MetricsRegistry;
  readonly options: ManagerOptions;
}

function lifecycle(parts: ManagerParts): Manager {
  const { runners, election, registry, options, cache, client, events, history, log } = parts;
  const synced = new Set<ControllerRunner>();
  let led = election === undefined;
  let stopped: Promise<void> | undefined;
  const workWhenAllowed = (): void => {
    for (const runner of synced) if (led || runner.controller.needsLeader === false) runner.work();
  };
  const stop = async (): Promise<void> => {
    await Promise.all(runners.map((runner) => runner.stop(options.graceMs ?? GRACE_MS)));
    await election?.stop(); // Only now may another replica begin.
    await cache.stop();
    await events.flush();
  };
  return {
    client: createClient(client),
    cache,
    events,
    metrics: registry,
    history,
    async start(signal) {
      for (const runner of runners) runner.listen();
      cache.start();
      election?.start({
        onLeading: () => {
          log.info("became the leader");
          led = true;
          workWhenAllowed();
        },
        onLost: () => {
          log.error("lost the leadership; nothing is written any more");
          options.onLeadershipLost?.();
        },
      });
      await Promise.all(
        runners.map(async (runner) => {
          await runner.whenSynced(signal);
          synced.add(runner);
          workWhenAllowed();
        }),
      );
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    get idle() {
      return runners.every((runner) => runner.queue.idle);
    },
    get leading() {
      return election?.mayWrite ?? true;
    },
    problems: () =>
      cache
        .health()
        .filter(({ synced: known, problem }) => !known || problem !== undefined)
        .map(({ resource, problem }) => `${resource}: ${problem ?? "not read yet"}`),
    [Symbol.asyncDispose]() {
      return this.stop();
    },
  };
}

function createElection(
  { leaderElection, transport, client }: ManagerOptions,
  ports: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
): LeaderElection | undefined {
  if (leaderElection === undefined) return undefined;
  const own = createClient({ ...client, transport: leaderElection.transport ?? transport });
  return new LeaderElection({ ...leaderElection, client: own, ...ports });
}

function warningsTo(log: Logger): (text: string, path: string) => void {
  return (text, path) => log.warn("the API server warns", { warning: text, path });
}
