/**
 * The HTTP transport: requests to a real API server over TLS, on kept connections. HTTP/1.1, by a client of our own: docs/performance.md
 * has what was measured beside Node.js' HTTP/1.1 and HTTP/2. Dead peers are found by the kernel's keep-alive probes, by the idle deadline of
 * watches and by the time limit of requests.
 */
import type { Headers, Random, Transport } from "@kubewright/core/ports";
import { systemRandom } from "@kubewright/node";
import { beforeAbort } from "./before-abort.ts";
import type { HttpChannel } from "./http-channel.ts";
import type { TlsSettings } from "./tls-settings.ts";

const SILENCE_MS = 60_000;
const UNAUTHORIZED = 401;
const NO_HEADERS: Headers = {};

/** What an HTTP transport is made of. */
export interface HttpTransportOptions {
  /** "https://10.0.0.1:6443"; a path is put in front of every request's. */
  readonly server: string;
  /** Asked for each request, because a certificate or authority may have been rotated. What is known is best answered at once. */
  readonly tls?: (() => TlsSettings | Promise<TlsSettings>) | undefined;
  /** Headers of every request, such as authorization. Asked for each request: keep what is costly, and answer with others when they change. */
  readonly headers?: (() => Headers | Promise<Headers>) | undefined;
  /** Told the headers that the server did not take: what is kept of them is to be renewed before the next request. */
  readonly onUnauthorized?: ((refused: Headers) => void) | undefined;
  /** A proxy to go through: "http://…", "https://…" or "socks5://…". */
  readonly proxyUrl?: string | undefined;
  /** @default "kubewright" */
  readonly userAgent?: string | undefined;
  /** A request whose connection is silent for this long has failed. Watches have deadlines of their own. @default 60_000 */
  readonly silenceMs?: number;
  /** @default the system's */
  readonly random?: Random;
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
  const merge = createHeaderMerger({ "user-agent": options.userAgent ?? "kubewright" });
  return {
    async send(request) {
      // What is there is not waited for: then the request has left when this returns.
      const current = channels.current();
      const channel = current instanceof Promise ? await beforeAbort(current, request.signal) : current;
      const given = options.headers?.() ?? NO_HEADERS;
      const headers = given instanceof Promise ? await beforeAbort(given, request.signal) : given;
      const response = await channel.send({
        ...request,
        path: prefix + request.path,
        headers: merge(headers, request.headers ?? NO_HEADERS),
      });
      if (response.status === UNAUTHORIZED) options.onUnauthorized?.(headers);
      return response;
    },
    close: channels.close,
    [Symbol.dispose]: channels.close,
  };
}

/** Puts headers together; the same ones again for the same parts, for most requests have the same few. */
function createHeaderMerger(agent: Headers): (given: Headers, own: Headers) => Headers {
  let latest: Headers | undefined;
  let merged = new WeakMap<Headers, Headers>();
  return (given, own) => {
    if (given !== latest) merged = new WeakMap();
    latest = given;
    const before = merged.get(own);
    if (before !== undefined) return before;
    const headers = { ...agent, ...given, ...own };
    merged.set(own, headers);
    return headers;
  };
}

/** A channel, from when it is first asked for. */
interface KnownChannel {
  readonly settings: TlsSettings;
  readonly opening: Promise<HttpChannel>;
  /** Once it is open. */
  opened?: HttpChannel;
  /** Nobody is to use it any more, even if it has yet to open. */
  closed?: boolean;
}

/** The channel for the present TLS settings; a new one when they changed, while the old one serves what it began. */
function createChannels(
  url: URL,
  options: HttpTransportOptions,
): { current(): HttpChannel | Promise<HttpChannel>; close(): void } {
  const all = new Set<KnownChannel>();
  let known: KnownChannel | undefined;
  const channelFor = (settings: TlsSettings): HttpChannel | Promise<HttpChannel> => {
    if (known === undefined || !sameSettings(known.settings, settings)) {
      const latest: KnownChannel = { settings, opening: connectChannel(url, settings, options) };
      known = latest;
      all.add(latest);
      latest.opening.then(
        (channel) => {
          latest.opened = channel;
          if (latest.closed === true) channel.close();
        },
        () => {
          all.delete(latest);
          if (known === latest) known = undefined; // The next request tries again.
        },
      );
    }
    return known.opened ?? known.opening;
  };
  return {
    current() {
      const settings = options.tls?.() ?? {};
      return settings instanceof Promise ? settings.then(channelFor) : channelFor(settings);
    },
    close: () => {
      for (const channel of all) {
        channel.closed = true;
        channel.opened?.close();
      }
      all.clear();
      known = undefined;
    },
  };
}

/** TLS and HTTP are loaded with the first request: most of what imports this package never makes one. */
async function connectChannel(url: URL, settings: TlsSettings, options: HttpTransportOptions): Promise<HttpChannel> {
  const { openChannel } = await import("./open-channel.ts");
  const { proxyUrl, random = systemRandom, silenceMs = SILENCE_MS } = options;
  return openChannel(settings, { url, proxyUrl, random, timing: { silenceMs } });
}

/** Asked for every request, so that it compares bytes only where they were read anew. */
function sameSettings(left: TlsSettings, right: TlsSettings): boolean {
  if (left === right) return true;
  return (
    left.serverName === right.serverName &&
    left.insecureSkipVerify === right.insecureSkipVerify &&
    samePem(left.ca, right.ca) &&
    samePem(left.cert, right.cert) &&
    samePem(left.key, right.key)
  );
}

function samePem(left: TlsSettings["ca"], right: TlsSettings["ca"]): boolean {
  if (left === right) return true;
  return left instanceof Uint8Array && right instanceof Uint8Array && Buffer.compare(left, right) === 0;
}
