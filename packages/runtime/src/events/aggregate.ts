/**
 * What becomes of a recorded event of events.k8s.io: sent as new, folded into one sent before, or dropped. Pure state and step; the
 * recorder in event-recorder.ts does the sending. Same events within a while are one event with a count; too many of one source are
 * dropped.
 */
import { type EventIdentity, EventMemory } from "./event-memory.ts";

/** Similar events are folded into one while they come at least this often. */
const SERIES_MS = 6 * 60_000;

/** A series of similar events. */
interface EventSeries {
  /** The name of the Event object that stands for the series. */
  name: string;
  count: number;
  firstMs: number;
  lastMs: number;
}

/** What to do with an event. */
export type EventStep =
  | { readonly kind: "create"; readonly name: string; readonly isCombined?: boolean }
  /** It stands for so many by now; `firstMs` is when the first was recorded. */
  | {
      readonly kind: "count";
      readonly name: string;
      readonly count: number;
      readonly firstMs: number;
      readonly isCombined?: boolean;
    }
  | { readonly kind: "drop" };

/** Decides about recorded events. */
export interface EventJudge {
  /** What to do with an event that is recorded now; `newName` names it if it is new. */
  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep;
  /** Forgets a series, so that the next event of its kind is created anew. */
  forget(identity: EventIdentity): void;
}

/** Remembers series and allowances. */
export class EventAggregate implements EventJudge {
  readonly #memory = new EventMemory<EventSeries>();

  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep {
    const source = this.#memory.sourceOf(identity);
    const series = seriesOf(identity);
    const known = source.told.get(series);
    if (known !== undefined && nowMs - known.lastMs < SERIES_MS) {
      known.count += 1;
      known.lastMs = nowMs;
      const { name, firstMs, count } = known;
      // A count that doubles is worth a request; the ones between are told with it.
      return isPowerOfTwo(count) ? { kind: "count", name, count, firstMs } : { kind: "drop" };
    }
    if (!source.mayTell(nowMs)) return { kind: "drop" };
    const begun = { name: newName(), count: 1, firstMs: nowMs, lastMs: nowMs };
    if (known === undefined) source.told.add(series, begun);
    else Object.assign(known, begun);
    return { kind: "create", name: begun.name };
  }

  forget(identity: EventIdentity): void {
    this.#memory.sourceOf(identity).told.delete(seriesOf(identity));
  }
}

/** Same object, source, reason, action and note: one series. */
function seriesOf({ topic, note }: EventIdentity): string {
  return `${topic} ${note}`;
}

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0;
}
