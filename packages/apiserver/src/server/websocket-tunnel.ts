/**
 * The client's side of a WebSocket: its frames one by one, and a WebSocket as a two-way stream of bytes, for protocols
 * that are tunnelled in binary messages whose bounds mean nothing.
 */
import { Duplex } from "node:stream";
import { encodeFrame, type FrameRules, readFrame } from "@kubewright/core/protocol";

/** Clients must mask; those of a tunnel cut what they say to less than this. */
const TUNNEL_FRAMES: FrameRules = { masked: true, payloadBytesMax: 1024 * 1024 };

/** Code 1000: normal closure. */
export const CLOSE_FRAME: Uint8Array = encodeFrame("close", Buffer.from([0x03, 0xe8]));

/** Who is told of a client's frames. */
export interface FrameListener {
  readonly rules: FrameRules;
  /** Gets what a message or a part of one says. */
  readonly onPayload: (payload: Uint8Array, isFirst: boolean) => void;
  /** The client closed, or sent what is no frame. */
  readonly onClose: () => void;
}

/** Reads the frames of a client and answers its pings. */
export function followFrames(socket: Duplex, { rules, onPayload, onClose }: FrameListener): void {
  let pending: Uint8Array = new Uint8Array();
  socket.on("data", (chunk: Uint8Array) => {
    pending = pending.byteLength === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let read = readFrame(pending, rules); read !== "more"; read = readFrame(pending, rules)) {
      if (read === "error" || read.frame.kind === "close") return onClose();
      const { kind, payload } = read.frame;
      if (kind === "ping") socket.write(encodeFrame("pong", payload));
      else if (kind !== "pong") onPayload(payload, kind !== "continuation");
      pending = read.rest;
    }
  });
}

/** The bytes in a WebSocket's binary messages, both ways. */
export function tunnelBytes(socket: Duplex): Duplex {
  const bytes = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Uint8Array, _encoding, done) => void socket.write(encodeFrame("binary", chunk), done),
    final: (done) => void socket.end(CLOSE_FRAME, () => done()),
    destroy: (error, done) => {
      if (socket.writable) socket.end(CLOSE_FRAME);
      done(error);
    },
  });
  const onPayload = (payload: Uint8Array): void => {
    if (!bytes.destroyed && !bytes.push(payload)) socket.pause();
  };
  followFrames(socket, { rules: TUNNEL_FRAMES, onPayload, onClose: () => bytes.destroy() });
  socket.once("close", () => bytes.destroy());
  return bytes;
}
