/**
 * Runs one controller: informers feed its queue, workers take keys, reconcile, and act on the result. Made by the manager; ends by
 * `stop`, which lets what is being done finish.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Cancel, Logger } from "@kubewright/core/ports";
import type { Informer } from "../cache/informer.ts";
import { formatKey } from "../cache/object-key.ts";
import { eventsAbout } from "../events/recorder.ts";
import type { ControllerMetrics } from "../metrics/controller-metrics.ts";
import { type Tracer, traced } from "../metrics/tracing.ts";
import type { QueueItem } from "../queue/schedule.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import { attributed } from "./attribution.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import type { ConvergeMemory } from "./converge-ports.ts";
import type { AnyController } from "./define-controller.ts";
import { toMilliseconds } from "./duration.ts";
import { enqueue } from "./enqueue.ts";
import { HotLoopGuard } from "./hot-loop-guard.ts";
import { listen } from "./listen.ts";
import { OwnWrites } from "./own-writes.ts";
import { LazyContext } from "./reconcile-context.ts";
import { reconcileObject } from "./reconcile-object.ts";
import { type Attempt, recordOf } from "./reconcile-record.ts";
import { metricOf, type Result, toFailure, toResult } from "./result.ts";
import { type Scope, Scopes } from "./scope.ts";
import { SettledChildren } from "./settled-children.ts";
import type { Source } from "./source.ts";
import { keepsObservedGeneration } from "./write-status.ts";

const CONCURRENCY = 16;
const TIMEOUT = "5m";

/** A controller that runs. */
export class ControllerRunner {
  readonly controller: AnyController;
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly #ports: ControllerPorts;
  readonly #metrics: ControllerMetrics;
  readonly #scopes: Scopes;
  readonly #informer: Informer;
  readonly #informers: readonly Informer[];
  readonly #memory: ConvergeMemory;
  readonly #ownWrites: OwnWrites | undefined;
  readonly #guard = new HotLoopGuard();
  readonly #stop = new AbortController();
  readonly #log: Logger;
  #cancels: readonly Cancel[] = [];
  #workers: Promise<void>[] = [];

