/**
 * Runs one controller: informers feed its queue, workers take keys, reconcile, and act on the result. Made by the manager; ends by
 * `stop`, which lets what is being done finish.
 */
import type { Cancel, Logger } from "@kubewright/core/ports";
import type { Informer } from "../cache/informer.ts";
import { formatKey } from "../cache/object-key.ts";
import type { ControllerMetrics } from "../metrics/controller-metrics.ts";
import { type Tracer, traced } from "../metrics/tracing.ts";
import type { QueueItem } from "../queue/schedule.ts";
import { LOW_PRIORITY, WorkQueue } from "../queue/work-queue.ts";
import { Attempts } from "./attempts.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import type { AnyController } from "./define-controller.ts";
import { toMilliseconds } from "./duration.ts";
import { listen } from "./listen.ts";
import { OwnWrites } from "./own-writes.ts";
import { type Attempt, recordOf } from "./reconcile-record.ts";
import { metricOf, type Result } from "./result.ts";
import type { Source } from "./source.ts";

const CONCURRENCY = 16;

/** A controller that runs. */
export class ControllerRunner {
  readonly controller: AnyController;
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly #ports: ControllerPorts;
  readonly #metrics: ControllerMetrics;
  readonly #informer: Informer;
  readonly #informers: readonly Informer[];
  readonly #ownWrites: OwnWrites | undefined;
  readonly #attempts: Attempts;
  readonly #stop = new AbortController();
  readonly #log: Logger;
  #cancels: readonly Cancel[] = [];
  #workers: Promise<void>[] = [];

  constructor(controller: AnyController, ports: ControllerPorts) {
    const { clock, random, cache } = ports;
    const { backoff, rateLimit, gathers, owns = [], reads = [], watches = [], caches = [] } = controller;
    this.controller = controller;
    this.concurrency = controller.concurrency ?? CONCURRENCY;
    const remembersCauses = ports.history !== undefined;
    this.queue = new WorkQueue({ clock, random, backoff, rateLimit, gathers, remembersCauses });
    this.#ports = ports;
    this.#metrics = ports.metrics(controller.name);
    this.#log = ports.log.with({ controller: controller.name });
    const maySkip = controller.skipsOwnWrites === true || controller.children !== undefined;
    this.#ownWrites = maySkip ? new OwnWrites() : undefined;
    this.#informer = cache.informer(controller.for) as Informer;
    this.#informers = [
      this.#informer,
      ...[...owns, ...reads, ...caches.map((kept) => kept.definition)].map((definition) => cache.informer(definition)),
      ...watches.map((watch) => cache.informer(watch.definition, watch.cache)),
    ];
    this.#attempts = new Attempts({
      controller,
      ports,
      queue: this.queue,
      informer: this.#informer,
      metrics: this.#metrics,
      ownWrites: this.#ownWrites,
      log: this.#log,
    });
  }

  /** Resolves when every kind that the controller reads is known. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.whenSynced(signal)));
  }

  /** Queues all objects, and from now on those that changes concern; starts the workers and the sources. */
  work(): void {
    const { controller, queue } = this;
    const { sources = [] } = controller;
    if (this.#stop.signal.aborted || this.#workers.length > 0) return;
    const { cache } = this.#ports;
    this.#cancels = listen(controller, { queue, cache, ownWrites: this.#ownWrites, log: this.#log });
    this.#workers = [
      ...Array.from({ length: this.concurrency }, () => this.#work()),
      ...sources.map((source) => this.#draw(source)),
    ];
  }

  /** Takes no more work, lets what is being done finish, and ends. `graceMs` later what still runs is aborted. */
  async stop(graceMs: number): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.queue.close();
    const abort = (): void => this.#abort(new Error("the manager stops"));
    if (this.queue.working === 0) abort(); // Ends the sources.
    const cancel = this.#ports.clock.schedule(graceMs, abort);
    await Promise.all(this.#workers.slice(0, this.concurrency));
    cancel();
    abort();
    await Promise.all(this.#workers);
  }

  #abort(reason: Error): void {
    this.#stop.abort(reason);
    this.#attempts.end(reason);
  }

  /** One worker: takes a key, reconciles it, acts on the result. */
  async #work(): Promise<void> {
    const { clock, history, tracer } = this.#ports;
    const metrics = this.#metrics;
    for (;;) {
      const item = this.queue.takeNow() ?? (await this.queue.take());
      if (item === undefined) return;
      const startedMs = clock.monotonic();
      const attempt = this.queue.failures(item.key) + 1;
      const attempted = tracer === undefined ? this.#attempts.make(item) : this.#traced(tracer, item);
      metrics.taken(Math.max(0, startedMs - item.readyMs) / 1000); // Now that its first request is under way.
      const ended: Attempt = attempted instanceof Promise ? await attempted : attempted;
      const durationMs = clock.monotonic() - startedMs;
      metrics.reconciled(metricOf(ended.result), durationMs / 1000);
      const beganAt = clock.now() - durationMs;
      history?.add(() => recordOf(this.controller, item, { ...ended, attempt, startedMs: beganAt, durationMs }));
      this.#settle(item, ended.result);
      this.queue.done(item.key);
    }
  }

  #traced(tracer: Tracer, item: QueueItem<string>): Promise<Attempt> {
    const { name } = this.controller;
    const span = { name: `reconcile ${name}`, attributes: { controller: name, key: item.key } };
    return traced(tracer, span, async () => this.#attempts.make(item));
  }

  #settle({ key, priority }: QueueItem<string>, result: Result): void {
    switch (result.kind) {
      case "done":
        this.queue.forget(key);
        this.#scheduleResync(key);
        return;
      case "after":
        this.queue.forget(key);
        this.queue.add(key, { delayMs: result.delayMs, priority, cause: { kind: "requeue" } });
        this.#scheduleResync(key);
        return;
      case "retry":
        if (result.error !== undefined) this.#log.error("reconcile failed; trying again", { key, error: result.error });
        if (!this.queue.retry(key, { reason: result.reason, priority })) {
          this.#log.error("reconcile failed too often; waiting for a change", { key, reason: result.reason });
          this.queue.forget(key);
          this.#scheduleResync(key);
        }
        return;
      case "terminal":
        this.#log.error("reconcile failed for good; waiting for a change", { key, error: result.error });
        this.queue.forget(key);
        this.#scheduleResync(key);
        return;
    }
  }

  /** Whatever its reconcile ended with, an object is looked at again after a while, behind fresh changes. */
  #scheduleResync(key: string): void {
    const { resync } = this.controller;
    if (resync === undefined || this.#informer.store.get(key) === undefined) return;
    const delayMs = toMilliseconds(resync) * (0.9 + 0.2 * this.#ports.random.next());
    this.queue.add(key, { delayMs, priority: LOW_PRIORITY, cause: { kind: "requeue" } });
  }

  async #draw(source: Source): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const key of source.events({ clock: this.#ports.clock, signal })) {
        this.queue.add(formatKey(key), { cause: { kind: "source", source: source.name } });
      }
    } catch (error) {
      if (!signal.aborted) this.#log.error("a source ended with an error", { source: source.name, error });
    }
  }
}
