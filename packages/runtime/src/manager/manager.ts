/**
 * The manager: one set of caches, controllers and what surrounds them, on one API server. `createManager` wires it; `start` begins in
 * order (caches, then workers), `stop` ends in reverse and leaves nothing behind. Several managers may live in one process.
 */
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { Cache } from "../cache/cache.ts";
import type { Client, ClientSettings } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { AnyController } from "../controller/define-controller.ts";
import { ControllerRunner } from "../controller/run-controller.ts";
import { createEventRecorder } from "../events/event-recorder.ts";
import type { EventRecorder } from "../events/recorder.ts";

/** How long running reconciles may take to finish when the manager stops. */
const GRACE_MS = 30_000;

/** What a manager is made of. */
export interface ManagerOptions {
  /** Where requests go. */
  readonly transport: Transport;
  readonly controllers: readonly AnyController[];
  /** Names the process in events. @default "kubewright" */
  readonly name?: string;
  /** Namespaces to follow. @default all */
  readonly namespaces?: readonly string[];
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
}

/** Controllers and their caches, alive. */
export interface Manager extends AsyncDisposable {
  /** A client of the same API server. */
  readonly client: Client;
  /** The shared informers. */
  readonly cache: Cache;
  readonly events: EventRecorder;
  /** Starts everything; resolves when the caches are filled and the controllers work. */
  start(signal?: AbortSignal): Promise<void>;
  /** Ends everything; resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** True when no controller works or could work on anything now. */
  readonly idle: boolean;
}

/**
 * Makes a manager.
 * @example await using manager = createManager({ transport, controllers: [memcachedController] });
 *          await manager.start();
 */
export function createManager(options: ManagerOptions): Manager {
  const { clock = systemClock, random = systemRandom, log = silentLogger, name = "kubewright" } = options;
  const plain: ClientOptions = { ...options.client, transport: options.transport, onWarning: warningsTo(log) };
  const cache = new Cache({ client: createClient(plain), namespaces: options.namespaces, clock, random, log });
  const observed: ClientOptions = {
    ...plain,
    onWritten: (written) => cache.observeWritten(written),
    onDeleted: (deleted) => cache.observeDeleted(deleted),
  };
  const events = createEventRecorder({ client: createClient(plain), clock, random, log, controller: name });
  const ports = { cache, client: observed, events, clock, random, log };
  const runners = options.controllers.map((controller) => new ControllerRunner(controller, ports));
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(runners.map((runner) => runner.stop(options.graceMs ?? GRACE_MS)));
    await cache.stop();
    await events.flush();
  };
  return {
    client: createClient(observed),
    cache,
    events,
    async start(signal) {
      for (const runner of runners) runner.listen();
      cache.start();
      await cache.whenSynced(signal);
      for (const runner of runners) runner.work();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    get idle() {
      return runners.every((runner) => runner.queue.idle);
    },
    [Symbol.asyncDispose]() {
      return this.stop();
    },
  };
}

function warningsTo(log: Logger): (text: string, path: string) => void {
  return (text, path) => log.warn("the API server warns", { warning: text, path });
}
