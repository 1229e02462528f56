/**
 * Cuts a stream of bytes into lines. Bytes of an unfinished line are copied, and joined once, when its end
 * arrives, so a long line in many pieces costs its length and no more. Cutting bytes, not text, leaves UTF-8 whole.
 */
import { malformed } from "../meta/malformed.ts";
import { concatenate } from "../ports/transport.ts";

/** Limits of a line decoder. */
export interface LineDecoderOptions {
  /** Longer lines are refused: no server may make a client buffer without end. @default 67108864 */
  readonly lineBytesMax?: number;
}

/** Cuts bytes into lines; lives as long as one stream. */
export interface LineDecoder {
  /** The lines that `chunk` completes, without their ends; good as long as `chunk` is. Empty lines are left out. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** What came after the last newline. */
  end(): Uint8Array;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LINE_BYTES_MAX_DEFAULT = 64 * 1024 * 1024;

/** A decoder for one stream. */
export function createLineDecoder({ lineBytesMax = LINE_BYTES_MAX_DEFAULT }: LineDecoderOptions = {}): LineDecoder {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.byteLength;
    if (length > lineBytesMax) throw malformed(`a line of the stream is longer than ${lineBytesMax} bytes`);
    if (piece.byteLength > 0) pieces.push(piece.slice());
  };
  const take = (): Uint8Array => {
    const [first] = pieces;
    const line = pieces.length === 1 && first !== undefined ? first : concatenate(pieces, length);
    pieces = [];
    length = 0;
    return withoutReturn(line);
  };
  /** The end of a line; most are whole in what came. */
  const complete = (piece: Uint8Array): Uint8Array => {
    if (length === 0 && piece.byteLength <= lineBytesMax) return withoutReturn(piece);
    add(piece);
    return take();
  };
  return {
    push(chunk) {
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const line = complete(chunk.subarray(start, end));
        start = end + 1;
        if (line.byteLength > 0) lines.push(line);
      }
      if (start < chunk.length) add(chunk.subarray(start));
      return lines;
    },
    end: take,
  };
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
