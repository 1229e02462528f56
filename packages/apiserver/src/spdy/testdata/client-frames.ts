/** What the SPDY library of Kubernetes' clients (spdystream) sends to forward a port, frame by frame, on one connection. */

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

/** Stream 1, closed by the client at once: streamtype error, port 8080, requestid 0. */
export const OPEN_ERROR: Buffer = bytes(
  "800300010100003e0000000100000000000078f9e3c6a7c202253a703a2b294a4dcc851625aca9a0808614cb45e01c6061" +
    "6061c0c0c0c0590489c64c50f2663400000000ffff",
);

/** Stream 3: streamtype data, the rest as before. Its block refers back to the one before. */
export const OPEN_DATA: Buffer = bytes("800300010000001800000003000000000000c2aa19540e2512d60b000000ffff");

/** "hi", the last bytes of stream 3. */
export const SAY_HI: Buffer = bytes("00000003010000026869");

/** Stream 3 is given up. */
export const RESET_DATA: Buffer = bytes("80030003000000080000000300000005");

/** A ping with the number 7. */
export const PING: Buffer = bytes("800300060000000400000007");

/** No more streams. */
export const GO_AWAY: Buffer = bytes("80030007000000080000000300000000");
