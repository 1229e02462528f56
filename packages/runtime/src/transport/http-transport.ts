/**
 * The HTTP transport: requests to a real API server over TLS, on a pool of kept connections. Connections are HTTP/1.1: measured
 * against HTTP/2 it needs less CPU and answers sooner for the many small requests that operators make. Dead peers are found by the
 * idle deadline of watches and the time limit of requests.
 */
import type { IncomingMessage } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import type { Headers, Transport, TransportRequest } from "@kubewright/core/ports";

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

/** Connections kept for reuse when idle. */
const IDLE_CONNECTIONS_MAX = 64;

/** A request whose connection is silent for this long has failed. */
const SILENCE_MS_MAX = 60_000;

/** A transport to an API server over TLS. */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const url = new URL(options.server);
  if (url.protocol !== "https:") {
    throw new TypeError(`the API server's URL ${JSON.stringify(url.origin)} must begin with https://`);
  }
  const prefix = url.pathname === "/" ? "" : url.pathname.replace(/\/$/, "");
  const agents = createAgents(options);
  const close = (): void => agents.close();
  return {
    async send(request) {
      const [agent, headers] = await Promise.all([agents.current(), options.headers?.() ?? {}]);
      const response = await exchange(request, {
        agent,
        url,
        path: prefix + request.path,
        headers: { "user-agent": options.userAgent ?? "kubewright", ...headers, ...request.headers },
      });
      return { status: response.statusCode ?? 0, headers: flatten(response.headers), body: response };
    },
    close,
    [Symbol.dispose]: close,
  };
}

interface Exchange {
  readonly agent: Agent;
  readonly url: URL;
  readonly path: string;
  readonly headers: Headers;
}

/** Sends a request, and a read once more when its connection turns out to have been closed while it was idle. */
async function exchange(request: TransportRequest, to: Exchange): Promise<IncomingMessage> {
  try {
    return await exchangeOnce(request, to);
  } catch (error) {
    if (request.method !== "GET" || !isStaleConnection(error)) throw error;
    return exchangeOnce(request, to);
  }
}

function exchangeOnce(request: TransportRequest, { agent, url, path, headers }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, body, signal } = request;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = requestHttps({
      agent,
      host: url.hostname,
      port: url.port === "" ? 443 : url.port,
      method,
      path,
      headers: { ...headers, ...length },
      // Watches are silent for long; whoever follows them has a deadline of its own.
      timeout: path.includes("watch=") ? 0 : SILENCE_MS_MAX,
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.once("response", resolve);
    outgoing.once("timeout", () => outgoing.destroy(new Error(`nothing was received for ${SILENCE_MS_MAX / 1000} s`)));
    outgoing.on("error", (error) =>
      reject(outgoing.reusedSocket ? Object.assign(error, { reusedSocket: true }) : error),
    );
    outgoing.end(body);
  });
}

function isStaleConnection(error: unknown): boolean {
  return error instanceof Error && "reusedSocket" in error && "code" in error && error.code === "ECONNRESET";
}

/** The pool of connections; a new one when certificates changed, while the old one serves what it began. */
function createAgents(options: HttpTransportOptions): { current(): Promise<Agent>; close(): void } {
  const agents = new Set<Agent>();
  let known: { readonly settings: TlsSettings; readonly agent: Agent } | undefined;
  return {
    async current() {
      const settings = (await options.tls?.()) ?? {};
      if (known !== undefined && sameSettings(known.settings, settings)) return known.agent;
      known = { settings, agent: createAgent(settings, options.proxyUrl) };
      agents.add(known.agent);
      return known.agent;
    },
    close: () => {
      for (const agent of agents) agent.destroy();
      agents.clear();
      known = undefined;
    },
  };
}

function createAgent(settings: TlsSettings, proxyUrl: string | undefined): Agent {
  const { ca, cert, key, serverName, insecureSkipVerify = false } = settings;
  const bytes = (pem: string | Uint8Array): string | Buffer => (typeof pem === "string" ? pem : Buffer.from(pem));
  return new Agent({
    keepAlive: true,
    maxFreeSockets: IDLE_CONNECTIONS_MAX,
    minVersion: "TLSv1.2",
    rejectUnauthorized: !insecureSkipVerify,
    ...(ca === undefined ? {} : { ca: bytes(ca) }),
    ...(cert === undefined ? {} : { cert: bytes(cert) }),
    ...(key === undefined ? {} : { key: bytes(key) }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(proxyUrl === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxyUrl } }),
  });
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

function flatten(headers: IncomingMessage["headers"]): Headers {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}
