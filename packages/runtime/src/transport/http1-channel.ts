/**
 * HTTP/1.1 on a pool of kept connections: one for each request that is under way, the one used last first. Watches hold theirs for as long
 * as they last. Other requests wait when there are very many at once. Connections that nobody uses are closed before servers and
 * balancers do it, so that a request does not meet one on its way out.
 */
import type { TLSSocket } from "node:tls";
import type { TransportResponse } from "@kubewright/core/ports";
import { beforeAbort } from "./before-abort.ts";
import { type ChannelRequest, type ChannelTiming, type HttpChannel, silenceMsOf } from "./http-channel.ts";
import { Http1Connection, UnansweredError } from "./http1-connection.ts";
import { encodeHead } from "./request-head.ts";

/** Requests that are under way at once, watches apart. */
const BUSY_MAX = 128;

/** How long a connection is kept without use. kube-apiserver keeps them for 90 s, balancers for 60 s and more. */
const IDLE_MS_MAX = 55_000;

/** Where connections go, and how they are made. */
export interface Http1Options {
  readonly url: URL;
  readonly open: () => Promise<TLSSocket>;
  readonly timing: ChannelTiming;
}

/** A channel to `url` over `first` and, when needed, further connections made by `open`. */
export function createHttp1Channel(first: TLSSocket, options: Http1Options): HttpChannel {
  const pool = new ConnectionPool(options);
  pool.add(first).rest(IDLE_MS_MAX);
  return {
    send: (request) => (silenceMsOf(request, options.timing) === 0 ? pool.send(request) : pool.sendInTurn(request)),
    close: () => pool.close(),
  };
}

class ConnectionPool {
  readonly timing: ChannelTiming;
  readonly #open: Http1Options["open"];
  readonly #host: string;
  readonly #all = new Set<Http1Connection>();
  readonly #free: Http1Connection[] = [];
  readonly #waiting: Array<() => void> = [];
  #busy = 0;
  #closed = false;

  constructor(options: Http1Options) {
    this.#open = options.open;
    this.#host = options.url.host;
    this.timing = options.timing;
  }

  /** Takes a connection in. */
  add(socket: TLSSocket): Http1Connection {
    const connection = new Http1Connection(socket, this);
    this.#all.add(connection);
    this.#free.push(connection);
    return connection;
  }

  onFree(connection: Http1Connection): void {
    if (this.#closed) connection.close();
    else this.#free.push(connection);
    connection.rest(IDLE_MS_MAX);
  }

  onClosed(connection: Http1Connection): void {
    this.#all.delete(connection);
    const index = this.#free.indexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
  }

  /** Sends a request when there is room for it. */
  async sendInTurn(request: ChannelRequest): Promise<TransportResponse> {
    if (this.#busy >= BUSY_MAX) await this.#turn(request.signal);
    this.#busy += 1;
    try {
      return await this.send(request);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Resolves when another request is through; rejects when the signal aborts before. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Sends a request, and a read once more when the kept connection it went to turns out to have been closed meanwhile. */
  async send(request: ChannelRequest): Promise<TransportResponse> {
    const head = encodeHead(request, this.#host);
    request.signal?.throwIfAborted();
    const kept = this.#takeFree();
    if (kept === undefined) return this.#sendAnew(request, head);
    try {
      return await kept.send(request, head);
    } catch (error) {
      const mayRepeat = kept.hasServed && request.method === "GET" && error instanceof UnansweredError && !this.#closed;
      if (!mayRepeat) throw error;
      return this.#sendAnew(request, head);
    }
  }

  /** The connection used last; what ended while nobody used it is here until its socket has told so. */
  #takeFree(): Http1Connection | undefined {
    for (let kept = this.#free.pop(); kept !== undefined; kept = this.#free.pop()) if (kept.isOpen) return kept;
    return undefined;
  }

  /** Sends a request on a connection of its own; one that is made too late for it is kept for others. */
  async #sendAnew(request: ChannelRequest, head: string): Promise<TransportResponse> {
    const { signal } = request;
    const connecting = this.#connect();
    const connection = await beforeAbort(connecting, signal).catch((error: unknown) => {
      connecting.then(
        (late) => this.onFree(late),
        () => {}, // Whoever asked for it has heard of it.
      );
      throw error;
    });
    if (signal?.aborted !== true) return connection.send(request, head);
    this.onFree(connection);
    throw signal.reason;
  }

  async #connect(): Promise<Http1Connection> {
    if (this.#closed) throw new Error("the transport was closed");
    const connection = this.add(await this.#open());
    if (this.#closed) connection.close();
    return this.#free.pop() ?? connection;
  }

  close(): void {
    this.#closed = true;
    this.#free.length = 0;
    for (const connection of this.#all) connection.close();
  }
}
