/** Numbers as SPDY writes them: four bytes, the highest first. */

/** The bytes of a number. */
export function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
