/**
 * From a refused request's response to the `ApiError` that a client throws. A Status in the body is taken as it is;
 * any other body (a proxy's page, nothing) becomes the error that kubectl would show for the code.
 */
import { getKey, isJsonObject } from "../meta/json.ts";
import { parseJson } from "../meta/json-text.ts";
import { isMalformed } from "../meta/malformed.ts";
import { formatGroupResource, type GroupResource } from "../meta/resource.ts";
import { quote } from "./go-format.ts";
import { ApiError, apiError, isStatus, type StatusDetails, type StatusReason } from "./status.ts";

/** What the failed request was. */
export interface FailedRequest {
  readonly method: string;
  /** Absent for paths outside of resources. */
  readonly resource?: GroupResource;
  /** @default "" */
  readonly name?: string;
}

/** A response with a code of 400 or more. */
export interface FailedResponse {
  readonly code: number;
  readonly body: string | Uint8Array;
  /** The Retry-After header, in seconds. @default 0 */
  readonly retryAfterSeconds?: number;
}

/** The error that a refused request ends with. */
export function responseError(request: FailedRequest, response: FailedResponse): ApiError {
  const value = parseBody(response.body);
  if (isStatus(value) && getKey(value, "status") !== "Success") {
    return new ApiError(value.code === undefined ? { ...value, code: response.code } : value);
  }
  return genericError(request, response);
}

/** The server's text is shown to people, so a page of HTML is cut. */
const SERVER_MESSAGE_LENGTH_MAX = 1024;

function genericError(request: FailedRequest, response: FailedResponse): ApiError {
  const { code, retryAfterSeconds = 0 } = response;
  const text = bodyText(response.body);
  const [reason, message] = describeCode(request.method, code, text);
  const details: StatusDetails = {
    ...(request.name === undefined || request.name === "" ? {} : { name: request.name }),
    ...(request.resource === undefined || request.resource.group === "" ? {} : { group: request.resource.group }),
    ...(request.resource === undefined ? {} : { kind: request.resource.plural }),
    causes: [{ reason: "UnexpectedServerResponse", message: text }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  };
  return apiError(code, reason, `${message}${describeRequest(request)}`, details);
}

const GENERIC: ReadonlyMap<number, readonly [StatusReason, string]> = new Map<number, readonly [StatusReason, string]>([
  [400, ["BadRequest", "the server rejected our request for an unknown reason"]],
  [401, ["Unauthorized", "the server has asked for the client to provide credentials"]],
  [404, ["NotFound", "the server could not find the requested resource"]],
  [405, ["MethodNotAllowed", "the server does not allow this method on the requested resource"]],
  [409, ["Conflict", "the server reported a conflict"]],
  [422, ["Invalid", "the server rejected our request due to an error in our request"]],
  [429, ["TooManyRequests", "the server has received too many requests and has asked us to try again later"]],
  [503, ["ServiceUnavailable", "the server is currently unable to handle the request"]],
  [
    504,
    [
      "Timeout",
      "the server was unable to return a response in the time allotted, but may still be processing the request",
    ],
  ],
]);

function describeCode(method: string, code: number, text: string): readonly [StatusReason, string] {
  switch (code) {
    case 403:
      return ["Forbidden", text];
    case 406:
      if (text !== "") return ["NotAcceptable", text];
      return ["NotAcceptable", "the server was unable to respond with a content type that the client supports"];
    case 409:
      return [method === "POST" ? "AlreadyExists" : "Conflict", "the server reported a conflict"];
    case 415:
      return ["UnsupportedMediaType", text];
  }
  const known = GENERIC.get(code);
  if (known !== undefined) return known;
  if (code >= 500) {
    return ["InternalError", `an error on the server (${quote(text)}) has prevented the request from succeeding`];
  }
  return ["Unknown", `the server responded with the status code ${code} but did not return more information`];
}

function describeRequest({ method, resource, name = "" }: FailedRequest): string {
  if (resource === undefined) return "";
  return ` (${[method.toLowerCase(), formatGroupResource(resource), name].filter((word) => word !== "").join(" ")})`;
}

function parseBody(body: string | Uint8Array) {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (isMalformed(error)) return undefined; // Not every answer is JSON; the generic error shows it.
    throw error;
  }
}

function bodyText(body: string | Uint8Array): string {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return text.trim().slice(0, SERVER_MESSAGE_LENGTH_MAX);
}
