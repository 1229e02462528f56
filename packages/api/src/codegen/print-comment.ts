/** Prints text as a documentation comment. No text, whatever it contains, ends the comment or speaks to the compiler. */

/** How much of a description is kept; some CRDs carry pages. */
const COMMENT_LENGTH_MAX = 1000;

/** A comment at `indent`, ending in a line break; nothing for no text. */
export function printComment(text: string | undefined, indent = ""): string {
  const lines = linesOf(text ?? "");
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function linesOf(text: string): string[] {
  const short = text.length > COMMENT_LENGTH_MAX ? `${text.slice(0, COMMENT_LENGTH_MAX)}…` : text;
  const harmless = short.replaceAll("*/", "*\\/").replaceAll(/@(?=ts-)/gi, "@ ");
  return harmless
    .trim()
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}
