/**
 * The refusals of an API server, one function per reason, in Kubernetes' words. Servers throw them; what clients get
 * is the same value made again from the Status in the response (response-error.ts).
 */
import { formatGroupResource, type GroupResource } from "../meta/resource.ts";
import { quote } from "./go-format.ts";
import { type ApiError, apiError, type StatusDetails } from "./status.ts";

/** 404: there is no such object. */
export function notFound(resource: GroupResource, name: string): ApiError {
  return apiError(404, "NotFound", `${quoted(resource, name)} not found`, detailsOf(resource, name));
}

/** 409: an object of that name exists. */
export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return apiError(409, "AlreadyExists", `${quoted(resource, name)} already exists`, detailsOf(resource, name));
}

/** 409: every name generated for the object was taken. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): ApiError {
  const message = `${quoted(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return apiError(409, "AlreadyExists", message, { ...detailsOf(resource, name), retryAfterSeconds });
}

/** The explanation of a conflict when the version written to is not the stored one. */
export const OPTIMISTIC_LOCK_MESSAGE =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 409: the write does not fit what is stored. */
export function conflict(resource: GroupResource, name: string, explanation: string): ApiError {
  const message = `Operation cannot be fulfilled on ${quoted(resource, name)}: ${explanation}`;
  return apiError(409, "Conflict", message, detailsOf(resource, name));
}

/** 400: the request makes no sense. */
export function badRequest(message: string, options?: ErrorOptions): ApiError {
  return apiError(400, "BadRequest", message, undefined, options);
}

/** 401: who asks is unknown. */
export function unauthorized(message = "Unauthorized"): ApiError {
  return apiError(401, "Unauthorized", message);
}

/** 403: who asks may not, or an admission plugin refuses. No resource for other paths; name "" for collections. */
export function forbidden(resource: GroupResource | undefined, name: string, explanation: string): ApiError {
  if (resource === undefined) return apiError(403, "Forbidden", `forbidden: ${explanation}`, {});
  const what = name === "" ? formatGroupResource(resource) : quoted(resource, name);
  return apiError(403, "Forbidden", `${what} is forbidden: ${explanation}`, detailsOf(resource, name));
}

/** 405: this path never has that method. */
export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return apiError(405, "MethodNotAllowed", message, {});
}

/** 405: the resource does not have that verb. */
export function methodNotSupported(resource: GroupResource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind ${quote(formatGroupResource(resource))}`;
  return apiError(405, "MethodNotAllowed", message, detailsOf(resource, ""));
}

/** 406: no media type of the Accept header can be made. */
export function notAcceptable(mediaTypes: readonly string[]): ApiError {
  const message = `only the following media types are accepted: ${mediaTypes.join(", ")}`;
  return apiError(406, "NotAcceptable", message);
}

/** 415: the body's media type is not understood. */
export function unsupportedMediaType(mediaTypes: readonly string[]): ApiError {
  const list = mediaTypes.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return apiError(415, "UnsupportedMediaType", message);
}

/** 410: a resource version or continue token is too old; list again. */
export function expired(message: string): ApiError {
  return apiError(410, "Expired", message);
}

/** 410: the thing was there and will not come back. */
export function gone(message: string): ApiError {
  return apiError(410, "Gone", message);
}

/** 413: the request is larger than the server takes. */
export function tooLarge(explanation: string): ApiError {
  return apiError(413, "RequestEntityTooLarge", `Request entity too large: ${explanation}`);
}

/** 429: come back later. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return apiError(429, "TooManyRequests", message, retryDetails(retryAfterSeconds));
}

/** 500: the server failed. The cause's message is shown, so it must be fit for clients. */
export function internalError(explanation: string, options?: ErrorOptions): ApiError {
  const details = { causes: [{ message: explanation }] };
  return apiError(500, "InternalError", `Internal error occurred: ${explanation}`, details, options);
}

/** 500: the operation could not be done in time, and trying again may help. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  return apiError(500, "ServerTimeout", message, {
    ...detailsOf(resource, operation),
    ...retryDetails(retryAfterSeconds),
  });
}

/** 503: the server, or one behind it, is not ready. */
export function serviceUnavailable(message: string): ApiError {
  return apiError(503, "ServiceUnavailable", message);
}

/** 504: no answer in the time allotted. */
export function timeout(explanation: string, retryAfterSeconds: number): ApiError {
  return apiError(504, "Timeout", `Timeout: ${explanation}`, retryDetails(retryAfterSeconds));
}

/** 504: the asked version is newer than anything the server has seen. */
export function tooLargeResourceVersion(asked: bigint | string, current: bigint | string): ApiError {
  const explanation = `Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: TOO_LARGE_RESOURCE_VERSION_CAUSE, message: "Too large resource version" }];
  return apiError(504, "Timeout", `Timeout: ${explanation}`, { causes, retryAfterSeconds: 1 });
}

/** The cause in the 504 for a version from the future. */
export const TOO_LARGE_RESOURCE_VERSION_CAUSE = "ResourceVersionTooLarge";

function quoted(resource: GroupResource, name: string): string {
  return `${formatGroupResource(resource)} ${quote(name)}`;
}

function detailsOf({ group, plural }: GroupResource, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: plural };
}

function retryDetails(retryAfterSeconds: number): StatusDetails {
  return retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
}
