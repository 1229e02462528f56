/**
 * Listening sockets: TLS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. Bound to loopback unless told
 * otherwise. Client certificates are asked for and checked, never demanded: tokens and anonymous requests come without.
 */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import type { Connection } from "../request/request.ts";
import { type HttpRequest, type HttpResponse, serveExchange } from "./http-exchange.ts";
import type { Serve } from "./serve.ts";
import { pingWhenQuiet } from "./session-pings.ts";
import { serveUpgrade } from "./websocket.ts";

/** Where and how to listen. */
export interface SocketOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Absent for plain HTTP. */
  readonly tls?: TlsOptions;
}

/** The server's certificate, and the authorities whose client certificates it believes; all PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthorities: readonly string[];
}

/** A listening socket. */
export interface Listener {
  /** https://127.0.0.1:6443 */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets answers end (watches at once) and closes all connections. */
  close(): Promise<void>;
}

/** HTTP/2 sessions with many large answers at once need more than Node.js allows by default. */
const SESSION_MEMORY_MEGABYTES_MAX = 1000;

/** An HTTP/2 session that is quiet for this long is asked for a sign of life. */
const SESSION_QUIET_MS = 30_000;

/** How long an HTTP/1.1 connection may be quiet between requests, as at kube-apiserver. */
const KEEP_ALIVE_MS = 90_000;

/** How long answers may take to end when the server closes. */
const CLOSING_MS_MAX = 2_000;

/** Everything that is open on a listening socket. */
interface OpenConnections {
  readonly sockets: Set<Socket>;
  readonly sessions: Set<ServerHttp2Session>;
  readonly exchanges: Set<Promise<void>>;
  readonly streams: Set<AbortController>;
}

/** Starts to listen; resolves once connections are accepted. */
export async function listen(serve: Serve, { host, port, tls }: SocketOptions): Promise<Listener> {
  const open: OpenConnections = { sockets: new Set(), sessions: new Set(), exchanges: new Set(), streams: new Set() };
  const onRequest = (request: HttpRequest, response: HttpResponse): void => {
    const { streams } = open;
    const exchange = serveExchange(serve, { request, response, connection: connectionOf(request), streams });
    open.exchanges.add(exchange);
    void exchange.finally(() => open.exchanges.delete(exchange));
  };
  const server = await (tls === undefined ? createPlainServer(onRequest) : createTlsServer(tls, onRequest));
  server.on("connection", (socket: Socket) => track(open.sockets, socket));
  server.on("session", (session: ServerHttp2Session) => {
    session.on("error", () => {}); // Its exchanges end with it.
    track(open.sessions, session);
    pingWhenQuiet(session, SESSION_QUIET_MS);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    void serveUpgrade(serve, { request, socket, connection: connectionOf(request) });
  });
  server.on("tlsClientError", () => {}); // A client that does not believe us is the client's affair.
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const { port: boundPort } = server.address() as AddressInfo;
  const hostText = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${hostText}:${boundPort}`,
    port: boundPort,
    close: () => closeServer(server, open),
  };
}

type OnRequest = (request: HttpRequest, response: HttpResponse) => void;

/** Loading `node:http` costs as much as all else that a start loads, so only who asks for plain HTTP pays for it. */
async function createPlainServer(onRequest: OnRequest): Promise<HttpServer> {
  const { createServer } = await import("node:http");
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, onRequest);
}

async function createTlsServer(
  { certificate, key, clientAuthorities }: TlsOptions,
  onRequest: OnRequest,
): Promise<Http2SecureServer> {
  const { createSecureServer } = await import("node:http2");
  const options = {
    cert: certificate,
    key,
    ca: [...clientAuthorities],
    allowHTTP1: true,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestCert: clientAuthorities.length > 0,
    rejectUnauthorized: false,
    maxSessionMemory: SESSION_MEMORY_MEGABYTES_MAX,
  };
  return createSecureServer(options, (request, response) => onRequest(request, response as unknown as HttpResponse));
}

function track<Item extends Socket | ServerHttp2Session>(items: Set<Item>, item: Item): void {
  items.add(item);
  item.once("close", () => items.delete(item));
}

/** Watches end as by their timeout, so that clients resume elsewhere; who does not take the end in time is cut off. */
async function closeServer(
  server: HttpServer | Http2SecureServer,
  { sockets, sessions, exchanges, streams }: OpenConnections,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const stream of streams) stream.abort();
  for (const session of sessions) session.close(); // Says that no more requests are taken; what is open goes on.
  // Real time, whatever clock the server goes by: the clients at the other ends live in it.
  const isOver = new AbortController();
  const timeIsUp = sleep(systemClock, CLOSING_MS_MAX, isOver.signal).catch(() => {});
  await Promise.race([Promise.all(exchanges), timeIsUp]);
  isOver.abort();
  await sleep(systemClock, 0); // What was said last is on its way only then.
  for (const socket of sockets) socket.destroy();
  await closed;
}

const connections = new WeakMap<object, Connection>();

/** What the socket says of its client; looked up once per socket. */
function connectionOf(request: HttpRequest): Connection {
  const socket = "stream" in request ? request.stream.session?.socket : request.socket;
  if (socket === undefined) return {};
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const connection = describeSocket(socket as TLSSocket);
  connections.set(socket, connection);
  return connection;
}

function describeSocket(socket: TLSSocket): Connection {
  if (socket.encrypted !== true || !socket.authorized) return {};
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (subject === undefined) return {};
  const { CN: commonName, O: organizations = [] } = subject as { CN?: string | string[]; O?: string | string[] };
  return { certificate: { commonName: String(commonName ?? ""), organizations: [organizations].flat() } };
}
