/**
 * Text from anywhere, made safe to show: no control characters (terminal escapes among them), none that turn the direction of what
 * follows, and no endless length. Lengths are of UTF-8, as the API server counts them.
 */

/** Control characters but tabs and line ends, and those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Nearly every text is such: each character is one byte, and none does anything but show. */
const PLAIN = /^[ -~]*$/;

/** The text without control characters but tabs and line ends, in at most `bytesMax` bytes. */
export function printable(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && PLAIN.test(text)) return text;
  const clean = text.replace(UNPRINTABLE, " ").toWellFormed();
  return Buffer.byteLength(clean) <= bytesMax ? clean : shorten(Buffer.from(clean), bytesMax);
}

/** As `printable`, on one line. */
export function printableLine(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && PLAIN.test(text)) return text;
  return printable(text.replace(/[\t\n]/g, " "), bytesMax);
}

/** Cuts between characters and says so. */
function shorten(bytes: Buffer, bytesMax: number): string {
  let end = bytesMax - Buffer.byteLength("…");
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString("utf8", 0, end)}…`;
}
