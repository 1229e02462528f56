/**
 * Source text with its comments and the insides of its strings, templates and regular expressions turned into spaces,
 * so that the rules can search code with plain regular expressions. Every offset and line number stays what it was;
 * quotes stay, and so does the code inside `${}`.
 */

/** What the scanner stops at; everything between two stops is plain code. */
const STOP = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|[`{}/]/g;
const TEMPLATE_TEXT = /(?:\\[\s\S]|[^`\\$]|\$(?!\{))*(?:`|\$\{|$)/y;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** After these a slash begins a regular expression; after any other code it divides. */
const BEFORE_EXPRESSION =
  /(?:^|[([,;=:!&|?{}+\-*%~^<>]|(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield))\s*$/;

/** `text` with everything that is not code blanked. */
export function blankLiterals(text: string): string {
  const scan: Scan = { text, pieces: [], end: 0, before: "", depth: 0, templateDepths: [] };
  STOP.lastIndex = 0;
  for (let stop = STOP.exec(text); stop !== null; stop = STOP.exec(text)) {
    copyCode(scan, stop.index);
    takeStop(scan, stop[0]);
    STOP.lastIndex = scan.end;
  }
  copyCode(scan, text.length);
  return scan.pieces.join("");
}

/** Where the scanner stands. */
interface Scan {
  readonly text: string;
  readonly pieces: string[];
  /** How far `pieces` reach into `text`. */
  end: number;
  /** The code right before `end`, comments left out: decides what a slash means. */
  before: string;
  /** How many braces are open. */
  depth: number;
  /** For each template that an open `${` interrupts: the depth at which it goes on. */
  readonly templateDepths: number[];
}

function copyCode(scan: Scan, end: number): void {
  const code = scan.text.slice(scan.end, end);
  scan.pieces.push(code);
  if (code.trim() !== "") scan.before = code;
  scan.end = end;
}

function takeStop(scan: Scan, stop: string): void {
  if (stop.startsWith("//") || stop.startsWith("/*")) pushBlank(scan, stop.length, 0);
  else if (stop === "{") takeBrace(scan, 1);
  else if (stop === "}" && scan.templateDepths.at(-1) === scan.depth) resumeTemplate(scan);
  else if (stop === "}") takeBrace(scan, -1);
  else if (stop === "`") takeTemplateText(scan, 1);
  else if (stop === "/") takeSlash(scan);
  else pushValue(scan, stop.length);
}

function takeBrace(scan: Scan, change: number): void {
  scan.depth += change;
  copyCode(scan, scan.end + 1);
}

function takeSlash(scan: Scan): void {
  REGULAR_EXPRESSION.lastIndex = scan.end;
  const match = BEFORE_EXPRESSION.test(scan.before) ? REGULAR_EXPRESSION.exec(scan.text) : null;
  if (match === null) copyCode(scan, scan.end + 1);
  else pushValue(scan, match[0].length);
}

function resumeTemplate(scan: Scan): void {
  scan.templateDepths.pop();
  takeTemplateText(scan, 1);
}

/** Blanks from the delimiter at `scan.end` to the template's end or its next `${`. */
function takeTemplateText(scan: Scan, delimiterLength: number): void {
  TEMPLATE_TEXT.lastIndex = scan.end + delimiterLength;
  const textLength = TEMPLATE_TEXT.exec(scan.text)?.[0].length ?? 0;
  pushValue(scan, delimiterLength + textLength);
  if (scan.text.slice(scan.end - 2, scan.end) !== "${") return;
  scan.before = "";
  scan.templateDepths.push(scan.depth);
}

function pushValue(scan: Scan, length: number): void {
  pushBlank(scan, length, 1);
  scan.before = "value";
}

/** Blanks `length` characters but keeps line ends, and `delimiter` characters on both sides. */
function pushBlank(scan: Scan, length: number, delimiter: number): void {
  const literal = scan.text.slice(scan.end, scan.end + length);
  const inner = literal.slice(delimiter, length - delimiter).replace(/[^\n]/g, " ");
  scan.pieces.push(literal.slice(0, delimiter), inner, literal.slice(Math.max(delimiter, length - delimiter)));
  scan.end += length;
}
