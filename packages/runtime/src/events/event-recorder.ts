/**
 * The event recorder: takes events from reconciles, folds and limits them (aggregate.ts, correlate.ts), and sends them in one of two
 * forms (event-forms.ts), one after the other, when the reconciles have sent what they had to. It never blocks and never fails; what cannot
 * be sent is dropped with a line in the log.
 */
import { type Cancel, type Clock, type Logger, type Random, randomHex } from "@kubewright/core/ports";
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "../client/client.ts";
import type { EventStep } from "./aggregate.ts";
import { type EventApi, type EventDraft, type EventForm, eventForms } from "./event-forms.ts";
import type { EventIdentity } from "./event-memory.ts";
import type { EventInput, EventRecorder } from "./recorder.ts";

/** Events that wait to be sent; more are dropped. */
const QUEUE_LENGTH_MAX = 1000;

/** What a recorder is made of. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Who reports: "cache.example.com/memcached-operator". */
  readonly controller: string;
  /** Which replica reports. @default the controller */
  readonly instance?: string;
  /** Which API events are written to: "core/v1" is what Kubernetes' own controllers write. @default "events.k8s.io/v1" */
  readonly api?: EventApi;
}

/** An event that is to be sent. */
interface Recorded {
  readonly identity: EventIdentity;
  readonly isNew: boolean;
  readonly draft: EventDraft;
}

/** A recorder that sends to the API server. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, random, log, api = "events.k8s.io/v1" } = options;
  const form = eventForms[api];
  const judge = form.createJudge();
  const newName = eventNames(random);
  let waiting: Recorded[] = [];
  let cancelStart: Cancel | undefined;
  let sending: Promise<void> | undefined;
  let isGivenUp = false;
  const sendOne = async ({ identity, isNew, draft }: Recorded): Promise<void> => {
    try {
      await (isNew ? form.create(client, draft) : count(client, form, draft));
    } catch (error) {
      judge.forget(identity);
      if (!isNotFound(error)) log.warn("an event could not be recorded", { reason: draft.event.reason, error });
    }
  };
  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0 && !isGivenUp) {
      const together = waiting;
      waiting = [];
      for (const recorded of together) if (!isGivenUp) await sendOne(recorded);
    }
    sending = undefined;
  };
  const send = (): Promise<void> => {
    cancelStart?.();
    cancelStart = undefined;
    if (waiting.length > 0) sending ??= sendAll();
    return sending ?? Promise.resolve();
  };
  const record = (event: EventInput): void => {
    const identity = identify(event);
    const step = judge.step(identity, clock.monotonic(), () => newName(event));
    if (step.kind === "drop" || waiting.length >= QUEUE_LENGTH_MAX || isGivenUp) return;
    waiting.push({ identity, isNew: step.kind === "create", draft: draftOf(event, step, options) });
    // A timer that is due at once fires after all that runs without time: a reconcile sends its own requests first, and events go together.
    if (sending === undefined) cancelStart ??= clock.schedule(0, () => void send());
  };
  const flush = async (limitMs?: number): Promise<void> => {
    const sent = send();
    if (limitMs === undefined || sending === undefined) return sent;
    const { promise: timeUp, resolve } = Promise.withResolvers<void>();
    const cancel = clock.schedule(limitMs, () => {
      isGivenUp = true;
      resolve();
    });
    await Promise.race([sent, timeUp]);
    cancel();
  };
  return { record, flush };
}

function identify({ regarding, reporter = "", type, reason, action, note, fieldPath }: EventInput): EventIdentity {
  const { uid, namespace, name } = regarding.metadata ?? {};
  return {
    subject: uid ?? `${regarding.kind} ${namespace}/${name}`,
    source: type === "Normal" ? reporter : `${reporter} ${type}`,
    topic: action === undefined ? reason : `${reason} ${action}`,
    note: fieldPath === undefined ? note : `${fieldPath} ${note}`,
  };
}

/** Steps that are sent. */
type SentStep = Exclude<EventStep, { readonly kind: "drop" }>;

function draftOf(event: EventInput, step: SentStep, options: EventRecorderOptions): EventDraft {
  const { reporter: controller = options.controller } = event;
  const { instance = controller, clock } = options;
  const namespace = event.regarding.metadata?.namespace ?? "default";
  const { name, isCombined = false } = step;
  const last = clock.now();
  const [first, count] = step.kind === "create" ? [last, 1] : [last - (clock.monotonic() - step.firstMs), step.count];
  return { event, name, namespace, controller, instance, first, last, count, isCombined };
}

/** An event that is gone, or was held back when it was new, is written anew when it counts one more. */
async function count(client: Client, form: EventForm, draft: EventDraft): Promise<unknown> {
  try {
    return await form.count(client, draft);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return form.create(client, draft);
  }
}

/** "web.17f3a9c2b4d50001": the object's name and something unique: of the recorder, and of the event among its own. */
function eventNames(random: Random): (event: EventInput) => string {
  const recorder = randomHex(random, 6);
  let count = 0;
  return ({ regarding }) => {
    count += 1;
    const unique = `${recorder}${count.toString(16).padStart(4, "0")}`;
    return `${(regarding.metadata?.name ?? "object").slice(0, 236)}.${unique}`;
  };
}
