/**
 * Listening sockets: TLS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. Bound to loopback unless told
 * otherwise. Client certificates are asked for and checked, never demanded: tokens and anonymous requests come without.
 */
import { createServer, type Server as HttpServer, type IncomingMessage } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { Connection } from "../request/request.ts";
import { type HttpRequest, type HttpResponse, serveExchange } from "./http-exchange.ts";
import type { Serve } from "./serve.ts";
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
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** HTTP/2 sessions with many large answers at once need more than Node.js allows by default. */
const SESSION_MEMORY_MEGABYTES_MAX = 1000;

/** Starts to listen; resolves once connections are accepted. */
export async function listen(serve: Serve, { host, port, tls }: SocketOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  const onRequest = (request: HttpRequest, response: HttpResponse): void => {
    void serveExchange(serve, { request, response, connection: connectionOf(request) });
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on("connection", (socket: Socket) => trackSocket(sockets, socket));
  server.on("session", (session: ServerHttp2Session) => session.on("error", () => {})); // Its exchanges end with it.
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
    close: () => closeServer(server, sockets),
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

function trackSocket(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
}

/** Watches never end by themselves, so closing ends their connections; clients resume with another server. */
async function closeServer(server: HttpServer | Http2SecureServer, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
