/** The metrics of controllers, queues, requests and leadership, under the names that controller-runtime gave them. */
import type { Clock, Transport } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { MetricsRegistry } from "./registry.ts";

/** What is measured while a controller runs. */
export interface ControllerMetrics {
  /** A reconcile ended. */
  reconciled(result: ReconcileResult, seconds: number): void;
  /** A key was taken after having been ready this long. */
  taken(waitSeconds: number): void;
  /** The guard against hot loops slowed a key down. */
  slowed(): void;
}

/** The metrics of a controller, by its name. */
export type MetricsOfController = (controller: string) => ControllerMetrics;

/** How a reconcile ended. */
export type ReconcileResult = "success" | "error" | "requeue_after" | "requeue" | "terminal_error" | "timeout";

/** What the metrics are read from. */
export interface MetricSources {
  readonly cache: Cache;
  readonly queues: () => ReadonlyArray<{
    readonly controller: string;
    readonly concurrency: number;
    readonly queue: WorkQueue;
  }>;
  /** Undefined without leader election. */
  readonly leading: () => boolean | undefined;
  readonly name: string;
}

const QUEUE_BUCKETS: readonly number[] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** Registers everything that a manager measures. */
export function createControllerMetrics(registry: MetricsRegistry, sources: MetricSources): MetricsOfController {
  observeState(registry, sources);
  const labels = ["controller"];
  const total = registry.counter({
    name: "controller_runtime_reconcile_total",
    help: "Reconciles by controller and result.",
    labels: ["controller", "result"],
  });
  const counted = (name: string, help: string) => registry.counter({ name, help, labels });
  const errors = counted("controller_runtime_reconcile_errors_total", "Reconciles that failed.");
  const terminals = counted("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed for good.");
  const timeouts = counted("controller_runtime_reconcile_timeouts_total", "Reconciles that took too long.");
  const slowed = counted("kubewright_hot_loops_total", "Keys slowed down because they wrote without end.");
  const seconds = registry.histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "Duration of reconciles.",
    labels,
  });
  const queue = queueMetrics(registry);
  return (controller) => {
    const observed = seconds.observing([controller]);
    const worked = queue.work.observing([controller, controller]);
    const countOf = remembered((result: ReconcileResult) =>
      total.counting([controller, result === "terminal_error" || result === "timeout" ? "error" : result]),
    );
    return {
      reconciled(result, durationSeconds) {
        countOf(result)();
        if (result === "error" || result === "terminal_error" || result === "timeout") errors.add([controller]);
        if (result === "terminal_error") terminals.add([controller]);
        if (result === "timeout") timeouts.add([controller]);
        observed(durationSeconds);
        worked(durationSeconds);
      },
      taken: queue.wait.observing([controller, controller]),
      slowed: slowed.counting([controller]),
    };
  };
}

function queueMetrics(registry: MetricsRegistry) {
  const labels = ["name", "controller"];
  const buckets = QUEUE_BUCKETS;
  return {
    wait: registry.histogram({
      name: "workqueue_queue_duration_seconds",
      help: "How long keys wait.",
      labels,
      buckets,
    }),
    work: registry.histogram({ name: "workqueue_work_duration_seconds", help: "How long keys take.", labels, buckets }),
  };
}

function observeState(registry: MetricsRegistry, sources: MetricSources): void {
  const queues = sources.queues;
  registry.observedGauge(
    {
      name: "controller_runtime_max_concurrent_reconciles",
      help: "Reconciles allowed at once.",
      labels: ["controller"],
    },
    () => queues().map(({ controller, concurrency }) => [[controller], concurrency]),
  );
  registry.observedGauge(
    { name: "controller_runtime_active_workers", help: "Reconciles that run.", labels: ["controller"] },
    () => queues().map(({ controller, queue }) => [[controller], queue.working]),
  );
  registry.observedGauge(
    { name: "workqueue_depth", help: "Keys that wait and could be worked on.", labels: ["name", "controller"] },
    () => queues().map(({ controller, queue }) => [[controller, controller], queue.ready]),
  );
  const totals = (name: string, help: string, pick: "added" | "retried"): void =>
    registry.observedCounter({ name, help, labels: ["name", "controller"] }, () =>
      queues().map(({ controller, queue }) => [[controller, controller], queue.totals[pick]]),
    );
  totals("workqueue_adds_total", "Keys added.", "added");
  totals("workqueue_retries_total", "Keys retried.", "retried");
  registry.observedGauge(
    { name: "kubewright_cache_objects", help: "Objects in the cache.", labels: ["resource"] },
    () => sources.cache.health().map(({ resource, objects }) => [[resource], objects]),
  );
  registry.observedCounter(
    { name: "kubewright_cache_left_out_total", help: "States that could not be cached.", labels: ["resource"] },
    () => sources.cache.health().map(({ resource, leftOut }) => [[resource], leftOut]),
  );
  registry.observedGauge(
    { name: "kubewright_cache_synced", help: "1 while a cache follows its resource.", labels: ["resource"] },
    () =>
      sources.cache
        .health()
        .map(({ resource, synced, problem }) => [[resource], synced && problem === undefined ? 1 : 0]),
  );
  registry.observedGauge(
    { name: "leader_election_master_status", help: "1 while this process leads.", labels: ["name"] },
    () => {
      const leading = sources.leading();
      return leading === undefined ? [] : [[[sources.name], leading ? 1 : 0]];
    },
  );
}

/** The transport, with its requests counted and timed. */
export function measuredTransport(transport: Transport, registry: MetricsRegistry, clock: Clock): Transport {
  const total = registry.counter({
    name: "rest_client_requests_total",
    help: "Requests to the API server by code and method.",
    labels: ["code", "method", "host"],
  });
  const seconds = registry.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time to the head of the answer.",
    labels: ["verb", "host"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  });
  const methodOf = remembered((method: string) => ({
    countOf: remembered((code: number | "<error>") => total.counting([String(code), method, ""])),
    observe: seconds.observing([method, ""]),
  }));
  const ended = (code: number | "<error>", method: string, startedMs: number): void => {
    const { countOf, observe } = methodOf(method);
    countOf(code)();
    observe((clock.monotonic() - startedMs) / 1000);
  };
  return {
    inProcess: transport.inProcess,
    // Promises rather than an async function: every request comes through here, and there is nothing to wait for in it.
    send(request) {
      const startedMs = clock.monotonic();
      return transport.send(request).then(
        (response) => {
          ended(response.status, request.method, startedMs);
          return response;
        },
        (error: unknown) => {
          ended("<error>", request.method, startedMs);
          throw error;
        },
      );
    },
  };
}

/** Makes what belongs to a key once. For keys of which there are few: labels that come again and again are not spelled each time. */
function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
