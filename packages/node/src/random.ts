/** The system's randomness, unpredictable. */
import { randomBytes } from "node:crypto";
import type { Random } from "@kubewright/core/ports";

/** Asking the system costs the same for few bytes as for many, so they are asked for in stock. */
const STOCK_BYTES = 4096;
const FROM_STOCK_BYTES_MAX = 64;
let stock = new Uint8Array();
let taken = 0;

/** The system's random source. */
export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (length) => (length > FROM_STOCK_BYTES_MAX ? randomBytes(length) : takeFromStock(length)),
};

/** A copy, and nothing stays behind of what was given out. */
function takeFromStock(length: number): Uint8Array {
  if (taken + length > stock.length) {
    stock = new Uint8Array(randomBytes(STOCK_BYTES)); // Copies of a Buffer are Buffers, which take longer to make.
    taken = 0;
  }
  const bytes = stock.slice(taken, taken + length);
  stock.fill(0, taken, taken + length);
  taken += length;
  return bytes;
}
