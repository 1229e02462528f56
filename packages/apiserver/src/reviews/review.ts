/**
 * Reviews: objects that are answered instead of stored. A review endpoint decodes, admits, lets `answer` fill in the
 * status, and answers 201. Access reviews, token reviews and token requests are made with it.
 */
import { apiVersionOf, isJsonObject, type JsonObject } from "@kubewright/core/meta";
import { admitMutating, admitValidating } from "../admission/admission.ts";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import { decodeBody } from "../endpoints/decode.ts";
import { type BodyKind, parseBody } from "../endpoints/parse-body.ts";
import { negotiate } from "../endpoints/representation.ts";
import { respondJson } from "../endpoints/respond.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { admissionRequest } from "../registry/write-request.ts";
import { type ApiObject, withFields } from "../resource/object.ts";

/** Runs the validating admission; called once the review itself is valid. */
export type AdmitReview = (review: ApiObject) => void | Promise<void>;

/** Answers a review; throws to refuse it. */
export type ReviewAnswer = (review: ApiObject, call: ResourceCall, admit: AdmitReview) => Promise<ApiObject>;

/** Makes the endpoint of a review whose bodies are of `kind`; of the resource's own kind when absent. */
export function reviewEndpoint(answer: ReviewAnswer, kind?: BodyKind): Endpoint {
  return async (call) => {
    const representation = negotiate(call);
    const review = kind === undefined ? (await decodeBody(call)).object : await decodeKind(call, kind);
    const write = await toWriteRequest(call, "CreateOptions");
    const admission = admissionRequest(call.backend, write, "CREATE");
    const mutated = await admitMutating(call.backend.admission, { ...admission, object: review }, (object) => object);
    const admit: AdmitReview = (object) => admitValidating(call.backend.admission, { ...admission, object });
    return respondJson(representation, 201, await answer(mutated, call, admit));
  };
}

/** The body of a subresource that has a kind of its own. */
async function decodeKind({ request }: ResourceCall, kind: BodyKind): Promise<ApiObject> {
  const { value } = await parseBody(request, kind);
  const { metadata } = value;
  return {
    ...value,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: isJsonObject(metadata) ? metadata : {},
  };
}

/** The spec of a review. */
export function specOf(review: ApiObject): JsonObject {
  const { spec } = review;
  return isJsonObject(spec) ? spec : {};
}

/** The review with a status. */
export function withStatus(review: ApiObject, status: JsonObject): ApiObject {
  return withFields(review, { status });
}

/** A field of JSON that should be a text; "" when it is not there. */
export function textAt(object: JsonObject, key: string): string {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** A field of JSON that should be a list of texts. */
export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
