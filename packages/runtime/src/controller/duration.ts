/** Durations as options take them. */
import { durationMs } from "@kubewright/core/meta";

/** A duration in Go's notation ("1h30m", "250ms"), or milliseconds. */
export type DurationInput = string | number;

/** The duration in milliseconds; text that is no duration, or no number at all, is a programmer's error. */
export function toMilliseconds(duration: DurationInput): number {
  if (Number.isNaN(duration)) throw new TypeError('NaN is no duration; give milliseconds, or a text such as "30s"');
  return typeof duration === "number" ? duration : durationMs(duration);
}
