/** Rows of events, in either of the two API groups that events have: the names of their fields differ. */
import type { ApiObject } from "../../resource/object.ts";
import { ageAt, type KindPrinter, nameOf, type PrintContext, printer } from "../columns.ts";
import { numberAt, textAt, valueAt } from "../fields.ts";

/** The names of the fields in one group. */
interface EventFields {
  readonly object: string;
  readonly message: string;
  readonly firstTime: string;
  readonly lastTime: string;
  readonly count: string;
  readonly source: string;
  readonly controller: string;
}

const CORE_FIELDS: EventFields = {
  object: "involvedObject",
  message: "message",
  firstTime: "firstTimestamp",
  lastTime: "lastTimestamp",
  count: "count",
  source: "source",
  controller: "reportingComponent",
};

const EVENTS_FIELDS: EventFields = {
  object: "regarding",
  message: "note",
  firstTime: "deprecatedFirstTimestamp",
  lastTime: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  source: "deprecatedSource",
  controller: "reportingController",
};

const eventPrinter: KindPrinter = printer(
  "Last Seen|Type|Reason|Object|Subobject*|Source*|Message|First Seen*|Count*|Name*",
  (event, context) => {
    const fields = event.apiVersion.startsWith("events.k8s.io/") ? EVENTS_FIELDS : CORE_FIELDS;
    return [
      lastSeen(event, fields, context),
      textAt(event, "type"),
      textAt(event, "reason"),
      involved(event, fields),
      textAt(event, `${fields.object}.fieldPath`),
      source(event, fields),
      textAt(event, fields.message).trim(),
      firstSeen(event, fields, context),
      count(event, fields),
      nameOf(event),
    ];
  },
);

/** Printers by qualified resource name. */
export const eventPrinters: Readonly<Record<string, KindPrinter>> = {
  events: eventPrinter,
  "events.events.k8s.io": eventPrinter,
};

function firstSeen(event: ApiObject, { firstTime }: EventFields, context: PrintContext): string {
  return ageAt(event, firstTime, context, ageAt(event, "eventTime", context));
}

function lastSeen(event: ApiObject, fields: EventFields, context: PrintContext): string {
  if (valueAt(event, "series") !== undefined) return ageAt(event, "series.lastObservedTime", context);
  return ageAt(event, fields.lastTime, context, firstSeen(event, fields, context));
}

function count(event: ApiObject, fields: EventFields): number {
  if (valueAt(event, "series") !== undefined) return numberAt(event, "series.count");
  return numberAt(event, fields.count) || 1;
}

function involved(event: ApiObject, { object }: EventFields): string {
  const name = textAt(event, `${object}.name`);
  const kind = textAt(event, `${object}.kind`).toLowerCase();
  return name === "" ? kind : `${kind}/${name}`;
}

function source(event: ApiObject, fields: EventFields): string {
  const component = textAt(event, `${fields.source}.component`) || textAt(event, fields.controller);
  const host = textAt(event, `${fields.source}.host`) || textAt(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}
