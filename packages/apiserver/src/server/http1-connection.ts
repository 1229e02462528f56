/**
 * One HTTP/1.1 connection. Plain requests (whole-request.ts) are served one after the other, straight from and to the socket, without
 * the objects that Node.js makes for each; with the first other one the connection is handed over to Node.js' own server for good.
 */
import type { Socket } from "node:net";
import { systemClock } from "@kubewright/node";
import type { ApiResponse, Connection } from "../request/request.ts";
import { GZIP_HEADERS, gzipBytes, headerValue, isStream, wantsGzip } from "./answer-encoding.ts";
import { chunkOf, drained, writeStream } from "./answer-stream.ts";
import type { Serve } from "./serve.ts";
import { type KnownFields, parseWholeRequest, type WholeRequest } from "./whole-request.ts";

/** How long a connection may be quiet between requests, as at kube-apiserver. */
export const KEEP_ALIVE_MS = 90_000;

const LAST_CHUNK = "0\r\n\r\n";

/** What a connection is served with. */
export interface ConnectionParts {
  readonly serve: Serve;
  /** What is known of its client. */
  readonly connection: Connection;
  /** Streams that are open: whoever closes the server ends them by aborting. */
  readonly streams: Set<AbortController>;
  /** Takes the connection, whose bytes begin with `first`. */
  readonly handOver: (socket: Socket, first: Buffer) => void;
}

/** A connection that is served. */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  readonly #fields: KnownFields = new Map();
  /** Aborts the request that is served; undefined between requests. */
  #serving: AbortController | undefined;
  /** What came before the answer to the last request was written. */
  #early: Buffer[] = [];
  #onIdle: (() => void) | undefined;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.setNoDelay(true);
    socket.setTimeout(KEEP_ALIVE_MS);
    socket.on("timeout", this.#onTimeout);
    socket.on("data", this.#onData);
    socket.on("close", this.#onClose);
    socket.on("error", () => {}); // It closes then.
  }

  /** Resolves when no request is being served. */
  idle(): Promise<void> {
    if (this.#serving === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Nothing came and nothing could be sent for long: the client has no more requests, or does not take its answer. */
  readonly #onTimeout = (): void => {
    if (this.#serving === undefined || this.#socket.writableLength > 0) this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#serving?.abort();
    this.#end();
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#serving !== undefined) {
      this.#early.push(chunk);
      this.#socket.pause();
      return;
    }
    const request = parseWholeRequest(chunk, this.#fields);
    if (request === undefined) this.#handOver(chunk);
    else void this.#serve(request);
  };

  #handOver(first: Buffer): void {
    const socket = this.#socket;
    socket.pause();
    socket.setTimeout(0);
    socket.off("timeout", this.#onTimeout);
    socket.off("data", this.#onData);
    socket.off("close", this.#onClose);
    this.#parts.handOver(socket, first);
  }

  /** Never rejects: a connection that breaks ends it. */
  async #serve({ method, path, headers, body }: WholeRequest): Promise<void> {
    const serving = new AbortController();
    this.#serving = serving;
    const { serve, connection } = this.#parts;
    try {
      const { signal } = serving;
      const answer = await serve({ method, path, headers, body, signal }, connection);
      if (answer.isLost === true) throw new Error("the answer is lost");
      if (isStream(answer.body)) await this.#writeStream(answer, serving);
      else if (!(await this.#writeWhole(answer, headers))) await drained(this.#socket, signal);
    } catch {
      this.#socket.destroy(); // The connection broke while writing: nobody is left to tell.
    }
    this.#end();
    this.#takeEarly();
  }

  #end(): void {
    this.#serving = undefined;
    this.#onIdle?.();
    this.#onIdle = undefined;
  }

  #takeEarly(): void {
    if (this.#early.length === 0 || this.#socket.destroyed) return;
    const early = Buffer.concat(this.#early);
    this.#early = [];
    this.#socket.resume();
    this.#onData(early);
  }

  /** False when the client does not keep up. */
  async #writeWhole(answer: ApiResponse, headers: WholeRequest["headers"]): Promise<boolean> {
    const body = answer.body as string | Uint8Array;
    const byteCount = Buffer.byteLength(body);
    if (!wantsGzip(byteCount, headers)) return this.#writeSized(answer, body, byteCount);
    const zipped = await gzipBytes(body);
    return this.#writeSized({ ...answer, headers: { ...answer.headers, ...GZIP_HEADERS } }, zipped, zipped.byteLength);
  }

  #writeSized(answer: ApiResponse, body: string | Uint8Array, byteCount: number): boolean {
    const socket = this.#socket;
    const head = headText(answer, `content-length: ${byteCount}`);
    // Text of one byte per character leaves in one piece with its head.
    if (typeof body === "string" && body.length === byteCount) return socket.write(head + body, "latin1");
    socket.cork();
    socket.write(head, "latin1");
    const takesMore = socket.write(body);
    socket.uncork();
    return takesMore;
  }

  async #writeStream(answer: ApiResponse, serving: AbortController): Promise<void> {
    const socket = this.#socket;
    const { streams } = this.#parts;
    streams.add(serving);
    answer.whenTooSlow?.(() => socket.destroy());
    try {
      socket.write(headText(answer, "transfer-encoding: chunked"), "latin1");
      const out = { target: socket, write: (chunk: Uint8Array) => socket.write(chunkOf(chunk)) };
      await writeStream(out, answer.body as AsyncIterable<Uint8Array>, serving.signal);
      socket.write(LAST_CHUNK, "latin1");
    } finally {
      streams.delete(serving);
    }
  }
}

/** The head of an answer, one character for each byte. */
function headText({ status, headers }: ApiResponse, framing: string): string {
  let head = `HTTP/1.1 ${status} ${REASONS.get(status) ?? ""}\r\n`;
  for (const name of Object.keys(headers)) head += `${name}: ${headerValue(headers[name] ?? "")}\r\n`;
  return `${head}date: ${dateText()}\r\n${framing}\r\n\r\n`;
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
  [204, "No Content"],
  [301, "Moved Permanently"],
  [302, "Found"],
  [304, "Not Modified"],
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [405, "Method Not Allowed"],
  [406, "Not Acceptable"],
  [409, "Conflict"],
  [410, "Gone"],
  [413, "Request Entity Too Large"],
  [415, "Unsupported Media Type"],
  [422, "Unprocessable Entity"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [501, "Not Implemented"],
  [502, "Bad Gateway"],
  [503, "Service Unavailable"],
  [504, "Gateway Timeout"],
]);

let dateSecond = 0;
let dateShown = "";

/** The time of the system, whatever clock the server goes by: it is for caches between the two ends. Made once a second. */
function dateText(): string {
  const second = Math.floor(systemClock.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateShown = new Date(second * 1000).toUTCString();
  }
  return dateShown;
}
