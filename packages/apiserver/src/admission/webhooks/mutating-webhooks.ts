/**
 * MutatingAdmissionWebhook: webhooks one after the other, each seeing what those before it changed. When one changes the
 * object, the whole chain runs a second time, with those webhooks only that asked for it and saw another object.
 */
import { deepEqual, type Json, parseJson } from "@kubewright/core/meta";
import { applyJsonPatch } from "@kubewright/core/patch";
import { internalError, isApiError } from "@kubewright/core/protocol";
import type { ApiObject } from "../../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest, MutatingRequest } from "../admission.ts";
import { convertTo } from "../match-resources.ts";
import { askWebhook, findInvocation, type Invocation, rejection, type Verdict, type WebhookParts } from "./call.ts";
import type { Followed, Webhook } from "./configurations.ts";

const NAME = "MutatingAdmissionWebhook";

/** What the second round must know of the first. */
interface Note {
  /** Webhooks that asked to be called again, and were called before the last change. */
  readonly again: Set<string>;
  /** Called since the last change. */
  readonly sinceChange: Set<string>;
  output: ApiObject;
}

/** Makes the plugin. */
export function mutatingWebhooks(webhooks: Followed<Webhook>, parts: WebhookParts): AdmissionPlugin {
  return {
    name: NAME,
    seesOwners: () => webhooks.current().length > 0,
    mutate: (object, request) => {
      const hooks = webhooks.current();
      return hooks.length === 0 ? object : mutateAll(hooks, { ...request, object }, parts);
    },
    /** Deletions have no object to change, but these webhooks may refuse them all the same. */
    validate: (request) => (request.operation === "DELETE" ? mayRefuse(webhooks.current(), request, parts) : undefined),
  };
}

async function mayRefuse(hooks: readonly Webhook[], request: AdmissionRequest, parts: WebhookParts): Promise<void> {
  for (const webhook of hooks) await refuseOnly(webhook, request, parts);
}

async function mutateAll(hooks: readonly Webhook[], request: MutatingRequest, parts: WebhookParts): Promise<ApiObject> {
  const note = noteOf(request);
  let { object } = request;
  for (const webhook of hooks) {
    const invocation = await findInvocation(webhook, { ...request, object }, parts);
    if (invocation === undefined) continue;
    if (request.reinvocation.isSecondRound && !note.again.has(webhook.id)) continue;
    const changed = await callOne(invocation, { ...request, object }, parts);
    if (changed !== object) noteChange(note, request);
    if (webhook.reinvocationPolicy === "IfNeeded") note.sinceChange.add(webhook.id);
    object = changed;
  }
  note.output = object;
  return object;
}

function noteOf({ reinvocation, object }: MutatingRequest): Note {
  const known = reinvocation.notes.get(NAME) as Note | undefined;
  const note = known ?? { again: new Set<string>(), sinceChange: new Set<string>(), output: object };
  reinvocation.notes.set(NAME, note);
  if (reinvocation.isSecondRound && !deepEqual(note.output, object)) takeOver(note);
  return note;
}

/** Whoever was called before has now seen an older object. */
function takeOver(note: Note): void {
  for (const id of note.sinceChange) note.again.add(id);
  note.sinceChange.clear();
}

function noteChange(note: Note, { reinvocation }: MutatingRequest): void {
  takeOver(note);
  reinvocation.request();
}

async function callOne(invocation: Invocation, request: MutatingRequest, parts: WebhookParts): Promise<ApiObject> {
  const { webhook, matched } = invocation;
  const verdict = await askWebhook(invocation, request, { parts, mutating: true });
  if (verdict === undefined) return request.object;
  if (!verdict.allowed) throw rejection(webhook, verdict);
  if (verdict.patch === "") return request.object;
  const patched = patch(invocation, verdict);
  const own = (await convertTo(patched, matched, request.resource)) ?? patched;
  const settled = request.settle(own);
  return deepEqual(settled, request.object) ? request.object : settled;
}

function patch({ object }: Invocation, { patch: text }: Verdict): ApiObject {
  try {
    return applyJsonPatch(object as Json, parseJson(text)) as ApiObject;
  } catch (error) {
    const cause = isApiError(error) && error.cause instanceof Error ? error.cause : error;
    throw internalError(cause instanceof Error ? cause.message : String(cause), { cause: error });
  }
}

async function refuseOnly(webhook: Webhook, request: AdmissionRequest, parts: WebhookParts): Promise<void> {
  const invocation = await findInvocation(webhook, request, parts);
  if (invocation === undefined) return;
  const verdict = await askWebhook(invocation, request, { parts, mutating: true });
  if (verdict !== undefined && !verdict.allowed) throw rejection(webhook, verdict);
  if (verdict !== undefined && verdict.patch !== "") {
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
}
