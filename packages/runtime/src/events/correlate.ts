/**
 * What becomes of a recorded event of core/v1, as client-go's correlator decides for Kubernetes' own components: an event that was sent
 * before counts one more, the tenth that differs from others in its message alone stands for all that follow, and too many of one
 * source are dropped. Pure state and step, as aggregate.ts is for events.k8s.io.
 */
import type { EventJudge, EventStep } from "./aggregate.ts";
import { type EventIdentity, EventMemory, Few } from "./event-memory.ts";

/** So many different messages about the same thing … */
const SIMILAR_MAX = 10;

/** … each within this time of the one before, and the next ones become one event. */
const SIMILAR_MS = 10 * 60_000;

/** An event that was sent, and how many it stands for. */
interface Sent {
  readonly name: string;
  readonly firstMs: number;
  count: number;
}

/** Events that differ in their message alone. */
interface Topic {
  /** The messages of late, the oldest first; only one, as nearly always, by itself. */
  notes: Set<string> | string | undefined;
  lastMs: number;
  /** By message. */
  readonly sent: Few<Sent>;
  /** The one that stands for many. */
  combined: Sent | undefined;
}

/** Remembers what was sent, and what is similar to it. */
export class EventCorrelator implements EventJudge {
  readonly #memory = new EventMemory<Topic>();

  step(identity: EventIdentity, nowMs: number, newName: () => string): EventStep {
    const source = this.#memory.sourceOf(identity);
    const topic = source.told.get(identity.topic) ?? source.told.add(identity.topic, newTopic(nowMs));
    const isCombined = isOneOfMany(topic, identity.note, nowMs);
    topic.lastMs = nowMs;
    const known = isCombined ? topic.combined : topic.sent.get(identity.note);
    const sent = known ?? { name: newName(), firstMs: nowMs, count: 0 };
    if (isCombined) topic.combined = sent;
    else if (known === undefined) topic.sent.add(identity.note, sent);
    sent.count += 1;
    if (!source.mayTell(nowMs)) return { kind: "drop" };
    const { name, firstMs, count } = sent;
    return known === undefined
      ? { kind: "create", name, isCombined }
      : { kind: "count", name, count, firstMs, isCombined };
  }

  forget(identity: EventIdentity): void {
    const topic = this.#memory.sourceOf(identity).told.get(identity.topic);
    if (topic === undefined) return;
    topic.sent.delete(identity.note);
    topic.combined = undefined;
  }
}

function newTopic(nowMs: number): Topic {
  return { notes: undefined, lastMs: nowMs, sent: new Few(), combined: undefined };
}

function isOneOfMany(topic: Topic, note: string, nowMs: number): boolean {
  const notes = nowMs - topic.lastMs > SIMILAR_MS ? undefined : topic.notes;
  if (notes === undefined || notes === note) topic.notes = note;
  else if (typeof notes === "string") topic.notes = new Set([notes, note]);
  else return isTooMany(notes.add(note));
  return false;
}

/** True when one too many is among the messages, of which the oldest is forgotten then. */
function isTooMany(notes: Set<string>): boolean {
  if (notes.size < SIMILAR_MAX) return false;
  const [oldest = ""] = notes;
  return notes.delete(oldest);
}
