/**
 * SPDY/3.1 frames, as far as Kubernetes' clients use them; header blocks stay compressed here. Pure: connection.ts has
 * the socket and the meaning. Flow control is left out, as in every client of Kubernetes: windows are never asked for.
 */
import { uint32 } from "./uint32.ts";

/** A frame as it was read. */
export type SpdyFrame =
  /** The client opens a stream; `fin` when it will say nothing on it. */
  | { readonly kind: "syn-stream"; readonly stream: number; readonly fin: boolean; readonly block: Uint8Array }
  /** Bytes of a stream; `fin` on the last ones. */
  | { readonly kind: "data"; readonly stream: number; readonly fin: boolean; readonly payload: Uint8Array }
  /** The other side gave a stream up. */
  | { readonly kind: "rst-stream"; readonly stream: number }
  /** A sign of life that is to be sent back as it is. */
  | { readonly kind: "ping"; readonly id: number }
  /** No more streams will be opened. */
  | { readonly kind: "go-away" }
  /** Settings, windows and headers that come late: nothing follows from them. */
  | { readonly kind: "other" };

/** What reading came to: a frame and the bytes behind it, "more" bytes needed, or an error that ends the connection. */
export type SpdyFrameRead = { readonly frame: SpdyFrame; readonly rest: Buffer } | "more" | "error";

const HEAD_BYTES = 8;
const CONTROL = 0x8000;
const VERSION = 3;
const FIN = 0x01;
const STREAM_MASK = 0x7fff_ffff;

/** Larger frames are an error: clients send at most what one read gave them. */
const PAYLOAD_BYTES_MAX = 1024 * 1024;

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GO_AWAY = 7;

/** Bytes of a control frame before its header block, or all that it must have. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [SYN_STREAM, 10],
  [RST_STREAM, 8],
  [PING, 4],
  [GO_AWAY, 8],
]);

/** Reads the first frame of `bytes`. */
export function readSpdyFrame(bytes: Buffer): SpdyFrameRead {
  if (bytes.byteLength < HEAD_BYTES) return "more";
  const length = bytes.readUIntBE(5, 3);
  if (length > PAYLOAD_BYTES_MAX) return "error";
  const end = HEAD_BYTES + length;
  const isControl = (bytes.readUInt16BE(0) & CONTROL) !== 0;
  if (isControl && bytes.readUInt16BE(0) !== (CONTROL | VERSION)) return "error";
  if (bytes.byteLength < end) return "more";
  const payload = bytes.subarray(HEAD_BYTES, end);
  const fin = ((bytes[4] ?? 0) & FIN) !== 0;
  const frame: SpdyFrame | "error" = isControl
    ? controlFrame(bytes.readUInt16BE(2), payload, fin)
    : { kind: "data", stream: bytes.readUInt32BE(0), fin, payload };
  return frame === "error" ? frame : { frame, rest: bytes.subarray(end) };
}

function controlFrame(type: number, payload: Buffer, fin: boolean): SpdyFrame | "error" {
  const fixed = FIXED_BYTES.get(type);
  if (fixed === undefined) return { kind: "other" };
  if (payload.byteLength < fixed) return "error";
  const first = payload.readUInt32BE(0);
  const stream = first & STREAM_MASK;
  if (type === SYN_STREAM) return { kind: "syn-stream", stream, fin, block: payload.subarray(fixed) };
  if (type === RST_STREAM) return { kind: "rst-stream", stream };
  return type === PING ? { kind: "ping", id: first } : { kind: "go-away" };
}

/** Bytes of a stream. */
export function encodeData(stream: number, payload: Uint8Array, fin: boolean): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(stream);
  head.writeUInt8(fin ? FIN : 0, 4);
  head.writeUIntBE(payload.byteLength, 5, 3);
  return Buffer.concat([head, payload]);
}

/** Accepts a stream. */
export function encodeSynReply(stream: number, block: Uint8Array): Uint8Array {
  return encodeControl(SYN_REPLY, [uint32(stream), block]);
}

/** Why a stream is given up. */
export type ResetReason = "protocol-error" | "refused-stream" | "cancel";

const RESET_STATUS: Readonly<Record<ResetReason, number>> = { "protocol-error": 1, "refused-stream": 3, cancel: 5 };

/** Gives a stream up. */
export function encodeReset(stream: number, reason: ResetReason): Uint8Array {
  return encodeControl(RST_STREAM, [uint32(stream), uint32(RESET_STATUS[reason])]);
}

/** Answers a ping. */
export function encodePing(id: number): Uint8Array {
  return encodeControl(PING, [uint32(id)]);
}

function encodeControl(type: number, parts: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(CONTROL | VERSION);
  head.writeUInt16BE(type, 2);
  const payload = Buffer.concat(parts);
  head.writeUIntBE(payload.byteLength, 5, 3);
  return Buffer.concat([head, payload]);
}
