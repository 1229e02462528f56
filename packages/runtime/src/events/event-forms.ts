/**
 * The two forms in which events are written, as values: events.k8s.io/v1, and core/v1 as Kubernetes' controllers and kubelets still
 * write it. event-recorder.ts sends what they make.
 */
import type { Event as CoreEvent, ObjectReference } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { formatMicroTime, formatTime, type KubernetesObject } from "@kubewright/core/meta";
import type { Client } from "../client/client.ts";
import { unstructured } from "../client/definitions.ts";
import { EventAggregate, type EventJudge } from "./aggregate.ts";
import { EventCorrelator } from "./correlate.ts";
import { printable, printableLine } from "./printable.ts";
import type { EventInput } from "./recorder.ts";

/** The server's limits of an Event's texts. */
const NOTE_BYTES_MAX = 1024;
const REASON_BYTES_MAX = 128;

/** Which API events are written to. */
export type EventApi = "events.k8s.io/v1" | "core/v1";

/** An event that is to be written. */
export interface EventDraft {
  readonly event: EventInput;
  readonly name: string;
  readonly namespace: string;
  /** Who reports, and which replica of it. */
  readonly controller: string;
  readonly instance: string;
  /** Milliseconds since the epoch: of the first event that it stands for, and of the last. */
  readonly first: number;
  readonly last: number;
  /** How many it stands for. */
  readonly count: number;
  /** The note is that of the last of several. */
  readonly isCombined: boolean;
}

/** One form. */
export interface EventForm {
  /** Who decides what is written. */
  createJudge(): EventJudge;
  /** Writes an event that is new. */
  create(client: Client, draft: EventDraft): Promise<unknown>;
  /** Writes that an event stands for more than before. */
  count(client: Client, draft: EventDraft): Promise<unknown>;
}

/** Stated here so that operators do not load the types of the whole core group. */
const CORE_EVENT = unstructured({ group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

/** The forms, by the API they go to. */
export const eventForms: Readonly<Record<EventApi, EventForm>> = {
  "events.k8s.io/v1": {
    createJudge: () => new EventAggregate(),
    create: (client, draft) => client.create(Event, toEvent(draft)),
    count: (client, { name, namespace, count, last }) => {
      const series = { count, lastObservedTime: formatMicroTime(last) };
      return client.patch(Event, { name, namespace }, { merge: { series } });
    },
  },
  "core/v1": {
    createJudge: () => new EventCorrelator(),
    create: (client, draft) => client.create(CORE_EVENT, toCoreEvent(draft)),
    count: (client, draft) => {
      const { name, namespace, count, last } = draft;
      const merge = { count, lastTimestamp: formatTime(last), message: messageOf(draft) };
      return client.patch(CORE_EVENT, { name, namespace }, { merge });
    },
  },
};

function toEvent({ event, name, namespace, last, controller, instance }: EventDraft): Event {
  return {
    metadata: { name, namespace },
    eventTime: formatMicroTime(last),
    reportingController: controller,
    reportingInstance: printableLine(instance, REASON_BYTES_MAX),
    action: printableLine(event.action ?? event.reason, REASON_BYTES_MAX),
    reason: printableLine(event.reason, REASON_BYTES_MAX),
    note: printable(event.note, NOTE_BYTES_MAX),
    type: event.type,
    regarding: reference(event.regarding, event.fieldPath),
    ...(event.related === undefined ? {} : { related: reference(event.related) }),
  };
}

function toCoreEvent(draft: EventDraft): CoreEvent {
  const { event, name, namespace, controller } = draft;
  const made: CoreEvent = {
    metadata: { name, namespace },
    involvedObject: reference(event.regarding, event.fieldPath),
    reason: printableLine(event.reason, REASON_BYTES_MAX),
    message: messageOf(draft),
    source: { component: controller },
    firstTimestamp: formatTime(draft.first),
    lastTimestamp: formatTime(draft.last),
    count: draft.count,
    type: event.type,
    reportingComponent: controller,
    reportingInstance: "",
  };
  return event.related === undefined ? made : { ...made, related: reference(event.related) };
}

function messageOf({ event, isCombined }: EventDraft): string {
  return printable(isCombined ? `(combined from similar events): ${event.note}` : event.note, NOTE_BYTES_MAX);
}

function reference(object: KubernetesObject, fieldPath?: string): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  const { apiVersion, kind } = object;
  // In the order in which they are stored. Undefined fields are left out on the wire.
  const whole = { kind, namespace, name, uid, apiVersion, resourceVersion } as ObjectReference;
  return fieldPath === undefined ? whole : { ...whole, fieldPath };
}
