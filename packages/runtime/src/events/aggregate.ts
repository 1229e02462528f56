/**
 * What becomes of a recorded event of events.k8s.io: sent as new, folded into one sent before, or dropped. Pure state and step; the
 * recorder in event-recorder.ts does the sending. Same events within a while are one event with a count; too many of one source are
 * dropped.
 */
import { Allowances } from "./allowances.ts";
import { Remembered } from "./remember.ts";

/** Similar events are folded into one while they come at least this often. */
const SERIES_MS = 6 * 60_000;

/** A series of similar events. */
export interface EventSeries {
  /** The name of the Event object that stands for the series. */
  readonly name: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
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

/** What identifies an event among similar ones. */
export interface EventIdentity {
  /** Same object, type, reason, note, action: one series. */
  readonly series: string;
  /** Same object, type and reason: what differs in the note alone. */
  readonly similar: string;
  /** Same object and type: one allowance. */
  readonly source: string;
}

/** Remembers series and allowances. */
export class EventAggregate implements EventJudge {
  readonly #series = new Remembered<EventSeries>();
  readonly #allowances = new Allowances();

  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep {
    const known = this.#series.get(identity.series);
    if (known !== undefined && nowMs - known.lastMs < SERIES_MS) {
      const { name, firstMs } = known;
      const count = known.count + 1;
      this.#series.set(identity.series, { name, count, firstMs, lastMs: nowMs });
      // A count that doubles is worth a request; the ones between are told with it.
      return isPowerOfTwo(count) ? { kind: "count", name, count, firstMs } : { kind: "drop" };
    }
    if (!this.#allowances.take(identity.source, nowMs)) return { kind: "drop" };
    const name = newName();
    this.#series.set(identity.series, { name, count: 1, firstMs: nowMs, lastMs: nowMs });
    return { kind: "create", name };
  }

  forget({ series }: EventIdentity): void {
    this.#series.delete(series);
  }
}

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0;
}
