/**
 * Runs one controller: informers feed its queue, workers take keys, reconcile, and act on the outcome. Made by the manager; ends by
 * `stop`, which lets what is being done finish.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Cancel, Clock, Logger, Random } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { Informer } from "../cache/informer.ts";
import { formatKey, parseKey } from "../cache/object-key.ts";
import { createClient } from "../client/create-client.ts";
import type { ClientOptions } from "../client/requester.ts";
import { type EventRecorder, eventsAbout } from "../events/recorder.ts";
import type { QueueItem } from "../queue/schedule.ts";
import { WorkQueue } from "../queue/work-queue.ts";
import type { ConvergeMemory } from "./converge-ports.ts";
import type { AnyController, ReconcileContext } from "./define-controller.ts";
import { toMilliseconds } from "./duration.ts";
import { enqueue, ownerKeys } from "./enqueue.ts";
import { isTerminal, type Outcome } from "./outcome.ts";
import { reconcileObject } from "./reconcile-object.ts";
import { openScope } from "./scope.ts";
import { SettledChildren } from "./settled-children.ts";

const CONCURRENCY = 16;
const TIMEOUT = "5m";

/** What a controller runs with. */
export interface ControllerPorts {
  readonly cache: Cache;
  /** What the clients of reconciles are made of. */
  readonly client: ClientOptions;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** How a reconcile ended, as the worker sees it. */
export type Result =
  | { readonly kind: "done" }
  | { readonly kind: "after"; readonly delayMs: number }
  | { readonly kind: "retry"; readonly reason: string; readonly error?: unknown }
  | { readonly kind: "terminal"; readonly error: unknown };

/** A controller that runs. */
export class ControllerRunner {
  readonly controller: AnyController;
  readonly queue: WorkQueue;
  readonly #ports: ControllerPorts;
  readonly #informer: Informer;
  readonly #memory: ConvergeMemory = { settled: new SettledChildren(), keepsObservedGeneration: true };
  readonly #stop = new AbortController();
  readonly #cancels: Cancel[] = [];
  readonly #log: Logger;
  #workers: Promise<void>[] = [];

  constructor(controller: AnyController, ports: ControllerPorts) {
    this.controller = controller;
    this.#ports = ports;
    this.#log = ports.log.with({ controller: controller.name });
    this.queue = new WorkQueue({ clock: ports.clock, random: ports.random, backoff: controller.backoff });
    this.#informer = ports.cache.informer(controller.for) as Informer;
    for (const definition of [...(controller.owns ?? []), ...(controller.reads ?? [])])
      ports.cache.informer(definition);
    for (const { definition, cache } of controller.watches ?? []) ports.cache.informer(definition, cache);
  }

  /** Subscribes to the informers: from now on changes are queued. */
  listen(): void {
    const { cache } = this.#ports;
    const { controller, queue } = this;
    this.#cancels.push(
      this.#informer.subscribe((event) => {
        if (controller.predicate?.(event) === false) return;
        enqueue(queue, [event.key], { event, definition: controller.for });
      }),
    );
    for (const definition of controller.owns ?? []) {
      const onChange = cache.informer(definition).subscribe((event) => {
        // Before the owner itself is known there is nothing to do, and afterwards it is queued anyway.
        if (!event.initial) enqueue(queue, ownerKeys(event, controller.for), { event, definition });
      });
      this.#cancels.push(onChange);
    }
    for (const { definition, map, predicate } of controller.watches ?? []) {
      const onChange = cache.informer(definition).subscribe((event) => {
        if (predicate?.(event) === false) return;
        const reader = { cache: cache.reader(event.object.metadata?.namespace) };
        const keys = new Set(
          [event.previous, event.object].flatMap((object) =>
            object === undefined ? [] : map(object, reader).map(formatKey),
          ),
        );
        enqueue(queue, keys, { event, definition });
      });
      this.#cancels.push(onChange);
    }
  }

  /** Starts the workers and the sources. */
  work(): void {
    const { concurrency = CONCURRENCY, sources = [] } = this.controller;
    this.#workers = [
      ...Array.from({ length: concurrency }, () => this.#work()),
      ...sources.map((source) => this.#draw(source)),
    ];
  }

  /** Takes no more work, lets what is being done finish, and ends. `graceMs` later what still runs is aborted. */
  async stop(graceMs: number): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.queue.close();
    const cancel = this.#ports.clock.schedule(graceMs, () => this.#stop.abort(new Error("the manager stops")));
    await Promise.all(this.#workers);
    cancel();
    this.#stop.abort(new Error("the manager stopped"));
  }

  /** One worker: takes a key, reconciles it, acts on the result. */
  async #work(): Promise<void> {
    for (let item = await this.queue.take(); item !== undefined; item = await this.queue.take()) {
      const result = await this.#attempt(item);
      this.#settle(item, result);
      this.queue.done(item.key);
    }
  }

  #settle(item: QueueItem<string>, result: Result): void {
    const { key, priority } = item;
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

  async #attempt(item: QueueItem<string>): Promise<Result> {
    const object = this.#informer.store.get(item.key);
    if (object === undefined) return { kind: "done" };
    const { clock, client } = this.#ports;
    using scope = openScope(clock, toMilliseconds(this.controller.timeout ?? TIMEOUT), this.#stop.signal);
    try {
      const context = this.#contextFor(object, item, {
        signal: scope.signal,
        client: { ...client, gate: scope.gate(client.gate) },
      });
      const ports = { controller: this.controller, cache: this.#ports.cache, memory: this.#memory };
      return toResult(await scope.race(reconcileObject(object, context, ports)));
    } catch (error) {
      return isTerminal(error) ? { kind: "terminal", error } : { kind: "retry", reason: messageOf(error), error };
    }
  }

  #contextFor(
    object: KubernetesObject,
    item: QueueItem<string>,
    scoped: { readonly signal: AbortSignal; readonly client: ClientOptions },
  ): ReconcileContext {
    const { cache, clock, random, events } = this.#ports;
    const { namespace } = parseKey(item.key);
    return {
      client: createClient({
        ...scoped.client,
        fieldManager: this.controller.name,
        ...(namespace === undefined ? {} : { namespace }),
      }),
      cache: cache.reader(namespace),
      clock,
      random,
      events: eventsAbout(events, object),
      log: this.#log.with({ key: item.key }),
      signal: scoped.signal,
      causes: item.causes,
      attempt: this.queue.failures(item.key) + 1,
    };
  }

  async #draw(source: NonNullable<AnyController["sources"]>[number]): Promise<void> {
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

function toResult(outcome: Outcome): Result {
  if (outcome === undefined) return { kind: "done" };
  return outcome.kind === "after" ? outcome : { kind: "retry", reason: outcome.reason };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
