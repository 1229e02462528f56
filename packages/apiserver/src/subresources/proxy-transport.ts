/** One request that is passed on to a port of a pod, for the proxies (proxy.ts), over a connection that is open. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ResourceCall } from "../endpoints/call.ts";
import type { ApiResponse } from "../request/request.ts";

/** What belongs to one connection, and what only the API server may know. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** Sends the request of a call over a connection to a port; the answer is passed on as it comes. Rejects when there is none. */
export async function exchangeOver(port: Duplex, { request, info }: ResourceCall): Promise<ApiResponse> {
  const { request: open } = await import("node:http"); // Few need it, and loading it takes long.
  const query = info.query.size === 0 ? "" : `?${info.query}`;
  const path = `/${info.rest.map(encodeURIComponent).join("/")}${info.path.endsWith("/") && info.rest.length > 0 ? "/" : ""}`;
  const { method, signal } = request;
  const sent = open({
    method,
    path: path + query,
    headers: { ...ofOthers(request.headers), host: info.name },
    createConnection: () => port,
    signal,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  sent.end(request.body);
  const answer = await answered;
  return { status: answer.statusCode ?? 502, headers: ofOthers(answer.headers), body: answer };
}

function ofOthers(headers: IncomingMessage["headers"] | ResourceCall["request"]["headers"]): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, [value].flat().join(", ")]));
}
