/**
 * The HTTP servers of an operator: probes (/healthz, /readyz) and metrics. HTTP/1.1 only, with tight limits on time and size; paths
 * answer with text. Probes carry no data; metrics may be behind TLS and a check of tokens (metrics-access.ts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { configurationError } from "../kubeconfig/configuration-error.ts";

/** What a path answers with. */
export interface ProbeAnswer {
  readonly status: number;
  readonly text: string;
  /** @default "text/plain; charset=utf-8" */
  readonly contentType?: string;
}

/** What a server serves. */
export interface ProbeServerOptions {
  /** ":8081", "127.0.0.1:8081", "[::1]:8081"; port 0 takes a free one. */
  readonly address: string;
  /** Answers a GET of a path; undefined for a path that does not exist. */
  answer(path: string, headers: IncomingMessage["headers"]): Promise<ProbeAnswer | undefined>;
  /** Certificate and key, as PEM. @default no TLS */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
}

/** A server that listens. */
export interface ProbeServer extends AsyncDisposable {
  readonly port: number;
  /** Ends it and its connections. */
  close(): Promise<void>;
}

const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 30_000, maxHeaderSize: 16_384 };

const PORT_MAX = 65_535;

/** Starts a server; rejects when the address is taken. */
export async function startProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    respond(options, request, response).catch(() => response.destroy());
  };
  const server: Server =
    options.tls === undefined
      ? createServer(LIMITS, serve)
      : createTlsServer(
          { ...LIMITS, cert: options.tls.certificate, key: options.tls.key, minVersion: "TLSv1.2" },
          serve,
        );
  server.maxConnections = 100;
  const port = await listen(server, options.address);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, close, [Symbol.asyncDispose]: close };
}

async function respond(options: ProbeServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "/"] = (request.url ?? "/").split("?");
  const known =
    request.method === "GET" || request.method === "HEAD" ? await options.answer(path, request.headers) : METHOD;
  const { status, text, contentType = "text/plain; charset=utf-8" } = known ?? NOT_FOUND;
  response.writeHead(status, { "content-type": contentType, "x-content-type-options": "nosniff" });
  response.end(request.method === "HEAD" ? undefined : text);
}

const NOT_FOUND: ProbeAnswer = { status: 404, text: "404 page not found\n" };
const METHOD: ProbeAnswer = { status: 405, text: "only GET and HEAD are served here\n" };

/** ":8080" means every address of the machine. */
function listen(server: Server, address: string): Promise<number> {
  const split = address.lastIndexOf(":");
  const host = address.slice(0, split).replace(/^\[|\]$/g, "");
  const port = Number(address.slice(split + 1));
  if (split === -1 || !Number.isInteger(port) || port < 0 || port > PORT_MAX) {
    throw configurationError(`${JSON.stringify(address)} is no address; write ":8080" or "127.0.0.1:8080"`);
  }
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, ...(host === "" ? {} : { host }) }, () => {
      server.removeListener("error", reject);
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}
