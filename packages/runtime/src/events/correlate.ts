/**
 * What becomes of a recorded event of core/v1, as client-go's correlator decides for Kubernetes' own components: an event that was sent
 * before counts one more, the tenth that differs from others in its message alone stands for all that follow, and too many of one
 * source are dropped. Pure state and step, as aggregate.ts is for events.k8s.io.
 */
import type { EventIdentity, EventJudge, EventStep } from "./aggregate.ts";
import { Allowances } from "./allowances.ts";
import { Remembered } from "./remember.ts";

/** So many different messages about the same thing … */
const SIMILAR_MAX = 10;

/** … each within this time of the one before, and the next ones become one event. */
const SIMILAR_MS = 10 * 60_000;

/** Events that differ in their message alone. */
interface Similar {
  readonly notes: Set<string>;
  readonly lastMs: number;
}

interface Sent {
  readonly name: string;
  readonly count: number;
  readonly firstMs: number;
}

/** Remembers what was sent, and what is similar to it. */
export class EventCorrelator implements EventJudge {
  readonly #similar = new Remembered<Similar>();
  readonly #sent = new Remembered<Sent>();
  readonly #allowances = new Allowances();

  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep {
    const isCombined = this.#isOneOfMany(identity, nowMs);
    const key = isCombined ? identity.similar : identity.series;
    const known = this.#sent.get(key);
    const { name, firstMs } = known ?? { name: newName(), firstMs: nowMs };
    const count = (known?.count ?? 0) + 1;
    this.#sent.set(key, { name, count, firstMs });
    if (!this.#allowances.take(identity.source, nowMs)) return { kind: "drop" };
    return known === undefined
      ? { kind: "create", name, isCombined }
      : { kind: "count", name, count, firstMs, isCombined };
  }

  forget({ series, similar }: EventIdentity): void {
    this.#sent.delete(series);
    this.#sent.delete(similar);
  }

  #isOneOfMany({ similar, series }: EventIdentity, nowMs: number): boolean {
    const known = this.#similar.get(similar);
    const notes = known === undefined || nowMs - known.lastMs > SIMILAR_MS ? new Set<string>() : known.notes;
    notes.add(series);
    this.#similar.set(similar, { notes, lastMs: nowMs });
    if (notes.size < SIMILAR_MAX) return false;
    const [any] = notes;
    if (any !== undefined) notes.delete(any);
    return true;
  }
}
