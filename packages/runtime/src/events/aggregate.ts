/**
 * What becomes of a recorded event: sent as new, folded into one sent before, or dropped. Pure state and step; the recorder in
 * event-recorder.ts does the sending. Similar events within a while are one event with a count; too many of one source are dropped.
 */

/** Similar events are folded into one while they come at least this often. */
const SERIES_MS = 6 * 60_000;

/** A source may record this many events about one object at once … */
const BURST_MAX = 25;

/** … and then one in this time. */
const REFILL_MS = 5 * 60_000;

/** How many series and sources are remembered. */
const REMEMBERED_MAX = 4096;

/** A series of similar events. */
export interface EventSeries {
  /** The name of the Event object that stands for the series. */
  readonly name: string;
  readonly count: number;
  readonly lastMs: number;
}

/** What to do with an event. */
export type EventStep =
  | { readonly kind: "create"; readonly name: string }
  | { readonly kind: "count"; readonly name: string; readonly count: number }
  | { readonly kind: "drop" };

/** What identifies an event among similar ones. */
export interface EventIdentity {
  /** Same object, type, reason, note, action: one series. */
  readonly series: string;
  /** Same object: one allowance. */
  readonly source: string;
}

/** Remembers series and allowances. */
export class EventAggregate {
  readonly #series = new Map<string, EventSeries>();
  readonly #allowances = new Map<string, { readonly tokens: number; readonly atMs: number }>();

  /** What to do with an event that is recorded now; `newName` names it if it is new. */
  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep {
    const known = this.#series.get(identity.series);
    if (known !== undefined && nowMs - known.lastMs < SERIES_MS) {
      const next = { name: known.name, count: known.count + 1, lastMs: nowMs };
      remember(this.#series, identity.series, next);
      // A count that doubles is worth a request; the ones between are told with it.
      return isPowerOfTwo(next.count) ? { kind: "count", name: next.name, count: next.count } : { kind: "drop" };
    }
    if (!this.#allow(identity.source, nowMs)) return { kind: "drop" };
    const name = newName();
    remember(this.#series, identity.series, { name, count: 1, lastMs: nowMs });
    return { kind: "create", name };
  }

  /** Forgets a series, so that the next event of its kind is created anew. */
  forget(series: string): void {
    this.#series.delete(series);
  }

  #allow(source: string, nowMs: number): boolean {
    const known = this.#allowances.get(source) ?? { tokens: BURST_MAX, atMs: nowMs };
    const tokens = Math.min(BURST_MAX, known.tokens + (nowMs - known.atMs) / REFILL_MS);
    remember(this.#allowances, source, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= REMEMBERED_MAX) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0;
}
