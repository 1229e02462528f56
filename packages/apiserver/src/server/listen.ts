/**
 * Listening sockets: TLS with HTTP/2 and HTTP/1.1 on one port, or plain HTTP/1.1. Bound to loopback unless told
 * otherwise. Client certificates are asked for and checked, never demanded: tokens and anonymous requests come without.
 */
import type { ServerHttp2Session } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import type { Connection } from "../request/request.ts";
import { Http1Connection } from "./http1-connection.ts";
import { createPlainNodeServer, createTlsNodeServer, type NodeServer } from "./node-server.ts";
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
  /** Stops listening, lets answers end (watches at once) and closes all connections. */
  close(): Promise<void>;
}

/** How long answers may take to end when the server closes. */
const CLOSING_MS_MAX = 2_000;

/** Everything that is open on a listening socket. */
interface OpenConnections {
  readonly sockets: Set<Socket>;
  /** Served here; those that were handed over have sessions and exchanges instead. */
  readonly connections: Set<Http1Connection>;
  readonly sessions: Set<ServerHttp2Session>;
  readonly exchanges: Set<Promise<void>>;
  readonly streams: Set<AbortController>;
}

/** Starts to listen; resolves once connections are accepted. */
export async function listen(serve: Serve, { host, port, tls }: SocketOptions): Promise<Listener> {
  const open: OpenConnections = {
    sockets: new Set(),
    connections: new Set(),
    sessions: new Set(),
    exchanges: new Set(),
    streams: new Set(),
  };
  const onConnection = connectionListener(serve, open, tls !== undefined);
  const server = await (tls === undefined ? createPlainServer(onConnection) : createTlsServer(tls, onConnection));
  server.on("connection", (socket: Socket) => {
    open.sockets.add(socket);
    socket.once("close", () => open.sockets.delete(socket));
  });
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

type OnConnection = (socket: Socket) => void;

/** HTTP/2 goes to Node.js' server at once, HTTP/1.1 when it becomes more than plain requests. */
function connectionListener(serve: Serve, open: OpenConnections, isTls: boolean): OnConnection {
  const { connections, streams } = open;
  let node: Promise<NodeServer> | undefined;
  const handOver = (socket: Socket, first?: Buffer): void => {
    const parts = { serve, connectionOf, ...open };
    node ??= isTls ? createTlsNodeServer(parts) : createPlainNodeServer(parts);
    void node.then((server) => server.take(socket, first));
  };
  return (socket) => {
    if ((socket as TLSSocket).alpnProtocol === "h2") {
      handOver(socket);
      return;
    }
    const served = new Http1Connection(socket, {
      serve,
      connection: connectionOf(socket),
      streams,
      handOver: (taken, first) => {
        connections.delete(served);
        handOver(taken, first);
      },
    });
    connections.add(served);
    socket.once("close", () => connections.delete(served));
  };
}

async function createPlainServer(onConnection: OnConnection): Promise<Server> {
  const { createServer } = await import("node:net");
  return createServer(onConnection);
}

async function createTlsServer(
  { certificate, key, clientAuthorities }: TlsOptions,
  onConnection: OnConnection,
): Promise<Server> {
  const { createServer } = await import("node:tls");
  const options = {
    cert: certificate,
    key,
    ca: [...clientAuthorities],
    ALPNProtocols: ["h2", "http/1.1"],
    requestCert: clientAuthorities.length > 0,
    rejectUnauthorized: false,
  };
  const server = createServer(options, onConnection);
  server.on("tlsClientError", () => {}); // A client that does not believe us is the client's affair.
  return server;
}

/** Watches end as by their timeout, so that clients resume elsewhere; who does not take the end in time is cut off. */
async function closeServer(
  server: Server,
  { sockets, connections, sessions, exchanges, streams }: OpenConnections,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const stream of streams) stream.abort();
  for (const session of sessions) session.close(); // Says that no more requests are taken; what is open goes on.
  // Real time, whatever clock the server goes by: the clients at the other ends live in it.
  const isOver = new AbortController();
  const timeIsUp = sleep(systemClock, CLOSING_MS_MAX, isOver.signal).catch(() => {});
  const answers = [...exchanges, ...[...connections].map((connection) => connection.idle())];
  await Promise.race([Promise.all(answers), timeIsUp]);
  isOver.abort();
  await sleep(systemClock, 0); // What was said last is on its way only then.
  for (const socket of sockets) socket.destroy();
  await closed;
}

const descriptions = new WeakMap<object, Connection>();

/** What the socket says of its client; looked up once per socket. */
function connectionOf(socket: Socket): Connection {
  const known = descriptions.get(socket);
  if (known !== undefined) return known;
  const connection = describeSocket(socket as TLSSocket);
  descriptions.set(socket, connection);
  return connection;
}

function describeSocket(socket: TLSSocket): Connection {
  if (socket.encrypted !== true || !socket.authorized) return {};
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (subject === undefined) return {};
  const { CN: commonName, O: organizations = [] } = subject as { CN?: string | string[]; O?: string | string[] };
  return { certificate: { commonName: String(commonName ?? ""), organizations: [organizations].flat() } };
}
