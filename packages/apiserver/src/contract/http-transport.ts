/**
 * A transport over real sockets for the contract suite: HTTP/1.1 or HTTP/2, nothing but requests and answers. Operators
 * use the runtime's, which also keeps connections healthy.
 */
import { type ClientHttp2Session, connect } from "node:http2";
import { Agent, request as startRequest } from "node:https";
import type { Headers, Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";

/** Where to connect, and as whom. */
export interface HttpTransportOptions {
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly certificateAuthority: string;
  /** @default none */
  readonly client?: { readonly certificate: string; readonly key: string };
  /** Sent with each request. @default {} */
  readonly headers?: Headers;
}

/** A transport with connections of its own. */
export interface HttpTransport extends Transport {
  close(): void;
}

/** HTTP/1.1 with kept-alive connections. */
export function createHttp1Transport({
  url,
  certificateAuthority,
  client,
  headers = {},
}: HttpTransportOptions): HttpTransport {
  const agent = new Agent({ keepAlive: true, ca: certificateAuthority, ...pair(client) });
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers: own = {}, body, signal }: TransportRequest) =>
      new Promise<TransportResponse>((resolve, reject) => {
        const options = {
          method,
          agent,
          headers: { ...headers, ...own, ...lengthOf(body) },
          ...(signal === undefined ? {} : { signal }),
        };
        const request = startRequest(new URL(path, url), options, (response) => {
          response.on("error", () => {}); // Read errors reach whoever iterates the body.
          resolve({ status: response.statusCode ?? 0, headers: joined(response.headers), body: response });
        });
        request.on("error", reject);
        request.end(body);
      }),
  };
}

/** HTTP/2 on one connection. */
export function createHttp2Transport({
  url,
  certificateAuthority,
  client,
  headers = {},
}: HttpTransportOptions): HttpTransport {
  const session = connect(url, { ca: certificateAuthority, ...pair(client) });
  session.on("error", () => {}); // Requests on the session fail on their own.
  return { close: () => session.destroy(), send: (request) => sendOnSession(session, headers, request) };
}

function sendOnSession(
  session: ClientHttp2Session,
  common: Headers,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { method, path, headers = {}, body, signal } = request;
  return new Promise((resolve, reject) => {
    const options = { endStream: body === undefined, ...(signal === undefined ? {} : { signal }) };
    const stream = session.request({ ":method": method, ":path": path, ...common, ...headers }, options);
    const onClose = (): void => reject(new Error("the stream was closed without an answer"));
    stream.once("error", reject);
    stream.once("close", onClose);
    stream.once("response", (head) => {
      stream.off("error", reject);
      stream.off("close", onClose);
      stream.on("error", () => {}); // Read errors reach whoever iterates the body.
      resolve({ status: Number(head[":status"]), headers: joined(head), body: stream });
    });
    if (body !== undefined) stream.end(body);
  });
}

/** Node.js leaves the length of a DELETE's body to the caller. */
function lengthOf(body: TransportRequest["body"]): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function pair(client: HttpTransportOptions["client"]): { cert?: string; key?: string } {
  return client === undefined ? {} : { cert: client.certificate, key: client.key };
}

function joined(headers: Readonly<Record<string, string | string[] | number | undefined>>): Headers {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(":"));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]),
  );
}
