/** Events: one storage for both groups; the newer group is stricter about what is written. */
import type { Event } from "@kubewright/api/core/v1";
import { type FieldError, fieldInvalid, fieldRequired, invalidError } from "@kubewright/core/protocol";
import type { ApiObject } from "../../resource/object.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { pathSegmentNames } from "../names.ts";
import { asJson, validateImmutable, validateQualified } from "../validation/fields.ts";
import { convertEvent } from "./event-conversion.ts";

const LENGTH_MAX = 128;
const NOTE_LENGTH_MAX = 1024;
const FIXED = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingController",
  "reportingInstance",
];

const involved = (name: string) => (object: ApiObject) =>
  String((eventOf(object).involvedObject as Record<string, unknown> | undefined)?.[name] ?? "");

const INVOLVED = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** What is particular to Events of one group; `regarding` names the object that they are about. */
export function eventParticulars(regarding: "involvedObject" | "regarding"): KindParticulars {
  const isStrict = regarding === "regarding";
  return {
    createOnUpdate: true,
    nameErrors: pathSegmentNames,
    selectableFields: {
      ...Object.fromEntries(INVOLVED.map((name) => [`${regarding}.${name}`, involved(name)])),
      reason: (object) => eventOf(object).reason ?? "",
      type: (object) => eventOf(object).type ?? "",
      ...(isStrict ? {} : { source: sourceOf }),
      [isStrict ? "reportingController" : "reportingComponent"]: (object) => eventOf(object).reportingComponent ?? "",
    },
    validate(object, current) {
      const event = eventOf(object);
      const errors = [
        ...validateEvent(event, isStrict),
        ...(isStrict ? validateStrictly(event, current === undefined ? undefined : eventOf(current)) : []),
      ];
      // Both groups speak of a core Event when they refuse one.
      if (errors.length > 0) throw invalidError({ group: "", kind: "Event", name: object.metadata.name ?? "" }, errors);
      return [];
    },
  };
}

function sourceOf(object: ApiObject): string {
  return eventOf(object).source?.component ?? eventOf(object).reportingComponent ?? "";
}

function eventOf(object: ApiObject): Event {
  return convertEvent(object, "v1") as unknown as Event;
}

function validateEvent(event: Event, isStrict: boolean): FieldError[] {
  const { metadata, involvedObject, eventTime } = event;
  const [own, other] = [metadata?.namespace ?? "", involvedObject?.namespace ?? ""];
  const isNew = (eventTime ?? null) !== null;
  const isMisplaced = isNew
    ? other === "" && own !== "default" && own !== "kube-system"
    : other === ""
      ? own !== "" && own !== "default"
      : own !== other;
  return [
    ...(isMisplaced ? [fieldInvalid("involvedObject.namespace", other, "does not match event.namespace")] : []),
    ...(isNew ? validateNew(event, isStrict) : []),
  ];
}

function validateNew(event: Event, isStrict: boolean): FieldError[] {
  const { reportingComponent = "", reportingInstance = "", action = "", reason = "", message = "" } = event;
  const controller = isStrict ? "reportingController" : "reportingComponent";
  const bounded = (field: string, text: string): FieldError[] => [
    ...(text === "" ? [fieldRequired(field)] : []),
    ...(text.length > LENGTH_MAX ? [fieldInvalid(field, "", `can have at most ${LENGTH_MAX} characters`)] : []),
  ];
  return [
    ...(reportingComponent === "" ? [fieldRequired(controller)] : []),
    ...validateQualified(controller, reportingComponent),
    ...bounded("reportingInstance", reportingInstance),
    ...bounded("action", action),
    ...bounded("reason", reason),
    ...(message.length > NOTE_LENGTH_MAX
      ? [fieldInvalid("message", "", `can have at most ${NOTE_LENGTH_MAX} characters`)]
      : []),
  ];
}

function validateStrictly(event: Event, current: Event | undefined): FieldError[] {
  const { series } = event;
  const seriesErrors =
    series === undefined
      ? []
      : [
          ...((series.count ?? 0) < 2 ? [fieldInvalid("series.count", "", "should be at least 2")] : []),
          ...((series.lastObservedTime ?? null) === null ? [fieldRequired("series.lastObservedTime")] : []),
        ];
  if (current !== undefined) {
    const fields = { ...event, reportingController: event.reportingComponent } as Record<string, unknown>;
    const before = { ...current, reportingController: current.reportingComponent } as Record<string, unknown>;
    return [
      ...seriesErrors,
      ...FIXED.flatMap((name) => validateImmutable(name, asJson(fields[name]), asJson(before[name]))),
    ];
  }
  const unset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [fieldInvalid(field, "", "needs to be unset")] : [];
  const { type = "", source = {} } = event;
  return [
    ...seriesErrors,
    ...((event.eventTime ?? null) === null ? [fieldRequired("eventTime")] : []),
    ...(type === "Normal" || type === "Warning" ? [] : [fieldInvalid("type", "", `has invalid value: ${type}`)]),
    ...unset("firstTimestamp", (event.firstTimestamp ?? null) !== null),
    ...unset("lastTimestamp", (event.lastTimestamp ?? null) !== null),
    ...unset("count", (event.count ?? 0) !== 0),
    ...unset("source", (source.component ?? "") !== "" || (source.host ?? "") !== ""),
  ];
}
