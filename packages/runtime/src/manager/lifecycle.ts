/**
 * The life of a manager: `start` begins in order (caches, then workers, those that need leadership when it is won), `stop` ends in reverse
 * and leaves nothing behind. manager.ts makes the parts.
 */
import type { Cache } from "../cache/cache.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { ControllerPorts } from "../controller/controller-ports.ts";
import type { ReconcileHistory } from "../controller/reconcile-history.ts";
import type { ControllerRunner } from "../controller/run-controller.ts";
import type { LeaderElection } from "../election/leader-election.ts";
import type { EventRecorder } from "../events/recorder.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";

/** How long running reconciles may take to finish when the manager stops. */
const GRACE_MS = 30_000;

/** How long the last events may take to be sent. */
const FLUSH_MS_MAX = 5_000;

/** Controllers and their caches, alive. */
export interface Manager extends AsyncDisposable {
  /** A client of the same API server. */
  readonly client: Client;
  /** The shared informers. */
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly metrics: MetricsRegistry;
  /** The last reconciles and their causes; none where they are not remembered. */
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

/** What a manager is wired of. */
export interface ManagerParts extends ControllerPorts {
  readonly runners: readonly ControllerRunner[];
  readonly election: LeaderElection | undefined;
  readonly registry: MetricsRegistry;
  readonly options: {
    readonly graceMs?: number;
    readonly onLeadershipLost?: () => void;
  };
}

/** The manager of these parts, not started yet. */
export function startable(parts: ManagerParts): Manager {
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
    await events.flush(FLUSH_MS_MAX);
  };
  return {
    client: createClient(client),
    cache,
    events,
    metrics: registry,
    history: history ?? { list: () => [] },
    async start(signal) {
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
