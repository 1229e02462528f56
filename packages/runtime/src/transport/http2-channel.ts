/**
 * HTTP/2 on few connections: many requests and watches share one, and another is opened when a connection carries as many as its server
 * allows. A connection that is quiet is asked for a sign of life; one that does not answer is closed, which ends all it carries with an
 * error, so that they start over elsewhere.
 */
import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { TransportResponse } from "@kubewright/core/ports";
import {
  type ChannelRequest,
  type ChannelTiming,
  flattenHeaders,
  type HttpChannel,
  silenceError,
  silenceMsOf,
} from "./http-channel.ts";
import { readHttp2Body } from "./http2-body.ts";

/** Streams on one connection, whatever the server allows: beyond that a second one is faster. */
const STREAMS_MAX = 100;

/** How often a request is begun that the server did not begin with. */
const ATTEMPTS_MAX = 3;

interface Pooled {
  readonly session: ClientHttp2Session;
  streams: number;
}

/** Where connections go, and how they are made. */
export interface Http2Options {
  readonly url: URL;
  readonly open: () => Promise<TLSSocket>;
  readonly timing: ChannelTiming;
}

/** A channel to `url` over `first` and, when needed, further connections made by `open`. */
export async function createHttp2Channel(first: TLSSocket, options: Http2Options): Promise<HttpChannel> {
  const { url, open, timing } = options;
  const pool = new Set<Pooled>();
  let opening: Promise<Pooled> | undefined;
  let closed = false;
  const adopt = async (socket: TLSSocket): Promise<Pooled> => {
    const pooled = { session: connect(url.origin, { createConnection: () => socket }), streams: 0 };
    const leave = (): void => {
      pool.delete(pooled);
    };
    pooled.session.on("error", leave); // Its streams tell whoever waits for them.
    pooled.session.on("goaway", leave);
    pooled.session.on("close", leave);
    watchOver(pooled.session, timing);
    await once(pooled.session, "remoteSettings"); // Only they say how much the connection may carry.
    if (closed) pooled.session.destroy();
    else pool.add(pooled);
    return pooled;
  };
  const acquire = async (): Promise<Pooled> => {
    for (;;) {
      for (const pooled of pool) if (takeRoom(pooled)) return pooled;
      opening ??= open()
        .then(adopt)
        .finally(() => {
          opening = undefined;
        });
      await opening;
      if (closed) throw new Error("the transport was closed");
    }
  };
  await adopt(first);
  return {
    async send(request) {
      for (let attempt = 1; ; attempt += 1) {
        const pooled = await acquire();
        try {
          return await exchange(pooled, request, timing);
        } catch (error) {
          const mayRepeat = attempt < ATTEMPTS_MAX && request.signal?.aborted !== true && !closed;
          if (!mayRepeat || !(isRefused(error) || (request.method === "GET" && hasEnded(pooled)))) throw error;
        }
      }
    },
    close: () => {
      closed = true;
      for (const { session } of pool) session.destroy();
      pool.clear();
    },
  };
}

/** A read on a connection that ended meanwhile, as connections do, is sent again on another. */
function hasEnded({ session }: Pooled): boolean {
  return session.closed || session.destroyed;
}

/** The server says that it did not begin with the request (RFC 9113, 8.7), as when it takes leave: any may be sent again. */
function isRefused(error: unknown): boolean {
  return error instanceof RefusedStreamError;
}

class RefusedStreamError extends Error {}

/** Takes a place on a connection, to be given back when its stream closes; false when there is none. */
function takeRoom(pooled: Pooled): boolean {
  const { session, streams } = pooled;
  if (hasEnded(pooled)) return false;
  if (streams >= Math.min(STREAMS_MAX, session.remoteSettings.maxConcurrentStreams ?? STREAMS_MAX)) return false;
  pooled.streams += 1;
  return true;
}

/** Pings a quiet connection, and closes one that does not answer. */
function watchOver(session: ClientHttp2Session, { pingMs }: ChannelTiming): void {
  let asked = false;
  const ask = (): void => {
    if (asked) {
      session.destroy(new Error("the server did not answer a ping"));
      return;
    }
    asked = true;
    session.ping(() => {
      asked = false;
    });
    session.setTimeout(pingMs, ask); // A ping is no activity: the time must be set anew.
  };
  session.setTimeout(pingMs, ask);
}

function exchange(pooled: Pooled, request: ChannelRequest, timing: ChannelTiming): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body, signal } = request;
    const stream = pooled.session.request(
      { ":method": method, ":path": path, ...headers },
      { endStream: body === undefined, ...(signal === undefined ? {} : { signal }) },
    );
    let answered = false;
    stream.once("response", (answer) => {
      answered = true;
      const status = answer[":status"] ?? 0;
      resolve({ status, headers: flattenHeaders(answer), body: readHttp2Body(stream) });
    });
    stream.on("error", (cause) => {
      const isRefusal = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      reject(isRefusal ? new RefusedStreamError("the server refused the request unread", { cause }) : cause);
    });
    stream.once("close", () => {
      pooled.streams -= 1;
      if (!answered) reject(new Error("the connection was closed before an answer came"));
    });
    const silenceMs = silenceMsOf(request, timing);
    if (silenceMs > 0) stream.setTimeout(silenceMs, () => stream.destroy(silenceError(timing)));
    if (body !== undefined) stream.end(body);
  });
}
