/**
 * DER, the encoding of certificates: tag, length, content. Written for x509.ts and csr.ts; reading goes only as deep as
 * they need. Content lengths are those of real certificates, so nothing here is clever about size.
 */
import { concatenate } from "@kubewright/core/ports";

/** The tags that certificates use. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element: tag, length and content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, piece) => sum + piece.byteLength, 0);
  const head = Uint8Array.from([tag, ...encodeLength(length)]);
  return concatenate([head, ...content], head.byteLength + length);
}

/** A SEQUENCE of elements. */
export function sequence(...elements: readonly Uint8Array[]): Uint8Array {
  return element(TAG.sequence, ...elements);
}

/** A context-specific element that wraps others: `[n] EXPLICIT`. */
export function explicit(number: number, ...elements: readonly Uint8Array[]): Uint8Array {
  return element(0xa0 | number, ...elements);
}

/** A context-specific element with plain content: `[n] IMPLICIT`. */
export function implicit(number: number, content: Uint8Array): Uint8Array {
  return element(0x80 | number, content);
}

/** A non-negative INTEGER from its big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const trimmed = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  // A leading one-bit would make it negative.
  return element(TAG.integer, ...((trimmed[0] ?? 0) > 0x7f ? [Uint8Array.of(0), trimmed] : [trimmed]));
}

/** An OBJECT IDENTIFIER from "1.2.840.10045.4.3.2". */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(TAG.objectIdentifier, Uint8Array.from([first * 40 + second, ...rest].flatMap(encodeBase128)));
}

/** A BIT STRING of whole bytes. */
export function bitString(bytes: Uint8Array): Uint8Array {
  return element(TAG.bitString, Uint8Array.of(0), bytes);
}

/** An OCTET STRING. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return element(TAG.octetString, bytes);
}

/** A UTF8String. */
export function utf8String(text: string): Uint8Array {
  return element(TAG.utf8String, new TextEncoder().encode(text));
}

/** BOOLEAN TRUE; FALSE is the default everywhere and left out. */
export const TRUE: Uint8Array = element(TAG.boolean, Uint8Array.of(0xff));

/** A time to the second: UTCTime until 2049 and GeneralizedTime after, as RFC 5280 has it. */
export function time(timeMs: number): Uint8Array {
  const text = new Date(timeMs).toISOString().replace(/[-:T]|\.[0-9]+/g, "");
  const isShort = Number(text.slice(0, 4)) < 2050;
  return element(isShort ? TAG.utcTime : TAG.generalizedTime, new TextEncoder().encode(isShort ? text.slice(2) : text));
}

/** An element that was read. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The whole of it, tag and length included. */
  readonly whole: Uint8Array;
}

/** The elements that stand one after the other in `bytes`. Throws when lengths do not fit. */
export function readElements(bytes: Uint8Array): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.byteLength; ) {
    const { start, length } = readLength(bytes, offset + 1);
    if (start + length > bytes.byteLength) throw new RangeError("DER element is longer than what holds it");
    const content = bytes.subarray(start, start + length);
    elements.push({ tag: bytes[offset] ?? 0, content, whole: bytes.subarray(offset, start + length) });
    offset = start + length;
  }
  return elements;
}

/** The elements inside one; none inside nothing. */
export function childrenOf(parent: DerElement | undefined): readonly DerElement[] {
  return parent === undefined ? [] : readElements(parent.content);
}

/** True when the element is this OBJECT IDENTIFIER. */
export function isIdentifier(candidate: DerElement | undefined, dotted: string): boolean {
  return candidate !== undefined && Buffer.compare(candidate.whole, objectIdentifier(dotted)) === 0;
}

function readLength(bytes: Uint8Array, offset: number): { start: number; length: number } {
  const first = bytes[offset] ?? 0;
  if (first < 0x80) return { start: offset + 1, length: first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new RangeError("DER length is indefinite or too long");
  const digits = bytes.subarray(offset + 1, offset + 1 + count);
  return { start: offset + 1 + count, length: digits.reduce((length, byte) => length * 256 + byte, 0) };
}

function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 | digits.length, ...digits];
}

function encodeBase128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}
