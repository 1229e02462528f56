/**
 * What recorders remember of the events about each object: who told what (aggregate.ts, correlate.ts), and how much each may still tell.
 * Thousands of objects have a handful of events each, so an object is found by its uid, and the rest by looking through a few.
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

/** One of a few. */
interface FewEntry<Value> {
  readonly name: string;
  readonly value: Value;
  /** The one that was added before. */
  older: FewEntry<Value> | undefined;
}

/** A few values by name, each linked to the one before: most objects have one or two, and nothing is made for more. */
export class Few<Value> {
  #newest: FewEntry<Value> | undefined;

  /** The value of that name. */
  get(name: string): Value | undefined {
    let entry = this.#newest;
    while (entry !== undefined && entry.name !== name) entry = entry.older;
    return entry?.value;
  }

  /** Adds a value under a name that has none. */
  add(name: string, value: Value): Value {
    this.#newest = { name, value, older: this.#newest };
    let [last, count] = [this.#newest, 1];
    for (; last.older !== undefined && count < FEW_MAX; count += 1) last = last.older;
    last.older = undefined;
    return value;
  }

  /** Forgets the value of that name. */
  delete(name: string): void {
    if (this.#newest?.name === name) this.#newest = this.#newest.older;
    for (let entry = this.#newest; entry !== undefined; entry = entry.older) {
      if (entry.older?.name === name) entry.older = entry.older.older;
    }
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
    const sources = this.#subjects.get(subject) ?? this.#subjects.add(subject, new Few<ToldBy<Told>>());
    return sources.get(source) ?? sources.add(source, new ToldBy());
  }
}
