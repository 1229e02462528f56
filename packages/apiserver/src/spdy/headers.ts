/**
 * The header blocks of SPDY frames: names and values, compressed with zlib over the whole life of a connection. Each
 * block ends at a whole byte (a sync flush), so that one is read at a time, with what came before as its dictionary.
 */
import { constants, deflateRawSync, deflateSync, inflateRawSync } from "node:zlib";
import { dictionary } from "./dictionary.ts";
import { uint32 } from "./uint32.ts";

/** Names in lower case; several values of one name are joined by NUL. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** What deflate looks back on. */
const WINDOW_BYTES = 32 * 1024;

/** More than any honest client says of a stream. */
const BLOCK_BYTES_MAX = 64 * 1024;

/** The head of a zlib stream that names a dictionary: two bytes and its checksum. */
const ZLIB_HEAD_BYTES = 6;

const SYNC_FLUSH = { finishFlush: constants.Z_SYNC_FLUSH };

/** Reads the header blocks of one direction of a connection, in their order. */
export class HeaderReader {
  #window: Uint8Array = dictionary;
  #isFirst = true;

  /** The headers of the next block. Throws when it is malformed or too large. */
  read(block: Uint8Array): SpdyHeaders {
    const deflated = this.#isFirst ? block.subarray(ZLIB_HEAD_BYTES) : block;
    const options = { ...SYNC_FLUSH, dictionary: this.#window, maxOutputLength: BLOCK_BYTES_MAX };
    const plain = inflateRawSync(deflated, options);
    this.#isFirst = false;
    this.#window = Buffer.concat([this.#window, plain]).subarray(-WINDOW_BYTES);
    return parseHeaders(plain);
  }
}

/** Writes the header blocks of one direction of a connection. Later blocks never look back, which every reader takes. */
export class HeaderWriter {
  #isFirst = true;

  /** The next block. */
  write(headers: SpdyHeaders): Uint8Array {
    const plain = formatHeaders(headers);
    if (!this.#isFirst) return deflateRawSync(plain, SYNC_FLUSH);
    this.#isFirst = false;
    return deflateSync(plain, { ...SYNC_FLUSH, dictionary });
  }
}

function parseHeaders(plain: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    const value = plain.readUInt32BE(at);
    at += 4;
    return value;
  };
  const text = (): string => {
    const length = number();
    if (at + length > plain.byteLength) throw new RangeError("a header ends behind its block");
    at += length;
    return plain.toString("utf8", at - length, at);
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left--) {
    const name = text();
    headers.set(name, text());
  }
  return headers;
}

function formatHeaders(headers: SpdyHeaders): Uint8Array {
  const texts = [...headers].flat();
  return Buffer.concat([
    uint32(headers.size),
    ...texts.flatMap((text) => [uint32(Buffer.byteLength(text)), Buffer.from(text)]),
  ]);
}
