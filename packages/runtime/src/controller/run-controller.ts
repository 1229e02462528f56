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
import type { AnyController } from "./define-controller.ts";
import { toMilliseconds } from "./duration.ts";
import { enqueue } from "./enqueue.ts";
import { HotLoopGuard } from "./hot-loop-guard.ts";
import { listen } from "./listen.ts";
import { OwnWrites } from "./own-writes.ts";
import { LazyContext } from "./reconcile-context.ts";
import { reconcileObject } from "./reconcile-object.ts";
import { type Attempt, recordOf } from "./reconcile-record.ts";
import { DONE, metricOf, type Result, toFailure, toResult } from "./result.ts";
import { type Scope, Scopes } from "./scope.ts";
import { SettledChildren } from "./settled-children.ts";
import type { Source } from "./source.ts";
import { isSettled, mayBeSurveyed, type Survey, type SurveyPorts, survey } from "./survey.ts";
import { keepsObservedGeneration } from "./write-status.ts";

const CONCURRENCY = 16;
const TIMEOUT = "5m";

/** The object is not there any more. */
const GONE: Attempt = { result: DONE, writes: 0, isGone: true };
/** All is as it should be. */
const SETTLED: Attempt = { result: DONE, writes: 0 };

/** One attempt to reconcile an object. */
interface Frame {
  readonly object: KubernetesObject;
  readonly item: QueueItem<string>;
  readonly ports: SurveyPorts;
  /** Open while more is done than to look. */
  scope: Scope | undefined;
}

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
  readonly #surveyPorts: SurveyPorts;
  readonly #ownWrites: OwnWrites | undefined;
  readonly #guard = new HotLoopGuard();
  readonly #stop = new AbortController();
  readonly #log: Logger;
  #cancels: readonly Cancel[] = [];
  #workers: Promise<void>[] = [];

  constructor(controller: AnyController, ports: ControllerPorts) {
    this.controller = controller;
    const keeps = keepsObservedGeneration(controller.for) ?? true;
    const memory = { settled: new SettledChildren(), keepsObservedGeneration: keeps };
    this.#ownWrites = controller.skipsOwnWrites === true ? new OwnWrites() : undefined;
    this.concurrency = controller.concurrency ?? CONCURRENCY;
    this.#scopes = new Scopes(ports.clock, toMilliseconds(controller.timeout ?? TIMEOUT));
    this.#ports = ports;
    this.#metrics = ports.metrics(controller.name);
    this.#log = ports.log.with({ controller: controller.name });
    const { clock, random, cache } = ports;
    this.#surveyPorts = { controller, cache, memory, clock, random };
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
    for (;;) {
      const item = this.queue.takeNow() ?? (await this.queue.take());
      if (item === undefined) return;
      const startedMs = clock.monotonic();
      const attempt = this.queue.failures(item.key) + 1;
      metrics.taken(Math.max(0, startedMs - item.readyMs) / 1000);
      const attempted = tracer === undefined ? this.#attempt(item) : this.#traced(tracer, item);
      const ended: Attempt = attempted instanceof Promise ? await attempted : attempted;
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
    return traced(tracer, span, async () => this.#attempt(item));
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

  /** Looks at the object, and reconciles it if there is anything to be done: a promise only then. */
  #attempt(item: QueueItem<string>): Attempt | Promise<Attempt> {
    const object = this.#informer.store.get(item.key);
    if (object === undefined) return GONE;
    const epoch = this.controller.fenced === true ? this.#ports.epoch?.() : undefined;
    const ports = epoch === undefined ? this.#surveyPorts : { ...this.#surveyPorts, epoch };
    const frame: Frame = { object, item, ports, scope: undefined };
    if (!mayBeSurveyed(object, ports)) return this.#reconcile(frame);
    try {
      const found = this.#attributed(frame, () => survey(object, ports));
      if (!isSettled(found, object, ports)) return this.#reconcile(frame, found);
      this.#cool(item.key, object, 0);
      return SETTLED;
    } catch (error) {
      return { result: toFailure(error, false), writes: 0 };
    }
  }

  async #reconcile(frame: Frame, found?: Survey): Promise<Attempt> {
    const { object, item, ports } = frame;
    using scope = this.#scopes.open();
    frame.scope = scope;
    this.#ownWrites?.begin(item.key, object);
    try {
      const context = new LazyContext(object, item, {
        scope,
        controller: this.controller,
        ports: this.#ports,
        attempt: this.queue.failures(item.key) + 1,
        log: this.#log,
        ownWrites: this.#ownWrites,
      });
      const work = this.#attributed(frame, () => reconcileObject(object, context, { ...ports, found }));
      const result = toResult(await scope.race(work));
      this.#cool(item.key, object, scope.writes);
      return { result, writes: scope.writes };
    } catch (error) {
      return { result: toFailure(error, scope.timedOut), writes: scope.writes };
    } finally {
      this.#lookAgain(item.key);
    }
  }

  /** Runs a part of a reconcile so that what it begins and does not await is its fault. */
  #attributed<Value>(frame: Frame, work: () => Value): Value {
    return attributed({ fail: (reason) => this.#blame(frame, reason) }, work);
  }

  /** What changed while the reconcile ran and was not its own doing. */
  #lookAgain(key: string): void {
    for (const event of this.#ownWrites?.end(key) ?? []) {
      enqueue(this.queue, [key], { event, definition: this.controller.for });
    }
  }

  /** Something that a reconcile began and did not await failed: so has the reconcile, if it has not ended. */
  #blame({ item: { key }, scope }: Frame, error: unknown): void {
    this.#log.error("a promise of a reconcile was rejected and nobody awaited it; await it", { key, error });
    scope?.fail(error);
  }

  /** Slows a key down that writes without end. Failures do not count: they have their backoff. */
  #cool(key: string, object: KubernetesObject, writes: number): void {
    if (this.controller.guardsHotLoops === false) return;
    const { clock, events } = this.#ports;
    const generation = object.metadata?.generation;
    const holdMs = this.#guard.note(key, { generation, wrote: writes > 0, nowMs: clock.monotonic() });
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
