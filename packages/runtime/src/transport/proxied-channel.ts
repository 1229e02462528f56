/** HTTP/1.1 through a proxy, on connections that Node.js' agent makes and keeps. Directly, http1-channel.ts does it. */
import type { IncomingMessage } from "node:http";
import { type Agent, request as requestHttps } from "node:https";
import { createAgent, type ProxiedAgentOptions } from "./agent.ts";
import {
  type ChannelRequest,
  type ChannelTiming,
  flattenHeaders,
  type HttpChannel,
  silenceError,
  silenceMsOf,
} from "./http-channel.ts";
import { expandHeaders } from "./request-head.ts";

/** Connections kept for reuse when idle. */
const IDLE_CONNECTIONS_MAX = 64;

/** A channel to `url` whose connections are made with `tls`. */
export function createProxiedChannel(url: URL, tls: ProxiedAgentOptions, timing: ChannelTiming): HttpChannel {
  const agent = createAgent({ ...tls, keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS_MAX });
  return {
    async send(request) {
      const response = await exchange(request, { url, agent, timing });
      return { status: response.statusCode ?? 0, headers: flattenHeaders(response.headers), body: response };
    },
    close: () => agent.destroy(),
  };
}

interface Pool {
  readonly url: URL;
  readonly agent: Agent;
  readonly timing: ChannelTiming;
}

/** Sends a request, and a read once more when its connection turns out to have been closed while it was idle. */
async function exchange(request: ChannelRequest, pool: Pool): Promise<IncomingMessage> {
  try {
    return await exchangeOnce(request, pool);
  } catch (error) {
    if (request.method !== "GET" || !isStaleConnection(error)) throw error;
    return exchangeOnce(request, pool);
  }
}

function exchangeOnce(request: ChannelRequest, { url, agent, timing }: Pool): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body, signal } = request;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = requestHttps({
      agent,
      host: url.hostname,
      port: url.port === "" ? 443 : url.port,
      method,
      path,
      headers: { ...expandHeaders(headers), ...length },
      timeout: silenceMsOf(request, timing),
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.once("response", resolve);
    outgoing.once("timeout", () => outgoing.destroy(silenceError(timing)));
    outgoing.on("error", (error) =>
      reject(outgoing.reusedSocket ? Object.assign(error, { reusedSocket: true }) : error),
    );
    outgoing.end(body);
  });
}

function isStaleConnection(error: unknown): boolean {
  return error instanceof Error && "reusedSocket" in error && "code" in error && error.code === "ECONNRESET";
}