  constructor(controller: AnyController, ports: ControllerPorts) {
    this.controller = controller;
    const keeps = keepsObservedGeneration(controller.for) ?? true;
    this.#memory = { settled: new SettledChildren(), keepsObservedGeneration: keeps };
    this.#ownWrites = controller.skipsOwnWrites === true ? new OwnWrites() : undefined;
    this.concurrency = controller.concurrency ?? CONCURRENCY;
    this.#scopes = new Scopes(ports.clock, toMilliseconds(controller.timeout ?? TIMEOUT));
    this.#ports = ports;
    this.#metrics = ports.metrics(controller.name);
    this.#log = ports.log.with({ controller: controller.name });
    const { clock, random } = ports;
    const { backoff, rateLimit, gathers } = controller;
    this.queue = new WorkQueue({ clock, random, backoff, rateLimit, gathers });
    this.#informer = ports.cache.informer(controller.for) as Informer;
    this.#informers = [
      this.#informer,
      ...[...(controller.owns ?? []), ...(controller.reads ?? [])].map((definition) =>
        ports.cache.informer(definition),
      ),
      ...(controller.watches ?? []).map(({ definition, cache }) => ports.cache.informer(definition, cache)),
    ];
  }

  /** Subscribes to the informers: from now on changes are queued. */
  listen(): void {
    const { queue } = this;
    this.#cancels = listen(this.controller, { queue, cache: this.#ports.cache, ownWrites: this.#ownWrites });
  }

  /** Resolves when every kind that the controller reads is known. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.whenSynced(signal)));
  }

  /** Starts the workers and the sources. */
  work(): void {
    const { sources = [] } = this.controller;
    if (this.#stop.signal.aborted || this.#workers.length > 0) return;
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
    this.#scopes.end(reason);
  }

  /** One worker: takes a key, reconciles it, acts on the result. */
  async #work(): Promise<void> {
    const { clock, history, tracer } = this.#ports;
    const metrics = this.#metrics;
    for (let item = await this.queue.take(); item !== undefined; item = await this.queue.take()) {
      const startedMs = clock.monotonic();
      const attempt = this.queue.failures(item.key) + 1;
      metrics.taken(Math.max(0, startedMs - item.readyMs) / 1000);
      const ended = await (tracer === undefined ? this.#attempt(item) : this.#traced(tracer, item));
      const durationMs = clock.monotonic() - startedMs;
      metrics.reconciled(metricOf(ended.result), durationMs / 1000);
      const beganAt = clock.now() - durationMs;
      history.add(() => recordOf(this.controller, item, { ...ended, attempt, startedMs: beganAt, durationMs }));
      this.#settle(item, ended.result);
      this.queue.done(item.key);
    }
  }

  #traced(tracer: Tracer, item: QueueItem<string>): Promise<Attempt> {
    const { name } = this.controller;
    const span = { name: `reconcile ${name}`, attributes: { controller: name, key: item.key } };
    return traced(tracer, span, () => this.#attempt(item));
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
        return;
      case "retry":
        if (result.error !== undefined) this.#log.error("reconcile failed; trying again", { key, error: result.error });
        if (!this.queue.retry(key, { reason: result.reason, priority })) {
          this.#log.error("reconcile failed too often; waiting for a change", { key, reason: result.reason });
          this.queue.forget(key);
        }
        return;
      case "terminal":
        this.#log.error("reconcile failed for good; waiting for a change", { key, error: result.error });
        this.queue.forget(key);
        return;
    }
  }

  #scheduleResync(key: string): void {
    const { resync } = this.controller;
    if (resync === undefined || this.#informer.store.get(key) === undefined) return;
    const delayMs = toMilliseconds(resync) * (0.9 + 0.2 * this.#ports.random.next());
    this.queue.add(key, { delayMs, cause: { kind: "requeue" } });
  }

  async #attempt(item: QueueItem<string>): Promise<Attempt> {
    const object = this.#informer.store.get(item.key);
    if (object === undefined) return { result: { kind: "done" }, writes: 0, isGone: true };
    using scope = this.#scopes.open();
    this.#ownWrites?.begin(item.key, object);
    const attempt = this.queue.failures(item.key) + 1;
    try {
      const context = new LazyContext(object, item, {
        scope,
        controller: this.controller,
        ports: this.#ports,
        attempt,
        log: this.#log,
        ownWrites: this.#ownWrites,
      });
      const epoch = this.controller.fenced === true ? this.#ports.epoch?.() : undefined;
      const ports = { controller: this.controller, cache: this.#ports.cache, memory: this.#memory, epoch };
      const work = attributed({ fail: (reason) => this.#blame(item.key, reason, scope) }, () =>
        reconcileObject(object, context, ports),
      );
      const result = toResult(await scope.race(work));
      this.#cool(item.key, object, scope);
      return { result, writes: scope.writes };
    } catch (error) {
      return { result: toFailure(error, scope), writes: scope.writes };
    } finally {
      this.#lookAgain(item.key);
    }
  }

  /** What changed while the reconcile ran and was not its own doing. */
  #lookAgain(key: string): void {
    for (const event of this.#ownWrites?.end(key) ?? []) {
      enqueue(this.queue, [key], { event, definition: this.controller.for });
    }
  }

  /** Something that a reconcile began and did not await failed: so has the reconcile, if it has not ended. */
  #blame(key: string, error: unknown, scope: Scope): void {
    this.#log.error("a promise of a reconcile was rejected and nobody awaited it; await it", { key, error });
    scope.fail(error);
  }

  /** Slows a key down that writes without end. Failures do not count: they have their backoff. */
  #cool(key: string, object: KubernetesObject, scope: Scope): void {
    if (this.controller.guardsHotLoops === false) return;
    const { clock, events } = this.#ports;
    const generation = object.metadata?.generation;
    const holdMs = this.#guard.note(key, { generation, wrote: scope.writes > 0, nowMs: clock.monotonic() });
    if (holdMs === 0) return;
    this.queue.hold(key, holdMs);
    this.#metrics.slowed();
    const note = `every reconcile writes although nothing changed; slowed down to one in ${holdMs / 1000} s`;
    this.#log.warn(note, { key });
    eventsAbout(events, object, this.controller.reportsAs).warning("HotLoop", note);
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
