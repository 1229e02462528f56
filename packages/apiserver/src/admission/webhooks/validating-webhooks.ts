/** ValidatingAdmissionWebhook: all webhooks at once; the first that refuses, in their order, is what the client sees. */
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { askWebhook, findInvocation, type Invocation, rejection, type WebhookParts } from "./call.ts";
import type { Followed, Webhook } from "./configurations.ts";

/** Makes the plugin. */
export function validatingWebhooks(webhooks: Followed<Webhook>, parts: WebhookParts): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    seesOwners: () => webhooks.current().length > 0,
    validate(request) {
      const hooks = webhooks.current();
      return hooks.length === 0 ? undefined : askAll(hooks, request, parts);
    },
  };
}

async function askAll(hooks: readonly Webhook[], request: AdmissionRequest, parts: WebhookParts): Promise<void> {
  const invocations: Invocation[] = [];
  for (const webhook of hooks) {
    const invocation = await findInvocation(webhook, request, parts);
    if (invocation !== undefined) invocations.push(invocation);
  }
  const ask = async (invocation: Invocation): Promise<void> => {
    const verdict = await askWebhook(invocation, request, { parts, mutating: false });
    if (verdict !== undefined && !verdict.allowed) throw rejection(invocation.webhook, verdict);
  };
  const outcomes = await Promise.allSettled(invocations.map(ask));
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  if (refused !== undefined) throw refused.reason;
}
