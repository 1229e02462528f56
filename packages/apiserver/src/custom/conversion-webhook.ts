/**
 * Conversion of custom resources by the webhook that their CRD names. custom-resources.ts makes one converter per CRD;
 * the registry calls it when a version other than the stored one is read or written. All objects of a list travel in
 * one review. Whatever the webhook answers, only labels and annotations of an object's metadata can change.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import { type Random, randomUuid } from "@kubewright/core/ports";
import type { Crd } from "@kubewright/core/schema";
import { bareError } from "../request/bare-error.ts";
import { requireShallow } from "../request/nesting.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { type CallWebhook, WebhookFailure } from "../webhook/caller.ts";
import { restoreMetadata } from "./converted-metadata.ts";

/** What calling a conversion webhook needs. */
export interface ConversionParts {
  readonly callWebhook: CallWebhook;
  readonly random: Random;
}

const TIMEOUT_SECONDS = 30;
const REVIEW_GROUP = "apiextensions.k8s.io";
const REVIEW_VERSIONS_KNOWN: readonly string[] = ["v1", "v1beta1"];
/** A call ends by its timeout: whoever asked may be gone, others may wait for the same frame of a watch. */
const never = new AbortController().signal;

/** The converter of a CRD; undefined when it names no webhook. */
export function createConversion(
  { spec: { conversion } }: Crd,
  parts: ConversionParts,
): ServedResource["convert"] | undefined {
  if (conversion?.strategy !== "Webhook" || conversion.webhook === undefined) return undefined;
  const { webhook } = conversion;
  return async (objects, apiVersion) => {
    const strangers = objects.filter((object) => object.apiVersion !== apiVersion);
    const [first] = strangers;
    if (first === undefined) return objects;
    const review = { webhook, objects: strangers, apiVersion };
    const answers = await callForObjects(review, describeKind(first), parts);
    const converted = new Map(
      strangers.map((object, index) => [object, acceptConverted(object, answers[index], { apiVersion, index })]),
    );
    return objects.map((object) => converted.get(object) ?? object);
  };
}

type ConversionWebhook = NonNullable<NonNullable<Crd["spec"]["conversion"]>["webhook"]>;

interface Review {
  readonly webhook: ConversionWebhook;
  readonly objects: readonly ApiObject[];
  readonly apiVersion: string;
}

async function callForObjects(
  { webhook, objects, apiVersion }: Review,
  kind: string,
  { callWebhook, random }: ConversionParts,
): Promise<readonly Json[]> {
  const version = webhook.conversionReviewVersions.find((each) => REVIEW_VERSIONS_KNOWN.includes(each));
  if (version === undefined) throw bareError(500, "no supported conversion review versions");
  const reviewVersion = `${REVIEW_GROUP}/${version}`;
  const uid = randomUuid(random);
  const request = { uid, desiredAPIVersion: apiVersion, objects };
  const body = stringifyJson({ kind: "ConversionReview", apiVersion: reviewVersion, request });
  const target = webhook.clientConfig ?? {};
  try {
    const answer = await callWebhook({ target, body, timeoutSeconds: TIMEOUT_SECONDS, signal: never });
    const converted = readResponse(answer, { uid, reviewVersion });
    if (converted.length === objects.length) return converted;
    throw bareError(
      500,
      `conversion webhook for ${kind} returned ${converted.length} objects, expected ${objects.length}`,
    );
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    throw bareError(500, `conversion webhook for ${kind} failed: ${error.message}`);
  }
}

function readResponse(
  review: JsonObject,
  { uid, reviewVersion }: { readonly uid: string; readonly reviewVersion: string },
): readonly Json[] {
  const isStrict = reviewVersion.endsWith("/v1"); // v1beta1 never looked at the kind and the uid.
  const given = describeKind(review);
  const expected = describeKind({ apiVersion: reviewVersion, kind: "ConversionReview" });
  if (isStrict && given !== expected) throw failure(`expected webhook response of ${expected}, got ${given}`);
  const response = getKey(review, "response");
  if (!isJsonObject(response)) throw failure("no response provided");
  const givenUid = String(getKey(response, "uid") ?? "");
  if (isStrict && givenUid !== uid) {
    throw failure(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(givenUid)}`);
  }
  requireSuccess(getKey(response, "result"));
  const converted = getKey(response, "convertedObjects");
  return isJsonArray(converted) ? converted : [];
}

function requireSuccess(result: Json | undefined): void {
  const { status = "", message = "" } = isJsonObject(result) ? result : {};
  if (status === "Success") return;
  throw failure(message === "" ? `response.result.status was '${status}', not 'Success'` : String(message));
}

function failure(message: string): WebhookFailure {
  return new WebhookFailure(message);
}

/** What the webhook made of `original`, with the metadata that it may not change; throws when it is something else. */
function acceptConverted(
  original: ApiObject,
  answer: Json | undefined,
  { apiVersion, index }: { readonly apiVersion: string; readonly index: number },
): ApiObject {
  const invalid = (why: string): Error =>
    bareError(500, `conversion webhook for ${describeKind(original)} returned invalid ${why}`);
  const converted = requireShallow(isJsonObject(answer) ? answer : {});
  const given = String(getKey(converted, "apiVersion") ?? "");
  const place = `object at index ${index}:`;
  if (given !== apiVersion) throw invalid(`${place} invalid groupVersion (expected ${apiVersion}, received ${given})`);
  const kind = String(getKey(converted, "kind") ?? "");
  if (kind !== original.kind) throw invalid(`${place} invalid kind (expected ${original.kind}, received ${kind})`);
  const { metadata, problem } = restoreMetadata(original.metadata, getKey(converted, "metadata"));
  if (problem !== undefined) throw invalid(problem);
  return withMetadata({ ...converted, apiVersion, kind, metadata }, {});
}

/** A kind as Go prints one: "example.com/v1, Kind=Widget". */
function describeKind(object: JsonObject): string {
  const apiVersion = String(getKey(object, "apiVersion") ?? "");
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${getKey(object, "kind") ?? ""}`;
}
