/**
 * Requests to the API server under test, by Node.js' own HTTPS and nothing else: what judges an SDK must not be made of it. Used by the
 * driver's other files. An answer that is not expected throws, because a benchmark on a broken setup measures nothing.
 */
import { Agent, request } from "node:https";

/** Where the API server is, and as whom to talk to it. */
export interface ApiServer {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly token: string;
}

/** An object as JSON. */
export type JsonObject = { readonly [key: string]: unknown };

/** Requests on kept connections. */
export interface Api extends Disposable {
  /** The decoded answer. */
  call(method: string, path: string, options?: CallOptions): Promise<JsonObject>;
  /** The decoded answer; undefined when there is no such thing. */
  callIfThere(method: string, path: string): Promise<JsonObject | undefined>;
  /** The status alone, whatever it is: for waiting until something is served. */
  status(path: string): Promise<number>;
  /** The answer as text. */
  text(path: string): Promise<string>;
  /** The lines of a stream, one call each, until `signal` aborts or the server ends it. */
  lines(path: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void>;
}

/** What a call has besides method and path. */
export interface CallOptions {
  readonly body?: unknown;
  /** @default "application/json" */
  readonly contentType?: string;
}

const CONNECTIONS_MAX = 32;

/** Requests to `server`. */
export function createApi(server: ApiServer): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, ca: server.certificateAuthority });
  const streams = new Agent({ ca: server.certificateAuthority });
  const callIfThere = async (method: string, path: string, options: CallOptions = {}) => {
    const { status, text } = await exchange(server, agent, { method, path, ...options });
    if (status < 300) return JSON.parse(text) as JsonObject;
    if (status === 404) return undefined;
    throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  return {
    callIfThere,
    async call(method, path, options) {
      const answer = await callIfThere(method, path, options);
      if (answer === undefined) throw new Error(`${method} ${path}: not found`);
      return answer;
    },
    status: async (path) => (await exchange(server, agent, { method: "GET", path })).status,
    async text(path) {
      const { status, text } = await exchange(server, agent, { method: "GET", path });
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
      return text;
    },
    lines: (path, onLine, signal) => streamLines(server, streams, { path, onLine, signal }),
    [Symbol.dispose]: () => {
      agent.destroy();
      streams.destroy();
    },
  };
}

interface Exchange extends CallOptions {
  readonly method: string;
  readonly path: string;
}

function exchange(
  server: ApiServer,
  agent: Agent,
  { method, path, body, contentType = "application/json" }: Exchange,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": contentType };
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
  const sent = request(`${server.url}${path}`, { agent, method, headers }, (answer) => {
    const pieces: Buffer[] = [];
    answer.on("data", (piece: Buffer) => pieces.push(piece));
    answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
    answer.on("error", reject);
  });
  sent.on("error", reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

interface Stream {
  readonly path: string;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

function streamLines(server: ApiServer, agent: Agent, { path, onLine, signal }: Stream): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}` };
  return new Promise((resolve) => {
    const sent = request(`${server.url}${path}`, { agent, headers, signal }, (answer) => {
      let rest = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        const lines = (rest + piece).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onLine(line);
      });
      answer.on("close", resolve);
      answer.on("error", () => resolve());
    });
    sent.on("error", () => resolve());
    sent.end();
  });
}
