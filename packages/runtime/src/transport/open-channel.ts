/** Opens connections: dials, learns which HTTP the server speaks, and makes the channel for it. http-transport.ts uses it. */
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import type { Random } from "@kubewright/core/ports";
import type { ProxiedAgentOptions } from "./agent.ts";
import { CONNECT_MS_MAX } from "./connect-limit.ts";
import type { ChannelTiming, HttpChannel } from "./http-channel.ts";
import { createHttp2Channel } from "./http2-channel.ts";
import { connectThroughSocks, isSocksUrl } from "./socks5.ts";
import type { TlsSettings } from "./tls-settings.ts";

/** Where connections go, and how. */
export interface OpenOptions {
  readonly url: URL;
  readonly proxyUrl: string | undefined;
  readonly timing: ChannelTiming;
  readonly random: Random;
}

/** HTTP/2 where the server speaks it; HTTP/1.1 elsewhere, through HTTP proxies, and for connections of messages. */
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
  if (agentOptions.proxyEnv !== undefined) return openHttp1Channel(agentOptions, options);
  const dial = (): Promise<TLSSocket> => connectTls(url, agentOptions);
  const first = await dial();
  if (first.alpnProtocol === "h2") return createHttp2Channel(first, { url, open: dial, timing });
  first.destroy();
  return openHttp1Channel(agentOptions, options);
}

/** HTTP/1.1 is loaded where it is spoken: API servers speak HTTP/2. */
async function openHttp1Channel(agentOptions: ProxiedAgentOptions, { url, timing }: OpenOptions): Promise<HttpChannel> {
  const { createHttp1Channel } = await import("./http1-channel.ts");
  return createHttp1Channel(url, agentOptions, timing);
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
  return {
    async send(request) {
      if (request.headers["upgrade"] === undefined) return channel.send(request);
      const { openWebSocket } = await import("./websocket.ts");
      return openWebSocket(request, { url, agentOptions, random, onSocket });
    },
    close() {
      for (const socket of sockets) socket.destroy();
      channel.close();
    },
  };
}

async function connectTls(url: URL, { socksUrl, ...tls }: ProxiedAgentOptions): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? 443 : Number(url.port);
  const named = isIP(host) === 0 ? { servername: host } : {};
  const through = socksUrl && { socket: await connectThroughSocks(socksUrl, { host, port }, CONNECT_MS_MAX) };
  const options = { ...named, ...(tls as ConnectionOptions), host, port, ...through };
  return handshake({ ...options, ALPNProtocols: ["h2", "http/1.1"] });
}

function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_MS_MAX, () => socket.destroy(new Error("the connection could not be made in time")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
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
