/**
 * One API call: sends a request and returns the decoded answer or throws. A refusal by the server becomes an `ApiError` with
 * the server's Status; no answer at all becomes an `UnreachableError`.
 */
import { parseJson } from "@kubewright/core/meta";
import { readBody, type Transport, type TransportRequest, type TransportResponse } from "@kubewright/core/ports";
import { type FailedRequest, responseError } from "@kubewright/core/protocol";
import { unreachableError } from "./unreachable-error.ts";

/** A request, and what its failure is told to be about. */
export interface Call {
  readonly request: TransportRequest;
  readonly about: FailedRequest;
}

/** A successful answer, decoded. */
export interface CallAnswer {
  /** The decoded JSON body; undefined when there was none. */
  readonly body: unknown;
  /** Texts of the server's Warning headers. */
  readonly warnings: readonly string[];
}

/** Sends one request and decodes its answer. */
export async function sendCall(transport: Transport, call: Call): Promise<CallAnswer> {
  const response = await openCall(transport, call);
  const warnings = parseWarnings(response.headers["warning"]);
  if (response.value !== undefined) return { body: response.value, warnings };
  const body = await readAll(response, call.request);
  return { body: body.byteLength === 0 ? undefined : parseJson(body), warnings };
}

/** Sends one request and returns its body as a stream; refusals throw as in `sendCall`. */
export async function openCall(transport: Transport, { request, about }: Call): Promise<TransportResponse> {
  let response: TransportResponse;
  try {
    response = await transport.send(request);
  } catch (error) {
    throw toUnreachable(request, error);
  }
  if (isSuccess(response.status)) return response;
  const retryAfterSeconds = Number(response.headers["retry-after"] ?? 0) || 0;
  throw responseError(about, { code: response.status, body: await readAll(response, request), retryAfterSeconds });
}

/** 101 is the answer to requests for a connection of messages. */
function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 101;
}

async function readAll(response: TransportResponse, request: TransportRequest): Promise<Uint8Array> {
  try {
    return await readBody(response.body);
  } catch (error) {
    throw toUnreachable(request, error);
  }
}

/** An aborted request ends with its signal's reason: the caller wanted it so. */
function toUnreachable(request: TransportRequest, error: unknown): unknown {
  return request.signal?.aborted === true ? request.signal.reason : unreachableError(request, error);
}

/** The quoted texts of `299 - "text"` values; commas and escaped quotes inside a text are kept. */
export function parseWarnings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const matches = header.matchAll(/\b299 [^ ]+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(matches, (match) => (match[1] ?? "").replace(/\\(.)/g, "$1"));
}
