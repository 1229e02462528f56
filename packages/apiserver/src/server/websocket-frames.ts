/**
 * WebSocket frames (RFC 6455) as far as a server needs them: it writes unmasked text, close and pong frames, and reads
 * the masked ones of clients. Pure: websocket.ts has the socket.
 */

/** What a frame is for. */
export type FrameKind = "continuation" | "text" | "binary" | "close" | "ping" | "pong";

/** A frame from a client. */
export interface ClientFrame {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
}

/** What reading came to: a frame and the bytes behind it, "more" bytes needed, or an error that ends the connection. */
export type FrameRead = { readonly frame: ClientFrame; readonly rest: Uint8Array } | "more" | "error";

const OPCODES: ReadonlyMap<number, FrameKind> = new Map([
  [0x0, "continuation"],
  [0x1, "text"],
  [0x2, "binary"],
  [0x8, "close"],
  [0x9, "ping"],
  [0xa, "pong"],
]);

/** Larger messages from clients are refused: nobody needs them to follow a watch. */
const PAYLOAD_BYTES_MAX = 64 * 1024;
const FINAL = 0x80;
const MASKED = 0x80;

/** One unmasked, unfragmented frame. */
export function encodeServerFrame(kind: FrameKind, payload: Uint8Array): Uint8Array {
  const opcode = [...OPCODES].find(([, name]) => name === kind)?.[0] ?? 0;
  const { byteLength } = payload;
  const head = byteLength < 126 ? Buffer.alloc(2) : byteLength < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = FINAL | opcode;
  if (byteLength < 126) head[1] = byteLength;
  else if (byteLength < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(byteLength, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(byteLength), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Reads the first frame of `bytes`. Clients must mask, and may not send more than the limit at once. */
export function readClientFrame(bytes: Uint8Array): FrameRead {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return "more";
  const kind = OPCODES.get(first & 0x0f);
  if (kind === undefined || (second & MASKED) === 0 || (first & 0x70) !== 0) return "error";
  const size = payloadSize(bytes, second & 0x7f);
  if (size === "more" || size === "error") return size;
  const maskAt = size.headBytes;
  const payloadAt = maskAt + 4;
  if (bytes.byteLength < payloadAt + size.payloadBytes) return "more";
  const mask = bytes.subarray(maskAt, payloadAt);
  const payload = bytes.slice(payloadAt, payloadAt + size.payloadBytes);
  for (let index = 0; index < payload.length; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { frame: { kind, payload }, rest: bytes.subarray(payloadAt + size.payloadBytes) };
}

function payloadSize(bytes: Uint8Array, short: number) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (short < 126) return { headBytes: 2, payloadBytes: short };
  if (short === 127) return "error" as const; // Beyond 64 KiB, which is beyond the limit.
  if (view.byteLength < 4) return "more" as const;
  const payloadBytes = view.readUInt16BE(2);
  return payloadBytes > PAYLOAD_BYTES_MAX ? ("error" as const) : { headBytes: 4, payloadBytes };
}
