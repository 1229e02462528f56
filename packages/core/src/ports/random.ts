/**
 * The randomness port: names, uids and jitter come from here, so that a seed replays a run.
 * Implemented by `@kubewright/node` (the system's) and by `seededRandom` below.
 */

/** A source of randomness. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes; unpredictable in the system's implementation. */
  bytes(length: number): Uint8Array;
}

/** The same sequence for the same seed (mulberry32). For simulations and tests, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const bytes = (length: number): Uint8Array => {
    const filled = new Uint8Array(length);
    for (let index = 0; index < length; index++) filled[index] = Math.floor(next() * 256);
    return filled;
  };
  return { next, bytes };
}

/** A random (version 4) UUID. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  // All at once: text that is put together piece by piece is kept in memory as its pieces.
  const codes: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (index === 4 || index === 6 || index === 8 || index === 10) codes.push(DASH);
    codes.push(digitCode(byte >> 4), digitCode(byte & 0x0f));
  }
  return String.fromCharCode(...codes);
}

const DASH = 0x2d;

/** The character code of a hexadecimal digit. */
function digitCode(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}

/** `bytes` random bytes as hexadecimal digits. */
export function randomHex(random: Random, bytes: number): string {
  return toHex(random.bytes(bytes));
}

function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += HEX_OF_BYTE[byte];
  return hex;
}

const HEX_OF_BYTE: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
