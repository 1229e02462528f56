/**
 * Conversion of custom resources by a webhook: objects go out in a ConversionReview and come back in the wanted version,
 * all in one call. What comes back may differ in content, labels and annotations, never in identity. Serving a version
 * that is not the stored one calls it (registry/read.ts).
 */
import { getKey, isJsonArray, isJsonObject, type JsonObject, stringifyJson } from "@kubewright/core/meta";
import { type Random, randomUuid } from "@kubewright/core/ports";
import { bareError } from "../request/bare-error.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { type CallWebhook, WebhookFailure, type WebhookTarget } from "../webhook/caller.ts";

/** What conversion needs. */
export interface ConversionParts {
  readonly callWebhook: CallWebhook;
  readonly random: Random;
}

/** How a CRD's webhook is reached, and which reviews it understands. */
export interface ConversionWebhook {
  readonly clientConfig?: WebhookTarget;
  readonly conversionReviewVersions?: readonly string[];
}

const TIMEOUT_SECONDS = 30;
const GROUP = "apiextensions.k8s.io";

/** Makes the conversion of a resource. */
export function convertByWebhook(
  webhook: ConversionWebhook,
  { callWebhook, random }: ConversionParts,
): NonNullable<ServedResource["convert"]> {
  return async (objects, apiVersion) => {
    const outdated = objects.filter((object) => object.apiVersion !== apiVersion);
    const [first] = outdated;
    if (first === undefined) return objects;
    const uid = randomUuid(random);
    const request = { uid, desiredAPIVersion: apiVersion, objects: outdated };
    const fail = (why: string): Error => bareError(500, `conversion webhook for ${describeKind(first)} ${why}`);
    const review = await callWebhook({
      target: webhook.clientConfig ?? {},
      body: stringifyJson({ kind: "ConversionReview", apiVersion: `${GROUP}/v1`, request }),
      timeoutSeconds: TIMEOUT_SECONDS,
      signal: new AbortController().signal,
    }).catch((error: unknown) => {
      throw error instanceof WebhookFailure ? fail(`failed: ${error.message}`) : error;
    });
    const converted = readConverted(review, uid, fail);
    if (converted.length !== outdated.length) {
      throw fail(`returned ${converted.length} objects, expected ${outdated.length}`);
    }
    const checked = converted.map((object, index) =>
      checkConverted(object, { original: outdated[index] ?? object, apiVersion, index, fail }),
    );
    const byOriginal = new Map(outdated.map((object, index) => [object, checked[index]]));
    return objects.map((object) => byOriginal.get(object) ?? object);
  };
}

type Fail = (why: string) => Error;

function readConverted(review: JsonObject, uid: string, fail: Fail): readonly ApiObject[] {
  const response = getKey(review, "response");
  if (!isJsonObject(response)) throw fail("failed: no response provided");
  if (getKey(response, "uid") !== uid) {
    const given = JSON.stringify(getKey(response, "uid") ?? "");
    throw fail(`failed: expected response.uid=${JSON.stringify(uid)}, got ${given}`);
  }
  const result = getKey(response, "result");
  const { status = "", message = "" } = isJsonObject(result) ? result : {};
  if (status !== "Success") {
    const why = message === "" ? `response.result.status was '${String(status)}', not 'Success'` : String(message);
    throw fail(`failed: ${why}`);
  }
  const objects = getKey(response, "convertedObjects");
  return (isJsonArray(objects) ? objects.filter(isJsonObject) : []) as unknown as readonly ApiObject[];
}

interface ConvertedPlace {
  readonly original: ApiObject;
  readonly apiVersion: string;
  readonly index: number;
  readonly fail: Fail;
}

function checkConverted(object: ApiObject, { original, apiVersion, index, fail }: ConvertedPlace): ApiObject {
  const invalid = (why: string): Error => fail(`returned invalid converted object at index ${index}: ${why}`);
  if (object.apiVersion !== apiVersion) {
    throw invalid(`invalid groupVersion (expected ${apiVersion}, received ${object.apiVersion})`);
  }
  if (object.kind !== original.kind) throw invalid(`invalid kind (expected ${original.kind}, received ${object.kind})`);
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  for (const field of ["name", "namespace", "uid"] as const) {
    const [given, wanted] = [metadata[field] ?? "", original.metadata[field] ?? ""];
    if (given === wanted) continue;
    const what = field === "uid" ? "UID" : field;
    throw fail(
      `returned invalid metadata in object at index ${index}: must have the same ${what}: ${given} != ${wanted}`,
    );
  }
  const { labels, annotations } = metadata;
  return withMetadata({ ...object, metadata: original.metadata }, { labels, annotations });
}

function describeKind({ apiVersion, kind }: ApiObject): string {
  return `${apiVersion}, Kind=${kind}`;
}
