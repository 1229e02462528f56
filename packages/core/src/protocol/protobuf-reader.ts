/**
 * Reads the wire format of protocol buffers: tags, varints, lengths, nested messages. protobuf.ts gives meaning to what
 * is read. Every read is checked against the end of the enclosing message, so no input can make it read beyond or run
 * for long.
 */
import { type MalformedError, malformed } from "../meta/malformed.ts";

/** How deep messages may nest; a CRD's schema takes three levels for one level of its own. */
export const PROTOBUF_DEPTH_MAX = 300;

/** How a value is laid out; the low three bits of a tag. */
const WIRE = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/** Up to this length it is faster to go through ASCII by hand than to call the decoder. */
const SHORT_TEXT_MAX = 24;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A position in a message. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;
  #end: number;
  #depth = 0;
  #wire = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether the current message still has bytes. */
  get hasMore(): boolean {
    return this.#position < this.#end;
  }

  /** Whether the value after the last tag has a length: text, bytes, messages and packed numbers do. */
  get isDelimited(): boolean {
    return this.#wire === WIRE.delimited;
  }

  /** Reads a tag and returns the number of its field; the value follows. */
  tag(): number {
    const tag = this.#integer();
    if (typeof tag === "bigint" || tag < 8 || tag >= 2 ** 32) throw this.#malformed(`${tag} is no tag of a field`);
    this.#wire = tag & 7;
    return tag >>> 3;
  }

  /** A signed 64-bit integer; a bigint only where a number would lose digits. */
  varint(): number | bigint {
    this.#expect(WIRE.varint);
    return this.#integer();
  }

  /** A 64-bit floating point number. */
  double(): number {
    this.#expect(WIRE.fixed64);
    return this.#view.getFloat64(this.#advance(8), true);
  }

  /** The bytes of a delimited value, not copied. */
  bytes(): Uint8Array {
    this.#expect(WIRE.delimited);
    const length = this.#length();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** The text of a delimited value. Bytes that are no UTF-8 become U+FFFD, as Go writes them in JSON. */
  text(): string {
    const bytes = this.bytes();
    if (bytes.length > SHORT_TEXT_MAX) return utf8.decode(bytes);
    let text = "";
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (byte >= 0x80) return utf8.decode(bytes);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Runs `read` within the delimited message that follows, then goes on behind it. */
  message(read: () => void): void {
    this.#expect(WIRE.delimited);
    const outer = this.#end;
    const length = this.#length();
    this.#end = this.#position + length;
    this.#depth++;
    if (this.#depth > PROTOBUF_DEPTH_MAX) throw this.#malformed(`messages nest deeper than ${PROTOBUF_DEPTH_MAX}`);
    read();
    this.#depth--;
    this.#end = outer;
  }

  /** Runs `read` for each of the packed numbers that follow: one length, then the bare values. */
  packed(kind: "varint" | "fixed64", read: () => void): void {
    this.message(() => {
      this.#wire = WIRE[kind];
      while (this.hasMore) read();
    });
  }

  /** Passes over a value that nobody asked for. */
  skip(): void {
    if (this.#wire === WIRE.varint) this.#integer();
    else if (this.#wire === WIRE.delimited) this.#advance(this.#length());
    else if (this.#wire === WIRE.fixed64) this.#advance(8);
    else if (this.#wire === WIRE.fixed32) this.#advance(4);
    else throw this.#malformed(`wire type ${this.#wire} is not supported`);
  }

  #integer(): number | bigint {
    const low = this.#sevenBits(4); // bits 0 to 27
    if (this.#last() < 0x80) return low;
    const middle = this.#sevenBits(4); // bits 28 to 55
    if (this.#last() < 0x80) return joinBits(0, middle, low);
    const high = this.#sevenBits(2); // bits 56 to 63, and six that must be zero
    if (this.#last() >= 0x80 || high > 0xff) throw this.#malformed("an integer has more than 64 bits");
    return joinBits(high, middle, low);
  }

  /** Up to `count` bytes of a varint, seven bits from each; stops behind the last byte of the varint. */
  #sevenBits(count: number): number {
    let bits = 0;
    for (let index = 0; index < count; index++) {
      const byte = this.#bytes[this.#advance(1)] as number;
      bits |= (byte & 0x7f) << (index * 7);
      if (byte < 0x80) break;
    }
    return bits;
  }

  #last(): number {
    return this.#bytes[this.#position - 1] as number;
  }

  #length(): number {
    const length = this.#integer();
    if (typeof length === "number" && length >= 0 && length <= this.#end - this.#position) return length;
    throw this.#malformed(`a length of ${length} goes beyond the end of the message`);
  }

  /** Goes on by `count` bytes, and returns where it was. */
  #advance(count: number): number {
    const start = this.#position;
    if (count > this.#end - start) throw this.#malformed("the message ends within a value");
    this.#position = start + count;
    return start;
  }

  #expect(wire: number): void {
    if (this.#wire !== wire) throw this.#malformed(`wire type ${this.#wire} where the field has ${wire}`);
  }

  #malformed(problem: string): MalformedError {
    return malformed(`protobuf: ${problem} (before byte ${this.#position})`);
  }
}

/** The signed integer whose upper 8, middle 28 and lower 28 bits these are. */
function joinBits(high: number, middle: number, low: number): number | bigint {
  if (high === 0 && middle < 2 ** 25) return middle * 2 ** 28 + low;
  const value = BigInt.asIntN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
