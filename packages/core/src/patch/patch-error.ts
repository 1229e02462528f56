/**
 * The refusals of the patch algorithms, as the API server answers them. The inner reason stands in `cause`, because
 * Kubernetes keeps it out of the 422's message.
 */
import { ApiError, apiError } from "../protocol/status.ts";

/** 400: the patch itself cannot be read. */
export function badPatch(message: string): ApiError {
  return apiError(400, "BadRequest", message);
}

/** 422: the patch can be read but does not fit this object; `why` says where. */
export function patchDoesNotApply(why: string): ApiError {
  const message = "the server rejected our request due to an error in our request";
  return apiError(422, "Invalid", message, {}, { cause: new Error(why) });
}

/** 500: what kube-apiserver reports as an error of its own, without a reason, although the patch is at fault. */
export function patchFailed(message: string): ApiError {
  return new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code: 500 });
}
