/** What a controller runs with: the manager makes it, run-controller.ts and what surrounds a reconcile use it. */
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { Discovery } from "../client/discovery.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { EventRecorder } from "../events/recorder.ts";
import type { MetricsOfController } from "../metrics/controller-metrics.ts";
import type { Tracer } from "../metrics/tracing.ts";
import type { ReconcileHistory } from "./reconcile-history.ts";

/** What a controller runs with. */
export interface ControllerPorts {
  readonly cache: Cache;
  /** What the clients of reconciles are made of. */
  readonly client: ClientOptions;
  readonly discovery: Discovery;
  readonly history: ReconcileHistory | undefined;
  readonly events: EventRecorder;
  readonly metrics: MetricsOfController;
  readonly tracer?: Tracer | undefined;
  /** The epoch of the leader that this replica is; undefined without an election. */
  readonly epoch?: (() => number) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}
