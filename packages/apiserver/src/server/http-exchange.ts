/**
 * One exchange on a socket: the request is read up to its limit, served, and the answer written at the client's pace.
 * Works for HTTP/1.1 and for HTTP/2 through Node.js' compatible interface. Never throws: a broken connection ends it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { stringifyJson } from "@kubewright/core/meta";
import { HEADER_VALUE_END, type Headers } from "@kubewright/core/ports";
import { tooLarge } from "@kubewright/core/protocol";
import { BODY_BYTES_MAX } from "../request/nesting.ts";
import type { ApiResponse, Connection } from "../request/request.ts";
import { GZIP_HEADERS, gzipBytes, headerValue, isStream, wantsGzip } from "./answer-encoding.ts";
import { chunkOf, type StreamOutput, writeStream } from "./answer-stream.ts";
import type { Serve } from "./serve.ts";

/** A request from a socket. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** The answer's end of a socket; that of HTTP/2 has the same methods, though its types say otherwise. */
export type HttpResponse = ServerResponse;

const IMPERSONATE = "impersonate-";
/** Of these the first value counts. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(["impersonate-user", "impersonate-uid"]);

/** One request and where its answer goes. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly connection: Connection;
  /** Streams that are open: whoever closes the server ends them by aborting. */
  readonly streams: Set<AbortController>;
}

/** Serves one exchange; resolves when it is over. */
export async function serveExchange(serve: Serve, { request, response, connection, streams }: Exchange): Promise<void> {
  const aborting = new AbortController();
  let isDone = false;
  const onGone = (): void => {
    if (!isDone) aborting.abort();
  };
  response.once("close", onGone);
  response.once("error", onGone);
  try {
    const body = await readRequest(request);
    const headers = toHeaders(request);
    const answer =
      body === undefined
        ? tooLargeAnswer()
        : await serve(
            { method: request.method ?? "", path: request.url ?? "/", headers, body, signal: aborting.signal },
            connection,
          );
    streams.add(aborting);
    await writeAnswer(response, answer, { headers, signal: aborting.signal });
    isDone = true;
    await finished(response);
  } catch {
    response.destroy(); // The connection broke while reading or writing: nobody is left to tell.
  } finally {
    streams.delete(aborting);
  }
}

/** Resolves when all is handed over to the system, or nobody takes it any more. */
function finished(response: HttpResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once("finish", () => resolve());
    response.once("close", () => resolve());
  });
}

/** The body, or undefined when it passes the limit; what is beyond it is not read. Rejects when the client goes away. */
function readRequest(request: HttpRequest): Promise<Uint8Array | undefined> {
  if (request.method === "GET" || request.method === "HEAD") return Promise.resolve(new Uint8Array());
  // Events, not `for await`: the iterator of a stream costs more than the rest of the reading.
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    request.on("data", (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes <= BODY_BYTES_MAX) return;
      request.pause();
      resolve(undefined);
    });
    request.once("end", () => resolve(joined(chunks, bytes)));
    request.once("error", reject);
    // Every request closes; only one that was cut off is worth an error, whose stack costs more than the reading.
    request.once("close", () => {
      if (!request.readableEnded) reject(new Error("the client went away"));
    });
  });
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
}

function tooLargeAnswer(): ApiResponse {
  const { status, code } = tooLarge(`limit is ${BODY_BYTES_MAX}`);
  return {
    status: code,
    headers: { "content-type": "application/json", connection: "close" },
    body: stringifyJson(status),
  };
}

/** Lower-case names, repeated ones joined; pseudo-headers of HTTP/2 left out. */
export function toHeaders(request: Pick<HttpRequest, "headers" | "rawHeaders">): Headers {
  const headers: Record<string, string> = {};
  let impersonates = false;
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(":")) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
    impersonates ||= name.startsWith(IMPERSONATE);
  }
  return impersonates ? { ...headers, ...impersonateHeaders(request.rawHeaders) } : headers;
}

/** Groups may have commas in their names, so each value of these headers ends with a character that none can have. */
function impersonateHeaders(rawHeaders: readonly string[]): Headers {
  const values = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!name.startsWith(IMPERSONATE) || SINGLE_HEADERS.has(name)) continue;
    values.set(name, `${values.get(name) ?? ""}${rawHeaders[index + 1]}${HEADER_VALUE_END}`);
  }
  return Object.fromEntries(values);
}

/** What of an exchange decides how its answer is written. */
interface Receiver {
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

async function writeAnswer(response: HttpResponse, answer: ApiResponse, { headers, signal }: Receiver): Promise<void> {
  const { body } = answer;
  if (answer.isLost === true) throw new Error("the answer is lost");
  if (isStream(body)) {
    writeHead(response, answer);
    response.flushHeaders();
    answer.whenTooSlow?.(() => response.destroy());
    await writeStream(streamOutput(response), body, signal);
    response.end();
    return;
  }
  const byteCount = Buffer.byteLength(body);
  if (wantsGzip(byteCount, headers)) {
    const zipped = await gzipBytes(body);
    writeHead(response, answer, { ...GZIP_HEADERS, "content-length": String(zipped.byteLength) });
    response.end(zipped);
    return;
  }
  writeHead(response, answer, { "content-length": String(byteCount) });
  // Node.js sends text of one byte per character in one piece with the headers, anything else in a second one.
  if (typeof body === "string" && body.length === byteCount) response.end(body, "latin1");
  else response.end(body);
}

/** HTTP/2 has no `connection` header. */
function writeHead(response: HttpResponse, { status, headers }: ApiResponse, more: Headers = {}): void {
  const isHttp2 = "stream" in response;
  const written: Record<string, string> = {};
  for (const given of [headers, more]) {
    for (const name of Object.keys(given)) {
      if (name !== "connection" || !isHttp2) written[name] = headerValue(given[name] ?? "");
    }
  }
  response.writeHead(status, written);
}

/** In HTTP/1.1 chunks go straight to the socket. */
function streamOutput(response: HttpResponse): StreamOutput {
  const { socket } = response;
  const isChunked = !("stream" in response) && response.chunkedEncoding && socket !== null;
  if (!isChunked) return { target: response, write: (chunk) => response.write(chunk) };
  return { target: socket, write: (chunk) => socket.write(chunkOf(chunk)) };
}
