/**
 * One connection that carries one HTTP/1.1 exchange at a time. Requests leave in one write, head and body together; answers are read by
 * answer-parser.ts straight from the socket. The pool in http1-channel.ts owns it. Written out because a
 * create takes a fifth less time with it than with Node.js' HTTP/2 or HTTP/1.1 (docs/performance.md).
 */
import type { TLSSocket } from "node:tls";
import type { TransportResponse } from "@kubewright/core/ports";
import { AnswerBody } from "./answer-body.ts";
import { type AnswerHead, AnswerParser } from "./answer-parser.ts";
import { type ChannelRequest, type ChannelTiming, SilenceError, silenceError, silenceMsOf } from "./http-channel.ts";

/** The kernel asks a quiet connection for a sign of life after this long, then every second, and ends it after ten without one. */
const KEEP_ALIVE_MS = 15_000;

/** An exchange failed before anything of its answer came: a connection that was kept may have been closed while it was idle. */
export class UnansweredError extends Error {}

interface Exchange {
  readonly silenceMs: number;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: () => void;
  body: AnswerBody | undefined;
}

/** Told what becomes of a connection. */
export interface ConnectionOwner {
  readonly timing: ChannelTiming;
  /** It can take another request. */
  onFree(connection: Http1Connection): void;
  /** It is gone. */
  onClosed(connection: Http1Connection): void;
}

/** A connection. */
export class Http1Connection {
  readonly #socket: TLSSocket;
  readonly #owner: ConnectionOwner;
  readonly #parser: AnswerParser;
  #exchange: Exchange | undefined;
  /** True once it has carried an exchange to its end. */
  hasServed = false;

  constructor(socket: TLSSocket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.#parser = new AnswerParser({
      head: (head) => this.#begin(head),
      piece: (bytes) => this.#exchange?.body?.push(bytes),
      end: (reusable) => this.#end(reusable),
    });
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on("data", (bytes: Uint8Array) => this.#take(bytes));
    socket.on("timeout", () => this.#onSilence());
    socket.on("error", (error) => this.#fail(error));
    socket.on("end", () => this.#parser.endOfConnection());
    socket.on("close", () => {
      this.#fail(new Error("the connection was closed before the answer was complete"));
      owner.onClosed(this);
    });
  }

  /** Sends a request, whose `head` is encoded; nothing else may be under way. */
  send(request: ChannelRequest, head: string): Promise<TransportResponse> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const silenceMs = silenceMsOf(request, this.#owner.timing);
      const onAbort = (): void => this.#fail(signal?.reason);
      this.#exchange = { silenceMs, resolve, reject, signal, onAbort, body: undefined };
      this.#write(head, request.body);
      // Now that the server is at work there is time for the rest.
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#socket.setTimeout(silenceMs);
    });
  }

  /** False once either side has closed it. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Closes it when nothing happens on it for that long. */
  rest(idleMs: number): void {
    this.#socket.setTimeout(idleMs);
  }

  /** Closes it; what is under way fails. */
  close(): void {
    this.#socket.destroy();
  }

  #write(head: string, body: ChannelRequest["body"]): void {
    if (typeof body !== "object") {
      this.#socket.write(head + (body ?? ""));
      return;
    }
    this.#socket.cork();
    this.#socket.write(head);
    this.#socket.write(body);
    this.#socket.uncork();
  }

  #take(bytes: Uint8Array): void {
    try {
      if (this.#exchange === undefined) throw new Error("the server sent what nobody asked for");
      this.#parser.push(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #begin({ status, headers }: AnswerHead): void {
    const exchange = this.#exchange;
    if (exchange === undefined) throw new Error("the server sent two answers to one request");
    const socket = this.#socket;
    const body = new AnswerBody({
      pause: () => {
        socket.pause();
        socket.setTimeout(0); // Nothing comes because nobody takes it.
      },
      resume: () => {
        if (this.#exchange !== exchange) return; // All of it came meanwhile.
        socket.setTimeout(exchange.silenceMs);
        socket.resume();
      },
      abandon: () => this.#fail(new Error("nobody reads the answer")),
    });
    exchange.body = body;
    exchange.resolve({ status, headers, body });
  }

  #end(reusable: boolean): void {
    const exchange = this.#release();
    exchange?.body?.end();
    this.hasServed = true;
    if (!reusable || this.#socket.destroyed) this.#socket.destroy();
    else {
      if (this.#socket.isPaused()) this.#socket.resume();
      this.#owner.onFree(this);
    }
  }

  #onSilence(): void {
    if (this.#exchange === undefined) this.#socket.destroy();
    else if (this.#exchange.silenceMs > 0) this.#fail(silenceError(this.#owner.timing));
  }

  /** Ends what is under way with an error, and with it the connection: its next bytes would belong to the answer. */
  #fail(cause: unknown): void {
    const exchange = this.#release();
    this.#socket.destroy();
    if (exchange === undefined) return;
    const error = cause instanceof Error ? cause : new Error(String(cause));
    if (exchange.body !== undefined) exchange.body.fail(error);
    else if (exchange.signal?.aborted === true || cause instanceof SilenceError) exchange.reject(cause);
    else exchange.reject(new UnansweredError(error.message, { cause }));
  }

  #release(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.signal?.removeEventListener("abort", exchange.onAbort);
    return exchange;
  }
}
