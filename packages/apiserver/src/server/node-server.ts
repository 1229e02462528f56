/**
 * Node.js' own HTTP server for connections that were accepted elsewhere (listen.ts): HTTP/2, and HTTP/1.1 beyond plain requests.
 * It is loaded with the first such connection, for loading it takes longer than all else at the server's start.
 */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Connection } from "../request/request.ts";
import { type HttpRequest, type HttpResponse, serveExchange } from "./http-exchange.ts";
import { KEEP_ALIVE_MS } from "./http1-connection.ts";
import type { Serve } from "./serve.ts";
import { pingWhenQuiet } from "./session-pings.ts";
import { serveUpgrade } from "./websocket.ts";

/** HTTP/2 sessions with many large answers at once need more than Node.js allows by default. */
const SESSION_MEMORY_MEGABYTES_MAX = 1000;

/** An HTTP/2 session that is quiet for this long is asked for a sign of life. */
const SESSION_QUIET_MS = 30_000;

/** What goes on at the server. */
export interface NodeServerParts {
  readonly serve: Serve;
  readonly connectionOf: (socket: Socket) => Connection;
  readonly sessions: Set<ServerHttp2Session>;
  readonly exchanges: Set<Promise<void>>;
  readonly streams: Set<AbortController>;
}

/** Serves connections that are given to it. */
export interface NodeServer {
  /** Takes a connection whose bytes begin with `first`, if any were read. */
  take(socket: Socket, first?: Buffer): void;
}

/** A server for connections with TLS: HTTP/2 or HTTP/1.1, as was agreed on. */
export async function createTlsNodeServer(parts: NodeServerParts): Promise<NodeServer> {
  const { createSecureServer } = await import("node:http2");
  const options = {
    allowHTTP1: true,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxSessionMemory: SESSION_MEMORY_MEGABYTES_MAX,
  };
  const server = createSecureServer(options, (request, response) =>
    onRequest(parts, request, response as unknown as HttpResponse),
  );
  server.on("session", (session: ServerHttp2Session) => {
    session.on("error", () => {}); // Its exchanges end with it.
    parts.sessions.add(session);
    session.once("close", () => parts.sessions.delete(session));
    pingWhenQuiet(session, SESSION_QUIET_MS);
  });
  return toNodeServer(server, "secureConnection", parts);
}

/** A server for connections without TLS. */
export async function createPlainNodeServer(parts: NodeServerParts): Promise<NodeServer> {
  const { createServer } = await import("node:http");
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    onRequest(parts, request, response),
  );
  return toNodeServer(server, "connection", parts);
}

function toNodeServer(server: HttpServer | Http2SecureServer, event: string, parts: NodeServerParts): NodeServer {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (head.length > 0) socket.unshift(head);
    void serveUpgrade(parts.serve, { request, socket, connection: parts.connectionOf(request.socket) });
  });
  server.emit("listening"); // From here on it ends connections whose requests take too long to come.
  return {
    take(socket, first) {
      if (first !== undefined) socket.unshift(first);
      server.emit(event, socket);
      socket.resume();
    },
  };
}

function onRequest({ serve, connectionOf, exchanges, streams }: NodeServerParts, ...[request, response]: Pair): void {
  const socket = "stream" in request ? request.stream.session?.socket : request.socket;
  const connection = socket === undefined ? {} : connectionOf(socket);
  const exchange = serveExchange(serve, { request, response, connection, streams });
  exchanges.add(exchange);
  void exchange.finally(() => exchanges.delete(exchange));
}

type Pair = readonly [request: HttpRequest, response: HttpResponse];
