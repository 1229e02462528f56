/**
 * One admission webhook, asked: is it concerned → AdmissionReview → call → check the answer. The mutating and the
 * validating plugin use it; what an answer means for the request is theirs.
 */
import { getKey, isJsonObject, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import { type Random, randomUuid } from "@kubewright/core/ports";
import {
  ApiError,
  badRequest,
  forbidden,
  internalError,
  type Status,
  type StatusReason,
} from "@kubewright/core/protocol";
import type { Authorize } from "../../auth/authorization.ts";
import type { ApiObject } from "../../resource/object.ts";
import type { ServedResource } from "../../resource/resource.ts";
import { type CallWebhook, WebhookFailure } from "../../webhook/caller.ts";
import type { AdmissionRequest } from "../admission.ts";
import { convertTo, type EquivalentsOf, isExempt, matchResource } from "../match-resources.ts";
import { describeRequest } from "../review-request.ts";
import type { Webhook } from "./configurations.ts";

/** What asking webhooks needs. */
export interface WebhookParts {
  readonly callWebhook: CallWebhook;
  readonly equivalentsOf: EquivalentsOf;
  readonly authorize: Authorize;
  readonly random: Random;
}

/** A request as one webhook is to see it. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly matched: ServedResource;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** How a webhook is to see a request; undefined when it does not concern it. Throws a 403 for failing conditions. */
export async function findInvocation(
  webhook: Webhook,
  request: AdmissionRequest,
  { equivalentsOf, authorize }: WebhookParts,
): Promise<Invocation | undefined> {
  if (isExempt(request)) return undefined;
  const matched = matchResource(webhook, request, equivalentsOf);
  if (matched === undefined) return undefined;
  const object = await convertTo(request.object, request.resource, matched);
  const oldObject = await convertTo(request.oldObject, request.resource, matched);
  const invocation = { webhook, matched, object, oldObject };
  const { matchConditions: conditions = [] } = webhook;
  if (conditions.length === 0) return invocation;
  const { matchConditions, variablesOf } = await import("../expressions.ts");
  const { matches, error } = matchConditions(
    conditions,
    variablesOf({ request, matched, object, oldObject, authorize }),
  );
  if (error !== undefined && webhook.failurePolicy !== "Ignore") {
    throw forbidden(request.resource.definition, request.name, error);
  }
  return matches ? invocation : undefined;
}

/** What a webhook said. */
export interface Verdict {
  readonly allowed: boolean;
  /** The JSON patch, as text; "" without one. */
  readonly patch: string;
  readonly result: JsonObject;
}

/**
 * Asks a webhook. Undefined when it failed and failures are to be ignored; throws the 500 when they are not, and the
 * 400 for dry runs that the webhook cannot serve. Its warnings are passed on.
 */
export async function askWebhook(
  invocation: Invocation,
  request: AdmissionRequest,
  { parts, mutating }: { readonly parts: WebhookParts; readonly mutating: boolean },
): Promise<Verdict | undefined> {
  const { webhook } = invocation;
  requireDryRunSupport(webhook, request);
  try {
    const response = await callForResponse(invocation, request, parts);
    const verdict = readVerdict(response, mutating);
    for (const warning of textsOf(getKey(response, "warnings"))) request.warn(warning);
    return verdict;
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.failurePolicy === "Ignore") return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`, { cause: error });
  }
}

function requireDryRunSupport({ name, sideEffects }: Webhook, { dryRun }: AdmissionRequest): void {
  if (!dryRun || sideEffects === "None" || sideEffects === "NoneOnDryRun") return;
  throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

async function callForResponse(
  { webhook, matched, object, oldObject }: Invocation,
  request: AdmissionRequest,
  { callWebhook, random }: WebhookParts,
): Promise<JsonObject> {
  const version = webhook.admissionReviewVersions?.find((each) => each === "v1" || each === "v1beta1");
  if (version === undefined) {
    throw new WebhookFailure(
      "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)",
    );
  }
  const uid = randomUuid(random);
  const apiVersion = `admission.k8s.io/${version}`;
  const told = { uid, ...describeRequest(request, matched), object: object ?? null, oldObject: oldObject ?? null };
  const body = stringifyJson({ kind: "AdmissionReview", apiVersion, request: told });
  const { clientConfig, timeoutSeconds = 10 } = webhook;
  const review = await callWebhook({ target: clientConfig, body, timeoutSeconds, signal: request.signal }).catch(
    (error: unknown) => {
      throw error instanceof WebhookFailure ? new WebhookFailure(`failed to call webhook: ${error.message}`) : error;
    },
  );
  return readResponse(review, { uid, apiVersion });
}

function readResponse(
  review: JsonObject,
  { uid, apiVersion }: { readonly uid: string; readonly apiVersion: string },
): JsonObject {
  const response = getKey(review, "response");
  if (!isJsonObject(response)) throw invalidResponse("webhook response was absent");
  if (apiVersion.endsWith("beta1")) return response;
  if (getKey(response, "uid") !== uid) {
    throw invalidResponse(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(getKey(response, "uid") ?? "")}`,
    );
  }
  const { apiVersion: givenVersion = "", kind = "" } = review;
  if (givenVersion !== apiVersion || kind !== "AdmissionReview") {
    const given = `${givenVersion === "" ? "/" : String(givenVersion)}, Kind=${String(kind)}`;
    throw invalidResponse(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${given}`);
  }
  return response;
}

function readVerdict(response: JsonObject, mutating: boolean): Verdict {
  const patch = String(getKey(response, "patch") ?? "");
  const patchType = getKey(response, "patchType") ?? undefined;
  if (!mutating) {
    if (patch !== "") throw invalidResponse("validating webhook may not return response.patch");
    if (patchType !== undefined) throw invalidResponse("validating webhook may not return response.patchType");
  } else if (patch !== "" && patchType === undefined) {
    throw invalidResponse("webhook returned response.patch but not response.patchType");
  } else if (patch === "" && patchType !== undefined) {
    throw invalidResponse("webhook returned response.patchType but not response.patch");
  } else if (patchType !== undefined && patchType !== "JSONPatch") {
    throw new WebhookFailure(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
  const status = getKey(response, "status") ?? getKey(response, "result");
  return {
    allowed: getKey(response, "allowed") === true,
    patch: Buffer.from(patch, "base64").toString("utf8"),
    result: isJsonObject(status) ? status : {},
  };
}

function invalidResponse(why: string): WebhookFailure {
  return new WebhookFailure(`received invalid webhook response: ${why}`);
}

/** The refusal of a webhook: its own code, reason and details, never a success. */
export function rejection({ name }: Webhook, { result }: Verdict): ApiError {
  const message = String(getKey(result, "message") ?? "");
  const reason = String(getKey(result, "reason") ?? "");
  const code = Number(getKey(result, "code") ?? 0);
  const why = message !== "" ? `: ${message}` : reason !== "" ? `: ${reason}` : " without explanation";
  const details = getKey(result, "details");
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `admission webhook ${JSON.stringify(name)} denied the request${why}`,
    ...(reason === "" ? {} : { reason: reason as StatusReason }),
    ...(isJsonObject(details) ? { details: details as NonNullable<Status["details"]> } : {}),
    code: code < 400 ? 400 : code,
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
