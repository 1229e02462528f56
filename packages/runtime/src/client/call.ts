/**
 * One API call: sends a request and decodes its answer, or throws. A refusal by the server becomes an `ApiError` with
 * the server's Status; no answer at all becomes an `UnreachableError`.
 */
import { parseJson } from "@kubewright/core/meta";
import { readBody, type Transport, type TransportRequest, type TransportResponse } from "@kubewright/core/ports";
import { decodeSlimObject, type FailedRequest, responseError } from "@kubewright/core/protocol";
import type { AnyDefinition } from "./definitions.ts";
import type { PathParts } from "./encode-request.ts";
import { unreachableError } from "./unreachable-error.ts";

/** What a request is about, for gates and for errors; requests by path are about nothing in particular. */
export interface About {
  readonly what: AnyDefinition;
  readonly parts: PathParts;
}

/** Sends one request; its answer is still to be read. */
export async function openCall(
  transport: Transport,
  request: TransportRequest,
  about: About | undefined,
): Promise<TransportResponse> {
  let response: TransportResponse;
  try {
    response = await transport.send(request);
  } catch (error) {
    throw toUnreachable(request, error);
  }
  if (isSuccess(response.status)) return response;
  const retryAfterSeconds = Number(response.headers["retry-after"] ?? 0) || 0;
  const failed = failureOf(request.method, about);
  throw responseError(failed, { code: response.status, body: await readAll(response, request), retryAfterSeconds });
}

function failureOf(method: string, about: About | undefined): FailedRequest {
  if (about === undefined) return { method };
  const { name } = about.parts;
  return name === undefined ? { method, resource: about.what } : { method, resource: about.what, name };
}

/**
 * The decoded JSON body of an answer, undefined when there was none; at once where it is handed over as it is. A lean one comes without
 * managedFields where that saves decoding them.
 */
export function readAnswer(response: TransportResponse, request: TransportRequest, isLean: boolean): unknown {
  return response.value ?? decodeBody(response, request, isLean);
}

async function decodeBody(response: TransportResponse, request: TransportRequest, isLean: boolean): Promise<unknown> {
  const body = await readAll(response, request);
  if (body.byteLength === 0) return undefined;
  return (isLean ? decodeSlimObject(body) : undefined) ?? parseJson(body);
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
export function parseWarnings(header: string): readonly string[] {
  const matches = header.matchAll(/\b299 [^ ]+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(matches, (match) => (match[1] ?? "").replace(/\\(.)/g, "$1"));
}
