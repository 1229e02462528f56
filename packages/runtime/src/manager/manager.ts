/**
 * The manager: one set of caches, controllers and what surrounds them, on one API server. `createManager` wires it; lifecycle.ts starts
 * and stops it. Several managers may live in one process.
 */
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { Cache, type CacheOptions } from "../cache/cache.ts";
import type { ClientSettings } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { createDiscovery } from "../client/discovery.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { ControllerPorts } from "../controller/controller-ports.ts";
import type { AnyController } from "../controller/define-controller.ts";
import { ReconcileHistory } from "../controller/reconcile-history.ts";
import { ControllerRunner } from "../controller/run-controller.ts";
import type { ElectionTiming } from "../election/election-state.ts";
import { LeaderElection } from "../election/leader-election.ts";
import type { EventApi } from "../events/event-forms.ts";
import { createEventRecorder } from "../events/event-recorder.ts";
import { createControllerMetrics, measuredTransport } from "../metrics/controller-metrics.ts";
import { MetricsRegistry } from "../metrics/registry.ts";
import { type Tracer, tracedTransport } from "../metrics/tracing.ts";
import { retryingTransport } from "../transport/retrying-transport.ts";
import { leaderGate } from "./leader-gate.ts";
import { type Manager, startable } from "./lifecycle.ts";

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
  /** Which API events are written to: "core/v1" is what Kubernetes' own controllers write. @default "events.k8s.io/v1" */
  readonly eventApi?: EventApi;
  /** Keeps the last reconciles and their causes in memory, for `kubewright why`. @default true */
  readonly remembersReconciles?: boolean;
  /** Opens a span per reconcile and per request: a tracer of `@opentelemetry/api`. @default none */
  readonly tracer?: Tracer;
}

/**
 * Makes a manager.
 * @example await using manager = createManager({ transport, controllers: [memcachedController] });
 *          await manager.start();
 */
export function createManager(options: ManagerOptions): Manager {
  const { clock = systemClock, random = systemRandom, log = silentLogger, name = "kubewright" } = options;
  checkNames(options.controllers);
  const metrics = new MetricsRegistry();
  const transport = retryingTransport(
    tracedTransport(measuredTransport(options.transport, metrics, clock), options.tracer),
    { clock, random },
  );
  const plain: ClientOptions = { ...options.client, transport, onWarning: warningsTo(log) };
  const cache = new Cache({ client: createClient(plain), namespaces: options.namespaces, clock, random, log });
  const cachedKinds = options.controllers.flatMap(({ caches = [] }) => caches);
  for (const { definition, options: kept } of cachedKinds) cache.informer(definition, kept);
  const observed: ClientOptions = { ...plain, ...cache.observers };
  const election = createElection(options, { clock, random, log });
  const { eventApi: api = "events.k8s.io/v1" } = options;
  const events = createEventRecorder({ client: createClient(plain), clock, random, log, controller: name, api });
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
    history: options.remembersReconciles === false ? undefined : new ReconcileHistory(),
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
  return startable({ ...ports, runners, election, registry: metrics, options });
}

/** A name is a field manager, a finalizer and a label of metrics: what one controller of that name made the other would take for its own. */
function checkNames(controllers: readonly AnyController[]): void {
  const names = new Set<string>();
  for (const { name } of controllers) {
    if (names.has(name))
      throw new TypeError(`two controllers are named ${JSON.stringify(name)}; give one another name`);
    names.add(name);
  }
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
