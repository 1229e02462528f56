/**
 * Reads HTTP/1.1 answers from the bytes of a connection, one answer after the other (RFC 9112). Pure but for what it remembers: the
 * connection pushes what arrives, and is told of heads, pieces of bodies and ends. A piece is a view of what was pushed, which belongs to
 * the parser from then on: the chunks of a body that came together are moved together in it, for watches have many small ones.
 */
import type { Headers } from "@kubewright/core/ports";
import { concatenate } from "@kubewright/core/ports";

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; repeated ones joined. */
  readonly headers: Headers;
}

/** Told what was read. */
export interface AnswerHandler {
  /** An answer begins. */
  head(head: AnswerHead): void;
  /** Some of its body came. */
  piece(bytes: Uint8Array): void;
  /** It is complete; `reusable` when the connection can take another request. */
  end(reusable: boolean): void;
}

/** A head or a line may be this long. */
const HEAD_BYTES_MAX = 256 * 1024;

const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_A = 0x61;
const LOWER_CASE = 0x20;
const SPACE = 0x20;
const TAB = 0x09;
const SEMICOLON = 0x3b;
const NO_DIGIT = -1;
/** Twelve hexadecimal digits are more bytes than anybody sends. */
const SIZE_DIGITS_MAX = 12;
const decoder = new TextDecoder("latin1");
const NOTHING: Uint8Array = new Uint8Array();

/** Instead of a place: what begins here has yet to end. */
const MORE = -1;

/** What is read next. */
type Phase = "head" | "sized" | "chunk size" | "chunk" | "chunk end" | "trailers" | "rest";

/** Reads the answers of one connection. */
export class AnswerParser {
  readonly #handler: AnswerHandler;
  #phase: Phase = "head";
  /** Bytes of the sized body, or of the chunk, that have yet to come. */
  #missing = 0;
  #reusable = true;
  /** Where in what is pushed the body is that came so far; none when both are the same. */
  #bodyStart = 0;
  #bodyEnd = 0;
  /** The beginning of a head or a line whose end has yet to come. */
  #held: Uint8Array | undefined;

  constructor(handler: AnswerHandler) {
    this.#handler = handler;
  }

  /** Takes bytes over; throws when they are no answer. */
  push(pushed: Uint8Array): void {
    const bytes = this.#join(pushed);
    let at = 0;
    while (at !== MORE && at < bytes.length) at = this.#read(bytes, at);
    this.#flush(bytes);
  }

  /** The connection ended: true when that is how the answer ends, too. */
  endOfConnection(): boolean {
    if (this.#phase !== "rest") return false;
    this.#finish(NOTHING);
    return true;
  }

  /** Reads one part, which begins at `at`; answers with what is behind it, or `MORE` when its end has yet to come. */
  #read(bytes: Uint8Array, at: number): number {
    switch (this.#phase) {
      case "head":
        return this.#readHead(bytes, at);
      case "sized":
      case "chunk":
        return this.#readBytes(bytes, at);
      case "chunk size":
      case "chunk end":
      case "trailers":
        return this.#readLine(bytes, at);
      case "rest":
        this.#collect(bytes, at, bytes.length);
        return MORE;
    }
  }

