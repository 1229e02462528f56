/**
 * What one reconcile may use: a client that ends with it, caches, events and a log of its object. run-controller.ts opens the scope and
 * hands the context to the author's function. Most of it is made when it is first asked for.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { CacheReader } from "../cache/cache-reader.ts";
import { keyOf } from "../cache/object-key.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Discovery } from "../client/discovery.ts";
import type { ClientOptions } from "../client/requester.ts";
import { eventsAbout, type ObjectEvents } from "../events/recorder.ts";
import type { Cause, QueueItem } from "../queue/schedule.ts";
import { confine, confinedReader } from "./confinement.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import type { AnyController, ReconcileContext } from "./define-controller.ts";
import type { OwnWrites } from "./own-writes.ts";
import type { Scope } from "./scope.ts";

/** What a reconcile is part of. */
export interface ReconcileFrame {
  readonly controller: AnyController;
  readonly ports: ControllerPorts;
  readonly scope: Scope;
  /** 1, or more after failures in a row. */
  readonly attempt: number;
  /** The controller's. */
  readonly log: Logger;
  /** Where writes of the object itself are noted, if they are. */
  readonly ownWrites?: OwnWrites | undefined;
}

/**
 * The context of the reconcile of `object`. Its parts are getters of a class: with getters of its own each context would have a shape of its
 * own, which outlives the reconcile by far.
 */
export class LazyContext implements ReconcileContext {
  readonly #object: KubernetesObject;
  readonly #item: QueueItem<string>;
  readonly #frame: ReconcileFrame;
  #client: Client | undefined;
  #cache: CacheReader | undefined;
  #events: ObjectEvents | undefined;
  #log: Logger | undefined;

  constructor(object: KubernetesObject, item: QueueItem<string>, frame: ReconcileFrame) {
    this.#object = object;
    this.#item = item;
    this.#frame = frame;
  }

  get client(): Client {
    this.#client ??= createClient(clientOptions(this.#item.key, this.#object.metadata?.namespace, this.#frame));
    return this.#client;
  }

  get cache(): CacheReader {
    const { controller, ports } = this.#frame;
    this.#cache ??= confinedReader(this.#object.metadata?.namespace, { controller, cache: ports.cache });
    return this.#cache;
  }

  get events(): ObjectEvents {
    const { ports, controller } = this.#frame;
    this.#events ??= eventsAbout(ports.events, this.#object, controller.reportsAs);
    return this.#events;
  }

  get log(): Logger {
    this.#log ??= this.#frame.log.with({ key: this.#item.key });
    return this.#log;
  }

  get signal(): AbortSignal {
    return this.#frame.scope.signal;
  }

  get discovery(): Discovery {
    return this.#frame.ports.discovery;
  }

  get clock(): Clock {
    return this.#frame.ports.clock;
  }

  get random(): Random {
    return this.#frame.ports.random;
  }

  get causes(): readonly Cause[] {
    return this.#item.causes;
  }

  get attempt(): number {
    return this.#frame.attempt;
  }
}

/** The client ends with the scope, and keeps to the object's namespace. */
function clientOptions(key: string, namespace: string | undefined, frame: ReconcileFrame): ClientOptions {
  const { controller, ports, scope, ownWrites } = frame;
  const { client } = ports;
  const notes = controller.skipsOwnWrites === true ? ownWrites : undefined;
  return {
    ...client,
    gate: scope.gate(gateFor(namespace, controller, client.gate)),
    fieldManager: controller.name,
    onWritten: notes === undefined ? client.onWritten : noting(key, notes, frame),
    namespace: namespace ?? client.namespace,
  };
}

/** Notes what the reconcile writes of its own object, besides what is done with every write. */
function noting(key: string, ownWrites: OwnWrites, { controller, ports }: ReconcileFrame): ClientOptions["onWritten"] {
  return (written) => {
    ports.client.onWritten?.(written);
    if (written.definition === controller.for && keyOf(written.object) === key)
      ownWrites.noteItself(key, controller.for, written.object);
  };
}

/** What requests must pass besides the scope: leadership, and the borders of the object's namespace. */
function gateFor(
  namespace: string | undefined,
  controller: AnyController,
  gate: ClientOptions["gate"],
): ClientOptions["gate"] {
  if (namespace === undefined || controller.crossNamespace === true) return gate;
  const confined = confine(namespace, controller.name);
  return (intent) => {
    confined(intent);
    gate?.(intent);
  };
}
