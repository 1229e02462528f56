/**
 * The event recorder: takes events from reconciles, folds and limits them (aggregate.ts), and sends them as events.k8s.io/v1 objects
 * one after the other behind the reconciles' backs. It never blocks and never fails; what cannot be sent is dropped with a
 * line in the log.
 */
import type { ObjectReference } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { formatMicroTime, type KubernetesObject } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "../client/client.ts";
import { EventAggregate, type EventStep } from "./aggregate.ts";
import { printable, printableLine } from "./printable.ts";
import type { EventInput, EventRecorder } from "./recorder.ts";

/** Events that wait to be sent; more are dropped. */
const QUEUE_LENGTH_MAX = 1000;

/** The server's limits of an Event's texts. */
const NOTE_BYTES_MAX = 1024;
const REASON_BYTES_MAX = 128;

/** What a recorder is made of. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Who reports: "cache.example.com/memcached-operator". */
  readonly controller: string;
  /** Which replica reports. @default the controller */
  readonly instance?: string;
}

/** A recorder that sends to the API server. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const aggregate = new EventAggregate();
  let tail: Promise<void> = Promise.resolve();
  let waiting = 0;
  const record = (event: EventInput): void => {
    const identity = identify(event);
    const step = aggregate.step(identity, options.clock.monotonic(), () => eventName(event, options.random));
    if (step.kind === "drop" || waiting >= QUEUE_LENGTH_MAX) return;
    waiting += 1;
    tail = tail.then(async () => {
      try {
        await send(event, step, options);
      } catch (error) {
        aggregate.forget(identity.series);
        if (!isNotFound(error)) options.log.warn("an event could not be recorded", { reason: event.reason, error });
      }
      waiting -= 1;
    });
  };
  return { record, flush: () => tail };
}

function identify(event: EventInput): { readonly series: string; readonly source: string } {
  const { uid, namespace, name } = event.regarding.metadata ?? {};
  const source = `${event.reporter ?? ""} ${event.regarding.kind} ${namespace}/${name} ${uid}`;
  return { source, series: `${source} ${event.type} ${event.reason} ${event.action ?? ""} ${event.note}` };
}

async function send(event: EventInput, step: EventStep, options: EventRecorderOptions): Promise<void> {
  const namespace = event.regarding.metadata?.namespace ?? "default";
  const now = formatMicroTime(options.clock.now());
  if (step.kind === "count") {
    const series = { count: step.count, lastObservedTime: now };
    await options.client.patch(Event, { name: step.name, namespace }, { merge: { series } });
  } else if (step.kind === "create") {
    await options.client.create(Event, toEvent(event, { name: step.name, namespace, now, options }));
  }
}

function toEvent(
  event: EventInput,
  made: {
    readonly name: string;
    readonly namespace: string;
    readonly now: string;
    readonly options: EventRecorderOptions;
  },
): Event {
  const { reporter: controller = made.options.controller } = event;
  const { instance = controller } = made.options;
  return {
    metadata: { name: made.name, namespace: made.namespace },
    eventTime: made.now,
    reportingController: controller,
    reportingInstance: printableLine(instance, REASON_BYTES_MAX),
    action: printableLine(event.action ?? event.reason, REASON_BYTES_MAX),
    reason: printableLine(event.reason, REASON_BYTES_MAX),
    note: printable(event.note, NOTE_BYTES_MAX),
    type: event.type,
    regarding: reference(event.regarding),
    ...(event.related === undefined ? {} : { related: reference(event.related) }),
  };
}

function reference(object: KubernetesObject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  const { apiVersion, kind } = object;
  // Undefined fields are left out on the wire.
  return { apiVersion, kind, name, namespace, uid, resourceVersion } as ObjectReference;
}

/** "web.17f3a9c2b4d5e6f7": the object's name and something unique. */
function eventName(event: EventInput, random: Random): string {
  const suffix = Buffer.from(random.bytes(8)).toString("hex");
  return `${(event.regarding.metadata?.name ?? "object").slice(0, 236)}.${suffix}`;
}
