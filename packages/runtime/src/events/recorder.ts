/** Events about objects: what controllers record. The recorder that sends them is in event-recorder.ts. */
import type { KubernetesObject } from "@kubewright/core/meta";

/** Records events about one object. Never blocks and never fails: events are best effort. */
export interface ObjectEvents {
  /** Something worth telling happened. */
  normal(reason: string, note: string, details?: EventDetails): void;
  /** Something went wrong. */
  warning(reason: string, note: string, details?: EventDetails): void;
}

/** What else an event may tell. */
export interface EventDetails {
  /** Which part of the object it is about: "spec.containers{app}". @default all of it */
  readonly fieldPath?: string | undefined;
}

/** One event to record. */
export interface EventInput extends EventDetails {
  readonly type: "Normal" | "Warning";
  /** The object that the event is about. */
  readonly regarding: KubernetesObject;
  /** In CamelCase: "Created", "ErrResourceExists". */
  readonly reason: string;
  /** For people. */
  readonly note: string;
  /** What was done or tried. @default the reason */
  readonly action?: string;
  /** Another object that has to do with it. */
  readonly related?: KubernetesObject;
  /** Who reports it. @default who the recorder is of */
  readonly reporter?: string | undefined;
}

/** Records events. */
export interface EventRecorder {
  /** Records one event; returns at once. */
  record(event: EventInput): void;
  /** Resolves when what was recorded is sent, or given up; what is not sent within `limitMs` is given up. @default no limit */
  flush(limitMs?: number): Promise<void>;
}

/** A recorder for one object; `reporter` reports, unless it is who the recorder is of. */
export function eventsAbout(recorder: EventRecorder, regarding: KubernetesObject, reporter?: string): ObjectEvents {
  const record = (type: EventInput["type"], reason: string, note: string, details?: EventDetails): void =>
    recorder.record({ type, regarding, reason, note, reporter, fieldPath: details?.fieldPath });
  return {
    normal: (reason, note, details) => record("Normal", reason, note, details),
    warning: (reason, note, details) => record("Warning", reason, note, details),
  };
}
