/**
 * Attempts to reconcile an object: a look (survey.ts), and if there is anything to be done a reconcile with its scope and context
 * (reconcile-object.ts). A worker of run-controller.ts makes one for each key that it takes and acts on how it ended; an attempt never throws.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Logger } from "@kubewright/core/ports";
import type { Informer } from "../cache/informer.ts";
import { eventsAbout } from "../events/recorder.ts";
import type { ControllerMetrics } from "../metrics/controller-metrics.ts";
import type { QueueItem } from "../queue/schedule.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import { attributed } from "./attribution.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import type { AnyController } from "./define-controller.ts";
import { toMilliseconds } from "./duration.ts";
import { enqueue } from "./enqueue.ts";
import { HotLoopGuard } from "./hot-loop-guard.ts";
import type { OwnWrites } from "./own-writes.ts";
import { LazyContext } from "./reconcile-context.ts";
import { reconcileObject } from "./reconcile-object.ts";
import type { Attempt } from "./reconcile-record.ts";
import { DONE, toFailure, toResult } from "./result.ts";
import { type Scope, Scopes } from "./scope.ts";
import { SettledChildren } from "./settled-children.ts";
import { isSettled, mayBeSurveyed, type Survey, type SurveyPorts, survey } from "./survey.ts";
import { keepsObservedGeneration } from "./write-status.ts";

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

/** What attempts are made with. */
export interface AttemptsOptions {
  readonly controller: AnyController;
  readonly ports: ControllerPorts;
  readonly queue: WorkQueue;
  readonly informer: Informer;
  readonly metrics: ControllerMetrics;
  readonly ownWrites: OwnWrites | undefined;
  readonly log: Logger;
}

/** The attempts of one controller. */
export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #surveyPorts: SurveyPorts;
  readonly #scopes: Scopes;
  readonly #guard = new HotLoopGuard();

  constructor(options: AttemptsOptions) {
    const { controller, ports } = options;
    const { clock, random, cache } = ports;
    const { ownWrites } = options;
    this.#options = options;
    this.#scopes = new Scopes(clock, toMilliseconds(controller.timeout ?? TIMEOUT));
    const keeps = keepsObservedGeneration(controller.for) ?? true;
    const memory = { settled: new SettledChildren(), keepsObservedGeneration: keeps };
    this.#surveyPorts = { controller, cache, memory, clock, random, ownWrites };
  }

  /** Ends what is being done, and whatever begins from now on. */
  end(reason: unknown): void {
    this.#scopes.end(reason);
  }

  /** One attempt: a promise if there is anything to be done. What it begins and does not await is its fault. */
  make(item: QueueItem<string>): Attempt | Promise<Attempt> {
    const { controller, informer, ports: given } = this.#options;
    const object = informer.store.get(item.key);
    if (object === undefined) return GONE;
    const epoch = controller.fenced === true ? given.epoch?.() : undefined;
    const ports = epoch === undefined ? this.#surveyPorts : { ...this.#surveyPorts, epoch };
    const frame: Frame = { object, item, ports, scope: undefined };
    return attributed({ fail: (reason) => this.#blame(frame, reason) }, () => this.#look(frame));
  }

  /** Looks at the object, and reconciles it if there is anything to be done. */
  #look(frame: Frame): Attempt | Promise<Attempt> {
    const { object, item, ports } = frame;
    if (!mayBeSurveyed(object, ports)) return this.#reconcile(frame);
    try {
      const found = survey(object, ports);
      if (!isSettled(found, object, ports)) return this.#reconcile(frame, found);
      this.#cool(item.key, object, 0);
      return SETTLED;
    } catch (error) {
      return { result: toFailure(error, false), writes: 0 };
    }
  }

  async #reconcile(frame: Frame, found?: Survey): Promise<Attempt> {
    const { object, item, ports } = frame;
    const { controller, ports: given, queue, log, ownWrites } = this.#options;
    const scope = this.#scopes.open();
    frame.scope = scope;
    ownWrites?.begin(item.key, object);
    try {
      const context = new LazyContext(object, item, {
        scope,
        controller,
        ports: given,
        attempt: queue.failures(item.key) + 1,
        log,
        ownWrites,
      });
      const result = toResult(await scope.race(reconcileObject(object, context, { ports, found })));
      // What nobody looks at again cannot wake anybody up.
      this.#cool(item.key, object, scope.writes - (ownWrites?.noted(item.key) ?? 0));
      return { result, writes: scope.writes };
    } catch (error) {
      return { result: toFailure(error, scope.timedOut), writes: scope.writes };
    } finally {
      this.#lookAgain(item.key);
      scope[Symbol.dispose](); // Rather than `using`, which costs as much as all else here where it is compiled away.
    }
  }

  /** What changed while the reconcile ran and was not its own doing. */
  #lookAgain(key: string): void {
    const { queue, ownWrites } = this.#options;
    for (const change of ownWrites?.end(key) ?? []) enqueue(queue, [key], change);
  }

  /** Something that a reconcile began and did not await failed: so has the reconcile, if it has not ended. */
  #blame({ item: { key }, scope }: Frame, error: unknown): void {
    this.#options.log.error("a promise of a reconcile was rejected and nobody awaited it; await it", { key, error });
    scope?.fail(error);
  }

  /** Slows a key down that writes without end. Failures do not count: they have their backoff. */
  #cool(key: string, object: KubernetesObject, writes: number): void {
    const { controller, ports, queue, metrics, log } = this.#options;
    if (controller.guardsHotLoops === false) return;
    const generation = object.metadata?.generation;
    const holdMs = this.#guard.note(key, { generation, wrote: writes > 0, nowMs: ports.clock.monotonic() });
    if (holdMs === 0) return;
    queue.hold(key, holdMs);
    metrics.slowed();
    const note = `every reconcile writes although nothing changed; slowed down to one in ${holdMs / 1000} s`;
    log.warn(note, { key });
    eventsAbout(ports.events, object, controller.reportsAs).warning("HotLoop", note);
  }
}
