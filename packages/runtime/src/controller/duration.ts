/** Durations as options take them. */
import { durationMs } from "@kubewright/core/meta";

/** A duration in Go's notation ("1h30m", "250ms"), or milliseconds. */
export type DurationInput = string | number;

/** The duration in milliseconds; text that is no duration is a programmer's error. */
export function toMilliseconds(duration: DurationInput): number {
  return typeof duration === "number" ? duration : durationMs(duration);
}
