/** Opens connections to an API server, directly or through a proxy, and makes the channel for them. http-transport.ts uses it. */
import { isIP, type SocketConstructorOpts } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from "node:tls";
import type { Random, TransportResponse } from "@kubewright/core/ports";
import type { ProxiedAgentOptions } from "./agent.ts";
import { CONNECT_MS_MAX } from "./connect-limit.ts";
import type { ChannelRequest, ChannelTiming, HttpChannel } from "./http-channel.ts";
import { createHttp1Channel } from "./http1-channel.ts";
import { connectThroughSocks, isSocksUrl } from "./socks5.ts";
import type { TlsSettings } from "./tls-settings.ts";

/** Where connections go, and how. */
export interface OpenOptions {
  readonly url: URL;
  readonly proxyUrl: string | undefined;
  readonly timing: ChannelTiming;
  readonly random: Random;
}

/** Connections of our own to the server; those of Node.js through HTTP proxies, and for connections of messages. */
export async function openChannel(settings: TlsSettings, options: OpenOptions): Promise<HttpChannel> {
  const { proxyUrl } = options;
  const tls = tlsOptions(settings);
  const agentOptions = { ...tls, ...proxyOptions(proxyUrl) };
  return withWebSockets(await openPlainChannel(agentOptions, options), agentOptions, options);
}

function proxyOptions(proxyUrl: string | undefined): ProxiedAgentOptions {
  if (proxyUrl === undefined) return {};
  return isSocksUrl(proxyUrl) ? { socksUrl: proxyUrl } : { proxyEnv: { HTTPS_PROXY: proxyUrl } };
}

async function openPlainChannel(agentOptions: ProxiedAgentOptions, options: OpenOptions): Promise<HttpChannel> {
  const { url, timing } = options;
  if (agentOptions.proxyEnv !== undefined) {
    const { createProxiedChannel } = await import("./proxied-channel.ts"); // Few operators need it.
    return createProxiedChannel(url, agentOptions, timing);
  }
  const open = createDialer(url, agentOptions);
  return createHttp1Channel(await open(), { url, open, timing });
}

/** A TLS record, which is what is read at once, holds no more. */
const RECORD_BYTES_MAX = 16 * 1024;

/** Dials; every connection after the first resumes the session of the one before, which spares both sides the key exchange. */
function createDialer(url: URL, tls: ProxiedAgentOptions): () => Promise<TLSSocket> {
  const secureContext = createSecureContext(tls); // Reads certificates once, not for every connection.
  const buffer = new Uint8Array(RECORD_BYTES_MAX);
  let session: Buffer | undefined;
  return async () => {
    const options = { ...tls, secureContext, ...(session === undefined ? {} : { session }) };
    const socket = await connectTls(url, options, buffer);
    socket.on("session", (latest) => {
      session = latest;
    });
    return socket;
  };
}

/** The channel, with requests that ask for a connection of messages on connections of their own. */
function withWebSockets(
  channel: HttpChannel,
  agentOptions: ProxiedAgentOptions,
  { url, random }: OpenOptions,
): HttpChannel {
  const sockets = new Set<Duplex>();
  const onSocket = (socket: Duplex): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const open = async (request: ChannelRequest): Promise<TransportResponse> => {
    const { openWebSocket } = await import("./websocket.ts");
    return openWebSocket(request, { url, agentOptions, random, onSocket });
  };
  return {
    send: (request) => (request.headers["upgrade"] === undefined ? channel.send(request) : open(request)),
    close() {
      for (const socket of sockets) socket.destroy();
      channel.close();
    },
  };
}

async function connectTls(url: URL, { socksUrl, ...tls }: ProxiedAgentOptions, buffer: Uint8Array): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? 443 : Number(url.port);
  const named = isIP(host) === 0 ? { servername: host } : {};
  const through = socksUrl && { socket: await connectThroughSocks(socksUrl, { host, port }, CONNECT_MS_MAX) };
  const options = { ...named, ...(tls as ConnectionOptions), host, port, ...through };
  return handshake({ ...options, ALPNProtocols: ["http/1.1"] }, buffer);
}

/**
 * Connects. What comes is read into `buffer` and told as "data" at once, good until the listeners return: buffers and bookkeeping of
 * a stream of Node.js would be half of the way from the kernel to the parser. Through SOCKS5 it comes by such a stream.
 */
function handshake(options: ConnectionOptions, buffer: Uint8Array): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const callback = (length: number): boolean => {
      socket.emit("data", buffer.subarray(0, length));
      return true;
    };
    const reading: SocketConstructorOpts = { onread: { buffer, callback } };
    const socket = connect({ ...options, ...reading });
    socket.setNoDelay(true);
    const giveUp = (): unknown => socket.destroy(new Error("the connection could not be made in time"));
    socket.setTimeout(CONNECT_MS_MAX, giveUp);
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.setTimeout(0, giveUp);
      socket.removeListener("error", reject);
      resolve(socket);
    });
  });
}

function tlsOptions(settings: TlsSettings): ConnectionOptions {
  const { ca, cert, key, serverName, insecureSkipVerify = false } = settings;
  const bytes = (pem: string | Uint8Array): string | Buffer => (typeof pem === "string" ? pem : Buffer.from(pem));
  return {
    minVersion: "TLSv1.2",
    rejectUnauthorized: !insecureSkipVerify,
    // Whoever is named is trusted as it is, an intermediate authority or the server's own certificate too, as in kubectl.
    ...(ca === undefined ? {} : { ca: bytes(ca), allowPartialTrustChain: true }),
    ...(cert === undefined ? {} : { cert: bytes(cert) }),
    ...(key === undefined ? {} : { key: bytes(key) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}
