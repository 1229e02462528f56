/**
 * What one reconcile may use: a client that ends with it, caches, events and a log of its object. run-controller.ts opens the scope and
 * hands the context to the author's function. Most of it is made when it is first asked for.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Logger } from "@kubewright/core/ports";
import { keyOf, parseKey } from "../cache/object-key.ts";
import { createClient } from "../client/create-client.ts";
import type { ClientOptions } from "../client/requester.ts";
import { eventsAbout } from "../events/recorder.ts";
import type { QueueItem } from "../queue/schedule.ts";
import { confine } from "./confinement.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import type { AnyController, ReconcileContext } from "./define-controller.ts";
import { lazyContext } from "./lazy-context.ts";
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
  /** Where writes of the object itself are noted. */
  readonly ownWrites?: OwnWrites | undefined;
}

/** The context of the reconcile of `object`. */
export function contextFor(object: KubernetesObject, item: QueueItem<string>, frame: ReconcileFrame): ReconcileContext {
  const { controller, ports, scope, attempt, log, ownWrites } = frame;
  const { cache, client, discovery, clock, random, events } = ports;
  const { namespace } = parseKey(item.key);
  const clientOptions = (): ClientOptions => ({
    ...client,
    gate: scope.gate(gateFor(namespace, controller, client.gate)),
    fieldManager: controller.name,
    ...(ownWrites === undefined ? {} : { onWritten: noting(item.key, ownWrites, frame) }),
    ...(namespace === undefined ? {} : { namespace }),
  });
  return lazyContext({
    client: () => createClient(clientOptions()),
    cache: () => cache.reader(namespace),
    events: () => eventsAbout(events, object, controller.reportsAs),
    log: () => log.with({ key: item.key }),
    signal: () => scope.signal,
    rest: { discovery, clock, random, causes: item.causes, attempt },
  });
}

/** Notes what the reconcile writes of its own object, besides what is done with every write. */
function noting(key: string, ownWrites: OwnWrites, { controller, ports }: ReconcileFrame): ClientOptions["onWritten"] {
  return (written) => {
    ports.client.onWritten?.(written);
    if (written.definition === controller.for && keyOf(written.object) === key) ownWrites.note(key, written.object);
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
