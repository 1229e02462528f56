/**
 * What recorders remember of the events about each object: who told what (aggregate.ts, correlate.ts), and how much each may still tell.
 * Thousands of objects have a handful of events each, so an object is found by its uid, and the rest in lists of exactly their length.
 */
import { type RateLimit, TokenBucket } from "../queue/token-bucket.ts";
import { Remembered } from "./remember.ts";

/** About one object a source may tell 25 at once and then one in five minutes, as client-go's spam filter has it. */
const LIMIT: RateLimit = { burst: 25, perSecond: 1 / 300 };

/** How many of a kind are remembered of one object; the oldest makes room. */
const FEW_MAX = 64;

/** What identifies an event among others, from the coarse to the fine. */
export interface EventIdentity {
  /** The object that it is about. */
  readonly subject: string;
  /** Who reports, and how bad it is: one allowance per object. */
  readonly source: string;
  /** Its reason and action. */
  readonly topic: string;
  readonly note: string;
}

/** A few values by name. */
export class Few<Value> {
  #entries: ReadonlyArray<{ readonly name: string; readonly value: Value }> = [];

  /** The value of that name. */
  get(name: string): Value | undefined {
    for (const entry of this.#entries) if (entry.name === name) return entry.value;
    return undefined;
  }

  /** Adds a value under a name that has none. */
  add(name: string, value: Value): Value {
    this.#entries = [...this.#entries.slice(1 - FEW_MAX), { name, value }];
    return value;
  }

  /** Forgets the value of that name. */
  delete(name: string): void {
    this.#entries = this.#entries.filter((entry) => entry.name !== name);
  }
}

/** One who reports about an object, and what was reported. */
export class ToldBy<Told> {
  readonly told: Few<Told> = new Few();
  readonly #allowance = new TokenBucket(LIMIT);

  /** True when one more event may be told now, which is then taken off. */
  mayTell(nowMs: number): boolean {
    if (this.#allowance.waitMs(nowMs) > 0) return false;
    this.#allowance.take(nowMs);
    return true;
  }
}

/** The sources of events about the objects of which somebody told last. */
export class EventMemory<Told> {
  readonly #subjects = new Remembered<Few<ToldBy<Told>>>();

  /** The source of an event. */
  sourceOf({ subject, source }: EventIdentity): ToldBy<Told> {
    const known = this.#subjects.get(subject);
    const sources = known ?? new Few<ToldBy<Told>>();
    this.#subjects.set(subject, sources);
    return sources.get(source) ?? sources.add(source, new ToldBy());
  }
}
