/**
 * WebSocket frames (RFC 6455) as far as Kubernetes needs them: whole messages, masked by clients and plain from servers. Pure: the API
 * server's websocket.ts and the runtime's HTTP transport have the sockets.
 */

/** What a frame is for. */
export type FrameKind = "continuation" | "text" | "binary" | "close" | "ping" | "pong";

/** One frame. */
export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
  /** False when more frames of the same message follow. */
  readonly final: boolean;
}

/** What reading came to: a frame and the bytes behind it, "more" bytes needed, or an error that ends the connection. */
export type FrameRead = { readonly frame: Frame; readonly rest: Uint8Array } | "more" | "error";

/** What a reader accepts. */
export interface FrameRules {
  /** Clients mask what they send, servers do not. */
  readonly masked: boolean;
  /** Larger frames are an error. */
  readonly payloadBytesMax: number;
}

const KINDS: ReadonlyMap<number, FrameKind> = new Map([
  [0x0, "continuation"],
  [0x1, "text"],
  [0x2, "binary"],
  [0x8, "close"],
  [0x9, "ping"],
  [0xa, "pong"],
]);
const OPCODES: ReadonlyMap<FrameKind, number> = new Map([...KINDS].map(([opcode, kind]) => [kind, opcode]));

const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;

/** The bit of the opcodes of close, ping and pong, which come whole and are short (RFC 6455, section 5.5). */
const CONTROL = 0x08;
const CONTROL_BYTES_MAX = 125;

/** One whole message as a frame; with a mask of four bytes, as clients send it. */
export function encodeFrame(kind: FrameKind, payload: Uint8Array, mask?: Uint8Array): Uint8Array {
  const head = encodeHead(kind, payload.byteLength, mask !== undefined);
  const frame = new Uint8Array(head.byteLength + (mask === undefined ? 0 : MASK_BYTES) + payload.byteLength);
  frame.set(head);
  if (mask !== undefined) frame.set(mask, head.byteLength);
  frame.set(mask === undefined ? payload : applyMask(payload, mask), frame.byteLength - payload.byteLength);
  return frame;
}

/** Reads the first frame of `bytes`. */
export function readFrame(bytes: Uint8Array, rules: FrameRules): FrameRead {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return "more";
  const kind = KINDS.get(first & 0x0f);
  if (kind === undefined || ((second & MASKED) !== 0) !== rules.masked || (first & 0x70) !== 0) return "error";
  const final = (first & FINAL) !== 0;
  if ((first & CONTROL) !== 0 && (!final || (second & 0x7f) > CONTROL_BYTES_MAX)) return "error";
  const size = readSize(bytes, second & 0x7f);
  if (size === "more") return size;
  if (size.payloadBytes > rules.payloadBytesMax) return "error";
  const payloadAt = size.headBytes + (rules.masked ? MASK_BYTES : 0);
  const end = payloadAt + size.payloadBytes;
  if (bytes.byteLength < end) return "more";
  const raw = bytes.subarray(payloadAt, end);
  const payload = rules.masked ? applyMask(raw, bytes.subarray(size.headBytes, payloadAt)) : raw;
  return { frame: { kind, payload, final }, rest: bytes.subarray(end) };
}

function encodeHead(kind: FrameKind, payloadBytes: number, masked: boolean): Uint8Array {
  const head = new Uint8Array(payloadBytes < 126 ? 2 : payloadBytes < 65_536 ? 4 : 10);
  const view = new DataView(head.buffer);
  view.setUint8(0, FINAL | (OPCODES.get(kind) ?? 0));
  const flag = masked ? MASKED : 0;
  if (payloadBytes < 126) view.setUint8(1, flag | payloadBytes);
  else if (payloadBytes < 65_536) {
    view.setUint8(1, flag | 126);
    view.setUint16(2, payloadBytes);
  } else {
    view.setUint8(1, flag | 127);
    view.setBigUint64(2, BigInt(payloadBytes));
  }
  return head;
}

function readSize(
  bytes: Uint8Array,
  short: number,
): { readonly headBytes: number; readonly payloadBytes: number } | "more" {
  if (short < 126) return { headBytes: 2, payloadBytes: short };
  const headBytes = short === 126 ? 4 : 10;
  if (bytes.byteLength < headBytes) return "more";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { headBytes, payloadBytes: short === 126 ? view.getUint16(2) : Number(view.getBigUint64(2)) };
}

function applyMask(payload: Uint8Array, mask: Uint8Array): Uint8Array {
  return payload.map((byte, index) => byte ^ (mask[index % MASK_BYTES] ?? 0));
}
