/**
 * Requests to switch protocols. They are served like any other. If the answer is a stream (a watch, a remote command), each event
 * becomes one WebSocket message; if it is a tunnel, its bytes go through a WebSocket or, with SPDY, over the bare
 * socket. Any other answer goes out as plain HTTP.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Headers } from "@kubewright/core/ports";
import { encodeFrame, type FrameRules } from "@kubewright/core/protocol";
import type { ApiResponse, Connection, Tunnel } from "../request/request.ts";
import { drained } from "./answer-stream.ts";
import { toHeaders } from "./http-exchange.ts";
import type { Serve } from "./serve.ts";
import { CLOSE_FRAME, followFrames, tunnelBytes } from "./websocket-tunnel.ts";

const HANDSHAKE_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const BEARER_PROTOCOL = "base64url.bearer.authorization.k8s.io.";
const CHANNELS = ".channel.k8s.io";
const NEWLINE = 0x0a;

/** Clients must mask; nobody needs large messages to follow a watch. */
const CLIENT_FRAMES: FrameRules = { masked: true, payloadBytesMax: 64 * 1024 };

/** A request to switch protocols, with its socket. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly connection: Connection;
}

/** Serves one upgrade request; resolves when the socket is done with. */
export async function serveUpgrade(serve: Serve, { request, socket, connection }: UpgradeRequest): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  socket.once("error", () => gone.abort());
  request.socket.setNoDelay(true); // Small messages would wait for the client's system to acknowledge those before.
  const headers = upgradeHeaders(request);
  const { method = "GET", url: path = "/" } = request;
  const incoming = { method, path, headers, body: new Uint8Array(), signal: gone.signal };
  try {
    const response = await serve(incoming, connection);
    if (response.isLost === true) throw new Error("the answer is lost");
    const { body, tunnel } = response;
    const key = request.headers["sec-websocket-key"];
    if (tunnel !== undefined) return await serveTunnel(socket, tunnel, key);
    const isStream = typeof body !== "string" && !(body instanceof Uint8Array);
    if (!isStream || key === undefined || request.headers.upgrade?.toLowerCase() !== "websocket") {
      return await refuse(socket, response);
    }
    const protocol = chosenProtocol(headers);
    socket.write(handshake(key, protocol));
    followFrames(socket, {
      rules: CLIENT_FRAMES,
      onPayload: takerOf(socket, response),
      onClose: () => socket.destroy(),
    });
    response.whenTooSlow?.(() => socket.destroy());
    const channels = response.messages !== undefined || protocol?.endsWith(CHANNELS) === true;
    await sendMessages(socket, { body, channels }, gone.signal);
    socket.end(CLOSE_FRAME);
  } catch {
    socket.destroy(); // The connection broke: nobody is left to tell.
  }
}

/** Hands what the client says to whoever listens, no faster than that is read. */
function takerOf(socket: Duplex, { messages }: ApiResponse): (part: Uint8Array, isFirst: boolean) => void {
  socket.once("close", () => messages?.end());
  return (part, isFirst) => {
    if (messages === undefined || messages.take(part, isFirst)) return;
    socket.pause();
    messages.whenReady(() => socket.resume());
  };
}

/** Browsers cannot set headers, so a token may come as a subprotocol. */
function upgradeHeaders(request: IncomingMessage): Headers {
  const headers = toHeaders(request);
  const token = protocolsOf(headers["sec-websocket-protocol"]).find((protocol) => protocol.startsWith(BEARER_PROTOCOL));
  const bearer = Buffer.from((token ?? "").slice(BEARER_PROTOCOL.length), "base64url").toString("utf8");
  return { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${bearer}` }) };
}

function protocolsOf(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((protocol) => protocol.trim());
}

/** The first protocol that is not a token in disguise. */
function chosenProtocol(headers: Headers): string | undefined {
  return protocolsOf(headers["sec-websocket-protocol"]).find(
    (name) => name !== "" && !name.startsWith(BEARER_PROTOCOL),
  );
}

function handshake(key: string, protocol: string | undefined): string {
  const accept = createHash("sha1")
    .update(key + HANDSHAKE_SUFFIX)
    .digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Hands the upgraded connection over. A WebSocket carries its key; without one, the socket itself is what was asked for. */
function serveTunnel(socket: Duplex, { protocol, serve }: Tunnel, key: string | undefined): Promise<void> {
  if (key !== undefined) {
    socket.write(handshake(key, protocol));
    return serve(tunnelBytes(socket));
  }
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: SPDY/3.1", "Connection: Upgrade"];
  socket.write(`${[...lines, `X-Stream-Protocol-Version: ${protocol}`].join("\r\n")}\r\n\r\n`);
  return serve(socket);
}

interface Messages {
  readonly body: AsyncIterable<Uint8Array>;
  /** Each chunk is one message of a channel, as for remote commands; otherwise each line is one. */
  readonly channels: boolean;
}

async function sendMessages(socket: Duplex, { body, channels }: Messages, signal: AbortSignal): Promise<void> {
  for await (const chunk of body) {
    for (const message of channels ? [chunk] : linesOf(chunk)) {
      if (signal.aborted) return;
      if (!socket.write(encodeFrame(channels ? "binary" : "text", message))) await drained(socket, signal);
    }
  }
}

/** Each event is one line; chunks are whole lines. */
function* linesOf(chunk: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < chunk.byteLength; ) {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.byteLength : newline + 1;
    yield chunk.subarray(start, end);
    start = end;
  }
}

async function refuse(socket: Duplex, { status, headers, body }: ApiResponse): Promise<void> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body instanceof Uint8Array ? body : new Uint8Array();
  const lines = [
    `HTTP/1.1 ${status} ${status < 400 ? "OK" : "Refused"}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${bytes.byteLength}`,
    "connection: close",
  ];
  socket.end(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]));
}
