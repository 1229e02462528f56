/**
 * The API's error value: a Status. Servers make them with the functions of status-errors.ts, clients receive them as
 * `ApiError`, and both match them with the helpers of status-matching.ts, which look at data and never at classes.
 */
import { getKey, isJsonObject, type JsonObject } from "../meta/json.ts";

/** Why a request failed, in Kubernetes' words. */
export type StatusReason =
  | "AlreadyExists"
  | "BadRequest"
  | "Conflict"
  | "Expired"
  | "Forbidden"
  | "Gone"
  | "InternalError"
  | "Invalid"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "NotFound"
  | "RequestEntityTooLarge"
  | "ServerTimeout"
  | "ServiceUnavailable"
  | "StoreReadError"
  | "Timeout"
  | "TooManyRequests"
  | "Unauthorized"
  | "UnsupportedMediaType"
  | "Unknown";

/** One cause among several. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What the failure is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body of a failed (or a bodiless successful) request. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A request that the API server refused, or a refusal about to be sent. */
export class ApiError extends Error {
  /** Marks the value for `isApiError`, across copies of this package. */
  readonly apiError = true;
  /** The HTTP status code. */
  readonly code: number;
  readonly reason: StatusReason;
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? "unknown error", options);
    this.name = "ApiError";
    this.code = status.code ?? 500;
    this.reason = status.reason ?? "Unknown";
    this.status = status;
  }
}

/** Makes an `ApiError` from its parts. */
export function apiError(
  code: number,
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
  options?: ErrorOptions,
): ApiError {
  return new ApiError(
    {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason,
      ...(details === undefined ? {} : { details }),
      code,
    },
    options,
  );
}

/** True for refusals by an API server. */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && "apiError" in error && error.apiError === true;
}

/** True for a Status, as a failed (or a bodiless successful) request returns it. */
export function isStatus(value: unknown): value is Status & JsonObject {
  if (!isJsonObject(value) || getKey(value, "kind") !== "Status") return false;
  const apiVersion = getKey(value, "apiVersion");
  return apiVersion === "v1" || apiVersion === "meta.k8s.io/v1";
}

/** The Status of a success that returns no object. */
export function successStatus(details: StatusDetails): Status {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