  #readHead(bytes: Uint8Array, at: number): number {
    const end = endOfHead(bytes, at);
    if (end === -1) return this.#hold(bytes, at);
    const head = parseHead(decoder.decode(bytes.subarray(at, end)));
    // What comes with 1xx is no answer: that follows.
    if (head.status < 100 || head.status >= 200) this.#begin(bytes, head);
    return end + 4;
  }

  #begin(bytes: Uint8Array, head: AnswerHead): void {
    const { "content-length": length, "transfer-encoding": encoding, connection = "" } = head.headers;
    this.#reusable = !/\bclose\b/i.test(connection);
    this.#handler.head(head);
    if (head.status === 204 || head.status === 304) this.#finish(bytes);
    else if (encoding !== undefined)
      this.#phase = encoding.toLowerCase() === "chunked" ? "chunk size" : unknown(encoding);
    else if (length === undefined) this.#phase = "rest";
    else if (!/^\d{1,15}$/.test(length))
      throw new Error(`the server sent the content-length ${JSON.stringify(length)}`);
    else if (Number(length) === 0) this.#finish(bytes);
    else {
      this.#phase = "sized";
      this.#missing = Number(length);
    }
  }

  #readBytes(bytes: Uint8Array, at: number): number {
    const end = Math.min(at + this.#missing, bytes.length);
    this.#missing -= end - at;
    this.#collect(bytes, at, end);
    if (this.#missing > 0) return MORE;
    if (this.#phase === "sized") this.#finish(bytes);
    else this.#phase = "chunk end";
    return end;
  }

  #readLine(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1) return this.#hold(bytes, at);
    const isEmpty = end === at || (end === at + 1 && bytes[at] === CARRIAGE_RETURN);
    if (this.#phase === "chunk size") this.#beginChunk(readChunkSize(bytes, at, end));
    else if (this.#phase === "trailers") {
      if (isEmpty) this.#finish(bytes);
    } else if (isEmpty) this.#phase = "chunk size";
    else throw new Error("the server sent a chunk that is longer than it said");
    return end + 1;
  }

  #beginChunk(size: number): void {
    this.#missing = size;
    this.#phase = size === 0 ? "trailers" : "chunk";
  }

  #finish(bytes: Uint8Array): void {
    this.#flush(bytes);
    this.#phase = "head";
    this.#handler.end(this.#reusable);
  }

  /** Notes some of the body, next to what was noted before. */
  #collect(bytes: Uint8Array, from: number, to: number): void {
    if (this.#bodyStart === this.#bodyEnd) [this.#bodyStart, this.#bodyEnd] = [from, to];
    else {
      bytes.copyWithin(this.#bodyEnd, from, to);
      this.#bodyEnd += to - from;
    }
  }

  #flush(bytes: Uint8Array): void {
    if (this.#bodyStart === this.#bodyEnd) return;
    this.#handler.piece(bytes.subarray(this.#bodyStart, this.#bodyEnd));
    this.#bodyStart = this.#bodyEnd = 0;
  }

  #hold(bytes: Uint8Array, at: number): number {
    if (bytes.length - at > HEAD_BYTES_MAX) throw new Error("the server sent a head without end");
    this.#held = bytes.slice(at);
    return MORE;
  }

  /** A plain array: views of it are made faster than those of a Buffer. */
  #join(bytes: Uint8Array): Uint8Array {
    const held = this.#held;
    if (held === undefined) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#held = undefined;
    return concatenate([held, bytes], held.length + bytes.length);
  }
}

function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(CARRIAGE_RETURN, from); at !== -1; at = bytes.indexOf(CARRIAGE_RETURN, at + 1)) {
    if (bytes[at + 1] === NEWLINE && bytes[at + 2] === CARRIAGE_RETURN && bytes[at + 3] === NEWLINE) return at;
  }
  return -1;
}

/** A size in hexadecimal digits, from the bytes: watches have thousands of chunks. What follows a semicolon means nothing to us. */
function readChunkSize(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  let size = 0;
  for (let digit = hexDigit(bytes[at]); digit !== NO_DIGIT && at < to; digit = hexDigit(bytes[at])) {
    size = size * 16 + digit;
    at += 1;
  }
  const digits = at - from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
  const isEnd = at === to || bytes[at] === SEMICOLON || (bytes[at] === CARRIAGE_RETURN && at === to - 1);
  if (isEnd && digits > 0 && digits <= SIZE_DIGITS_MAX) return size;
  throw new Error("the server sent a chunk without its size");
}

function hexDigit(byte = 0): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = (byte | LOWER_CASE) - LETTER_A;
  return letter >= 0 && letter < 6 ? letter + 10 : NO_DIGIT;
}

function parseHead(text: string): AnswerHead {
  const lines = text.split("\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(lines[0] ?? "")?.[1];
  if (status === undefined) throw new Error("the server does not speak HTTP/1.1");
  const headers: Record<string, string> = {};
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error("the server sent a header without a name");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status: Number(status), headers };
}

function unknown(encoding: string): never {
  throw new Error(`the server sent the transfer-encoding ${JSON.stringify(encoding)}`);
}
