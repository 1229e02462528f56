/**
 * Listening sockets: TLS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. Bound to loopback unless told
 * otherwise. Client certificates are asked for and checked, never demanded: tokens and anonymous requests come without.
 */
import { createServer, type Server as HttpServer } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { Connection } from "../request/request.ts";
import { type HttpRequest, type HttpResponse, serveExchange } from "./http-exchange.ts";
import type { Serve } from "./serve.ts";

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
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** HTTP/2 sessions with many large answers at once need more than Node.js allows by default. */
const SESSION_MEMORY_MEGABYTES_MAX = 1000;

/** Starts to listen; resolves once connections are accepted. */
export async function listen(serve: Serve, { host, port, tls }: SocketOptions): Promise<Listener> {
  const sessions = new Set<ServerHttp2Session>();
  const onRequest = (request: HttpRequest, response: HttpResponse): void => {
    void serveExchange(serve, { request, response, connection: connectionOf(request) });
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on("session", (session: ServerHttp2Session) => trackSession(sessions, session));
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
    close: () => closeServer(server, sessions),
  };
}

function createTlsServer(
  { certificate, key, clientAuthorities }: TlsOptions,
  onRequest: (request: HttpRequest, response: HttpResponse) => void,
): Http2SecureServer {
  const options = {
    cert: certificate,
    key,
    ca: [...clientAuthorities],
    allowHTTP1: true,
    requestCert: clientAuthorities.length > 0,
    rejectUnauthorized: false,
    maxSessionMemory: SESSION_MEMORY_MEGABYTES_MAX,
  };
  return createSecureServer(options, (request, response) => onRequest(request, response as unknown as HttpResponse));
}

function trackSession(sessions: Set<ServerHttp2Session>, session: ServerHttp2Session): void {
  sessions.add(session);
  session.once("close", () => sessions.delete(session));
  session.on("error", () => {}); // A broken session ends its exchanges, which is all there is to do.
}

async function closeServer(
  server: HttpServer | Http2SecureServer,
  sessions: ReadonlySet<ServerHttp2Session>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.destroy();
  if ("closeAllConnections" in server) server.closeAllConnections();
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
