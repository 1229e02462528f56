/** Text from anywhere, made safe to show: no control characters (terminal escapes among them) and no endless length. */

/** The text without control characters, at most `lengthMax` long. */
export function printable(text: string, lengthMax: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const clean = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, " ");
  return clean.length <= lengthMax ? clean : `${clean.slice(0, lengthMax - 1)}…`;
}
