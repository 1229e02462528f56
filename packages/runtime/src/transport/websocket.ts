/**
 * Connections of messages over WebSocket: commands in pods. Each has an HTTP/1.1 connection of its own, which switches protocols. The
 * answer is like any other, with one message in each piece of its body; a server that refuses answers as it does otherwise.
 */
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import type { Random, TransportResponse } from "@kubewright/core/ports";
import { encodeFrame, type FrameKind, type FrameRules, readFrame } from "@kubewright/core/protocol";
import { createAgent, type ProxiedAgentOptions } from "./agent.ts";
import { type ChannelRequest, flattenHeaders } from "./http-channel.ts";
import { MESSAGE_BYTES_MAX, MessageParts } from "./message-parts.ts";
import { createPingAnswers } from "./ping-answers.ts";
import { expandHeaders } from "./request-head.ts";

/** Servers send plain frames. */
const SERVER_FRAMES: FrameRules = { masked: false, payloadBytesMax: MESSAGE_BYTES_MAX };

const MASK_BYTES = 4;
const KEY_BYTES = 16;

/** Where a connection goes, and who closes it. */
export interface WebSocketOptions {
  readonly url: URL;
  readonly agentOptions: ProxiedAgentOptions;
  /** Masks what is sent, and makes the key. */
  readonly random: Random;
  /** Told of the socket when the protocol is switched. */
  onSocket(socket: Duplex): void;
}

/** Opens a connection of messages. */
export function openWebSocket(
  request: ChannelRequest,
  { url, agentOptions, random, onSocket }: WebSocketOptions,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = requestHttps({
      agent: createAgent(agentOptions),
      host: url.hostname,
      port: url.port === "" ? 443 : url.port,
      method: "GET",
      path: request.path,
      headers: {
        ...expandHeaders(request.headers),
        "sec-websocket-version": "13",
        "sec-websocket-key": Buffer.from(random.bytes(KEY_BYTES)).toString("base64"),
      },
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    outgoing.once("upgrade", (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (head.byteLength > 0) socket.unshift(head);
      onSocket(socket);
      endWith(socket, request.signal);
      const send: Send = (kind, payload) => {
        if (socket.writable) socket.write(encodeFrame(kind, payload, random.bytes(MASK_BYTES)));
      };
      const body = readMessages(socket, send);
      const reply = (message: Uint8Array): void => send("binary", message);
      resolve({ status: 101, headers: flattenHeaders(response.headers), body, reply });
    });
    outgoing.once("response", (response: IncomingMessage) => {
      resolve({ status: response.statusCode ?? 0, headers: flattenHeaders(response.headers), body: response });
    });
    outgoing.once("error", reject);
    outgoing.end();
  });
}

/** Destroys a socket when the signal aborts, for which Node.js no longer does it once the protocol is switched. */
function endWith(socket: Duplex, signal: AbortSignal | undefined): void {
  socket.on("error", () => {}); // Whoever reads gets it; nobody may have begun to.
  const onAbort = (): unknown => socket.destroy(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  socket.once("close", () => signal?.removeEventListener("abort", onAbort));
}

const NO_FRAME = `the server sent what is no WebSocket frame, or one of more than ${MESSAGE_BYTES_MAX} bytes`;
const OUT_OF_TURN =
  "the server sent a WebSocket frame out of turn: a message within another, or the rest of one that did not begin";

/** Code 1002: the other side does not keep to the protocol. */
const PROTOCOL_ERROR = Uint8Array.of(0x03, 0xea);

type Send = (kind: FrameKind, payload: Uint8Array) => void;

/** The messages of the server until it closes; whoever stops reading closes the connection. */
async function* readMessages(socket: Duplex, send: Send): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array = new Uint8Array();
  const parts = new MessageParts();
  const answerPing = createPingAnswers(socket, (payload) => send("pong", payload));
  const refuse = (why: string): Error => {
    send("close", PROTOCOL_ERROR);
    return new Error(`${why}; see what is between it and this client`);
  };
  try {
    for await (const chunk of socket as AsyncIterable<Uint8Array>) {
      pending = pending.byteLength === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let read = readFrame(pending, SERVER_FRAMES); read !== "more"; read = readFrame(pending, SERVER_FRAMES)) {
        if (read === "error") throw refuse(NO_FRAME);
        const { kind, payload } = read.frame;
        pending = read.rest;
        if (kind === "close") return;
        if (kind === "ping") answerPing(payload);
        if (kind === "ping" || kind === "pong") continue;
        if (parts.isOutOfTurn(read.frame)) throw refuse(OUT_OF_TURN);
        const message = parts.add(read.frame);
        if (message !== undefined) yield message;
      }
    }
  } finally {
    socket.destroy();
  }
}
