/** Reads one HTTP/1.1 answer from chunks: with a length, or in chunked encoding. Connection (connection.ts) feeds it. */

/** An answer, counted. */
export interface Answer {
  readonly status: number;
  /** Bytes of the body, without framing. */
  readonly bytes: number;
  /** As much of the body as was asked for. */
  readonly text: string;
}

const END_OF_HEAD = "\r\n\r\n";

/** How much of an answer's body is kept: all of it, or the first piece or two. Nothing is what counting costs least with. */
export type Kept = "text" | "start" | "count";

/** What the start of an answer is. */
const START_BYTES = 2000;

/** Reads one answer. */
export class AnswerReader {
  readonly #kept: Kept;
  readonly #texts: Buffer[] = [];
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #bytes = 0;
  /** Bytes of the body (or, in chunked encoding, of the chunk and its end) still to come; undefined in the head. */
  #missing: number | undefined;
  #isChunked = false;
  /** The part of a chunk's size line that has come so far. */
  #sizeLine = "";

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** Takes bytes; returns the answer once it is whole. */
  take(chunk: Buffer): Answer | undefined {
    const body = this.#missing === undefined ? this.#takeHead(chunk) : chunk;
    if (body === undefined) return undefined;
    const isDone = this.#isChunked ? this.#takeChunks(body) : this.#takeSized(body);
    if (!isDone) return undefined;
    return { status: this.#status, bytes: this.#bytes, text: Buffer.concat(this.#texts).toString() };
  }

  /** The bytes after the head, once it is whole. */
  #takeHead(chunk: Buffer): Buffer | undefined {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return undefined;
    const text = this.#head.toString("latin1", 0, end);
    this.#status = Number(text.slice(9, 12));
    const [, length] = /^content-length: *(\d+)/im.exec(text) ?? [];
    this.#isChunked = length === undefined;
    this.#missing = Number(length ?? 0);
    return this.#head.subarray(end + END_OF_HEAD.length);
  }

  #takeSized(body: Buffer): boolean {
    this.#count(body);
    this.#missing = (this.#missing ?? 0) - body.length;
    return this.#missing <= 0;
  }

  /** True at the end of the last chunk. */
  #takeChunks(body: Buffer): boolean {
    let at = 0;
    while (at < body.length) {
      const missing = this.#missing ?? 0;
      if (missing > 0) {
        const taken = body.subarray(at, at + missing);
        // The last two bytes of a chunk are its end of line.
        this.#count(taken.subarray(0, Math.max(0, Math.min(taken.length, missing - 2))));
        this.#missing = missing - taken.length;
        at += taken.length;
        continue;
      }
      const newline = body.indexOf(10, at);
      this.#sizeLine += body.toString("latin1", at, newline < 0 ? body.length : newline);
      if (newline < 0) return false;
      at = newline + 1;
      const size = Number.parseInt(this.#sizeLine, 16);
      this.#sizeLine = "";
      // The last chunk is empty; an empty line follows it, in the same write of every server that is measured.
      if (size === 0) return true;
      this.#missing = size + 2;
    }
    return false;
  }

  #count(part: Buffer): void {
    const isKept = this.#kept === "text" || (this.#kept === "start" && this.#bytes < START_BYTES);
    this.#bytes += part.length;
    if (isKept) this.#texts.push(part);
  }
}
