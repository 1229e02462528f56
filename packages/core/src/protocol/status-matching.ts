/**
 * Which refusal an error is. Everything looks at data, so errors of another copy of this package match too. A reason
 * that this package does not know falls back to the HTTP code, as in Kubernetes' own clients.
 */
import { type ApiError, isApiError, type StatusCause, type StatusReason } from "./status.ts";
import { TOO_LARGE_RESOURCE_VERSION_CAUSE } from "./status-errors.ts";

/** True when the object (or the resource itself) does not exist. */
export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, "NotFound", 404);
}

/** True when the object exists already. */
export function isAlreadyExists(error: unknown): error is ApiError {
  return hasReason(error, "AlreadyExists");
}

/** True when somebody else changed the object first, or owns the field. */
export function isConflict(error: unknown): error is ApiError {
  return hasReason(error, "Conflict", 409);
}

/** True when a resource version or continue token is too old (410): list again. */
export function isExpired(error: unknown): error is ApiError {
  return hasReason(error, "Expired", 410) || hasReason(error, "Gone");
}

/** True when the object breaks its kind's rules (422). */
export function isInvalid(error: unknown): error is ApiError {
  return hasReason(error, "Invalid", 422);
}

/** True when the request made no sense to the server. */
export function isBadRequest(error: unknown): error is ApiError {
  return hasReason(error, "BadRequest", 400);
}

/** True when the server does not know who asked. */
export function isUnauthorized(error: unknown): error is ApiError {
  return hasReason(error, "Unauthorized", 401);
}

/** True when who asked may not, or an admission plugin refused. */
export function isForbidden(error: unknown): error is ApiError {
  return hasReason(error, "Forbidden", 403);
}

/** True when the resource or path does not have the verb. */
export function isMethodNotAllowed(error: unknown): error is ApiError {
  return hasReason(error, "MethodNotAllowed", 405);
}

/** True when the server cannot answer in an accepted media type. */
export function isNotAcceptable(error: unknown): error is ApiError {
  return hasReason(error, "NotAcceptable", 406);
}

/** True when the server does not understand the body's media type. */
export function isUnsupportedMediaType(error: unknown): error is ApiError {
  return hasReason(error, "UnsupportedMediaType", 415);
}

/** True when the request was larger than the server takes. */
export function isTooLarge(error: unknown): error is ApiError {
  return hasReason(error, "RequestEntityTooLarge", 413);
}

/** True when the server asks to come back later (429); see `retryAfterSecondsOf`. */
export function isTooManyRequests(error: unknown): error is ApiError {
  return hasReason(error, "TooManyRequests") || (isApiError(error) && error.code === 429);
}

/** True when the server failed. */
export function isInternalError(error: unknown): error is ApiError {
  return hasReason(error, "InternalError", 500);
}

/** True when the server, or one behind it, is not ready. */
export function isServiceUnavailable(error: unknown): error is ApiError {
  return hasReason(error, "ServiceUnavailable", 503);
}

/** True when the server gave up waiting (504). The write may still happen. */
export function isTimeout(error: unknown): error is ApiError {
  return hasReason(error, "Timeout", 504);
}

/** True when the operation could not be done in time and nothing was written. */
export function isServerTimeout(error: unknown): error is ApiError {
  return hasReason(error, "ServerTimeout");
}

/** True when the asked resource version is newer than anything the server has seen. */
export function isTooLargeResourceVersion(error: unknown): error is ApiError {
  return isTimeout(error) && statusCause(error, TOO_LARGE_RESOURCE_VERSION_CAUSE) !== undefined;
}

/** The first cause with `reason` in an error's details. */
export function statusCause(error: unknown, reason: string): StatusCause | undefined {
  return isApiError(error) ? error.status.details?.causes?.find((cause) => cause.reason === reason) : undefined;
}

/** After how many seconds the server wants the request again, when it says so. */
export function retryAfterSecondsOf(error: unknown): number | undefined {
  const seconds = isApiError(error) ? (error.status.details?.retryAfterSeconds ?? 0) : 0;
  return seconds > 0 ? seconds : undefined;
}

const KNOWN_REASONS: ReadonlySet<string> = new Set<StatusReason>([
  "AlreadyExists",
  "BadRequest",
  "Conflict",
  "Expired",
  "Forbidden",
  "Gone",
  "InternalError",
  "Invalid",
  "MethodNotAllowed",
  "NotAcceptable",
  "NotFound",
  "RequestEntityTooLarge",
  "ServerTimeout",
  "ServiceUnavailable",
  "StoreReadError",
  "Timeout",
  "TooManyRequests",
  "Unauthorized",
  "UnsupportedMediaType",
]);

function hasReason(error: unknown, reason: StatusReason, code?: number): error is ApiError {
  if (!isApiError(error)) return false;
  return error.reason === reason || (error.code === code && !KNOWN_REASONS.has(error.reason));
}
