/**
 * The HTTP transport: requests to a real API server over TLS, on kept connections. HTTP/2 where the server speaks it: measured on
 * kube-apiserver with 16 requests at once it takes about 40 % less CPU than HTTP/1.1 at the same speed. Dead peers are found by pings, by the
 * idle deadline of watches and by the time limit of requests.
 */
import { isIP } from "node:net";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import type { Headers, Transport } from "@kubewright/core/ports";
import type { HttpChannel } from "./http-channel.ts";
import { createHttp1Channel } from "./http1-channel.ts";
import { createHttp2Channel } from "./http2-channel.ts";

/** Connecting may take this long. */
const CONNECT_MS_MAX = 30_000;

/** How the server is known and how it knows us. */
export interface TlsSettings {
  /** Certificates of the authorities that may vouch for the server, as PEM. @default the system's */
  readonly ca?: string | Uint8Array | undefined;
  /** Our certificate, as PEM. */
  readonly cert?: string | Uint8Array | undefined;
  /** Our key, as PEM. */
  readonly key?: string | Uint8Array | undefined;
  /** The name that the server's certificate must have. @default the host of the URL */
  readonly serverName?: string | undefined;
  /** Believe any certificate. @default false */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** What an HTTP transport is made of. */
export interface HttpTransportOptions {
  /** "https://10.0.0.1:6443"; a path is put in front of every request's. */
  readonly server: string;
  /** Asked anew when a certificate or authority may have been rotated. */
  readonly tls?: (() => Promise<TlsSettings>) | undefined;
  /** Headers of every request, such as authorization. Asked for each request: keep what is costly. */
  readonly headers?: (() => Promise<Headers>) | undefined;
  /** An HTTP proxy to go through. */
  readonly proxyUrl?: string | undefined;
  /** @default "kubewright" */
  readonly userAgent?: string | undefined;
}

/** A transport with connections to be closed. */
export interface HttpTransport extends Transport, Disposable {
  /** Closes all connections. */
  close(): void;
}

/** A transport to an API server over TLS. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const url = new URL(options.server);
  if (url.protocol !== "https:") {
    throw new TypeError(`the API server's URL ${JSON.stringify(url.origin)} must begin with https://`);
  }
  const prefix = url.pathname === "/" ? "" : url.pathname.replace(/\/$/, "");
  const channels = createChannels(url, options);
  return {
    async send(request) {
      const [channel, headers] = await Promise.all([channels.current(), options.headers?.() ?? {}]);
      const agent = { "user-agent": options.userAgent ?? "kubewright" };
      return channel.send({
        ...request,
        path: prefix + request.path,
        headers: { ...agent, ...headers, ...request.headers },
      });
    },
    close: channels.close,
    [Symbol.dispose]: channels.close,
  };
}

/** The channel for the present TLS settings; a new one when they changed, while the old one serves what it began. */
function createChannels(url: URL, options: HttpTransportOptions): { current(): Promise<HttpChannel>; close(): void } {
  const open = new Set<HttpChannel>();
  let known: { readonly settings: TlsSettings; readonly channel: Promise<HttpChannel> } | undefined;
  return {
    async current() {
      const settings = (await options.tls?.()) ?? {};
      if (known === undefined || !sameSettings(known.settings, settings)) {
        const opening = { settings, channel: openChannel(url, settings, options.proxyUrl) };
        known = opening;
        opening.channel.then(
          (channel) => open.add(channel),
          () => {
            if (known === opening) known = undefined; // The next request tries again.
          },
        );
      }
      return known.channel;
    },
    close: () => {
      for (const channel of open) channel.close();
      open.clear();
      known = undefined;
    },
  };
}

/** HTTP/2 where the server speaks it; HTTP/1.1 elsewhere, and through proxies. */
async function openChannel(url: URL, settings: TlsSettings, proxyUrl: string | undefined): Promise<HttpChannel> {
  const tls = tlsOptions(settings);
  if (proxyUrl !== undefined) return createHttp1Channel(url, { ...tls, proxyEnv: { HTTPS_PROXY: proxyUrl } });
  const dial = (): Promise<TLSSocket> => connectTls(url, tls);
  const first = await dial();
  if (first.alpnProtocol === "h2") return createHttp2Channel(url, first, dial);
  first.destroy();
  return createHttp1Channel(url, tls);
}

function connectTls(url: URL, tls: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const named = isIP(host) === 0 ? { servername: host } : {};
    const port = url.port === "" ? 443 : Number(url.port);
    const socket = connect({ ...named, ...tls, host, port, ALPNProtocols: ["h2", "http/1.1"] });
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
    ...(ca === undefined ? {} : { ca: bytes(ca) }),
    ...(cert === undefined ? {} : { cert: bytes(cert) }),
    ...(key === undefined ? {} : { key: bytes(key) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

function sameSettings(left: TlsSettings, right: TlsSettings): boolean {
  if (left === right) return true;
  return (["ca", "cert", "key", "serverName", "insecureSkipVerify"] as const).every((name) =>
    samePem(left[name], right[name]),
  );
}

function samePem(left: unknown, right: unknown): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  return left === right;
}
