/** Tokens of CEL: turns source into a list that parser.ts reads. Literals are decoded here. */
import { CelSyntaxError } from "./issues.ts";
import type { Literal } from "./syntax.ts";

/** A piece of source. `text` is what was written; the end has the text "<EOF>". */
export interface Token {
  readonly kind: "ident" | "quoted" | "literal" | "operator" | "end";
  readonly text: string;
  readonly position: number;
  readonly literal?: Literal;
}

const space = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const identifier = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const quotedIdentifier = /`[_a-zA-Z0-9.\-/ ]+`/y;
const number = /0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;
const text = /([rR]?[bB]?|[bB][rR])("""|'''|"|')/y;
const operator = /&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]{}]/y;

const int64Max = 2n ** 63n - 1n;
const uint64Max = 2n ** 64n - 1n;

/** The tokens of a source; the last one is the end. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let position = matchAt(space, source, 0)?.[0].length ?? 0;
  while (position < source.length) {
    const token = nextToken(source, position, tokens.at(-1));
    tokens.push(token);
    position += token.text.length;
    position += matchAt(space, source, position)?.[0].length ?? 0;
  }
  tokens.push({ kind: "end", text: "<EOF>", position: source.length });
  return tokens;
}

function matchAt(pattern: RegExp, source: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(source);
}

function nextToken(source: string, position: number, previous: Token | undefined): Token {
  const quote = matchAt(text, source, position);
  if (quote !== null) return textToken(source, position, quote);
  const name = matchAt(identifier, source, position);
  if (name !== null) return identToken(name[0], position);
  const quoted = matchAt(quotedIdentifier, source, position);
  if (quoted !== null) return { kind: "quoted", text: quoted[0], position };
  // ".5" is a number, but after a value the dot selects: a.5 is no CEL anyway.
  const digits = previous?.text === "." ? null : matchAt(number, source, position);
  if (digits !== null) return numberToken(digits[0], position);
  const symbol = matchAt(operator, source, position);
  if (symbol !== null) return { kind: "operator", text: symbol[0], position };
  throw unrecognized(position, source.slice(position, position + 1));
}

function unrecognized(position: number, piece: string): CelSyntaxError {
  return new CelSyntaxError([{ position, message: `Syntax error: token recognition error at: '${piece}'` }]);
}

function identToken(name: string, position: number): Token {
  if (name === "true" || name === "false") {
    return { kind: "literal", text: name, position, literal: { type: "bool", value: name === "true" } };
  }
  if (name === "null") return { kind: "literal", text: name, position, literal: { type: "null" } };
  return { kind: name === "in" ? "operator" : "ident", text: name, position };
}

function numberToken(written: string, position: number): Token {
  return { kind: "literal", text: written, position, literal: numberLiteral(written, position) };
}

function numberLiteral(written: string, position: number): Literal {
  if (/^0x|^\d+[uU]?$/.test(written)) {
    const unsigned = /[uU]$/.test(written);
    const value = BigInt(unsigned ? written.slice(0, -1) : written);
    // One more than the maximum is let through: a minus sign may stand before it.
    if (value > (unsigned ? uint64Max : int64Max + 1n)) {
      throw new CelSyntaxError([{ position, message: `invalid ${unsigned ? "uint" : "int"} literal` }]);
    }
    return { type: unsigned ? "uint" : "int", value };
  }
  return { type: "double", value: Number(written) };
}

function textToken(source: string, position: number, open: RegExpExecArray): Token {
  const [prefix, flags = "", quote = '"'] = open;
  const raw = /r/i.test(flags);
  let end = position + prefix.length;
  while (end < source.length && !source.startsWith(quote, end)) {
    if (quote.length === 1 && /[\n\r]/.test(source[end] ?? "")) break;
    end += source[end] === "\\" && !raw ? 2 : 1;
  }
  if (!source.startsWith(quote, end)) throw unrecognized(position, source.slice(position, end));
  const body = source.slice(position + prefix.length, end);
  const written = source.slice(position, end + quote.length);
  const literal = /b/i.test(flags) ? bytesLiteral(body, raw, position) : textLiteral(body, raw, position);
  return { kind: "literal", text: written, position, literal };
}

function textLiteral(body: string, raw: boolean, position: number): Literal {
  if (raw) return { type: "string", value: body };
  return {
    type: "string",
    value: decodeEscapes(
      body,
      position,
      (code) => String.fromCodePoint(code),
      (part) => part,
    ).join(""),
  };
}

function bytesLiteral(body: string, raw: boolean, position: number): Literal {
  const encoder = new TextEncoder();
  const encode = (part: string): number[] => [...encoder.encode(part)];
  // In bytes, \x and octal escapes are single bytes; \u escapes are encoded.
  const fromCode = (code: number, isByte: boolean): number[] => (isByte ? [code] : encode(String.fromCodePoint(code)));
  const value = raw ? encode(body) : decodeEscapes(body, position, fromCode, encode).flat();
  return { type: "bytes", value: Uint8Array.from(value) };
}

const escapeSequence =
  /\\(?:([abfnrtv"'`\\?])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function decodeEscapes<Part>(
  body: string,
  position: number,
  fromCode: (code: number, isByte: boolean) => Part,
  fromText: (part: string) => Part,
): Part[] {
  const parts: Part[] = [];
  for (let index = 0; index < body.length; ) {
    const backslash = body.indexOf("\\", index);
    if (backslash !== index) {
      const end = backslash < 0 ? body.length : backslash;
      parts.push(fromText(body.slice(index, end)));
      index = end;
      continue;
    }
    const match = matchAt(escapeSequence, body, index);
    if (match === null) throw unrecognized(position, body.slice(index, index + 2));
    const [whole, simple, hex, octal, unicode, long] = match;
    if (simple !== undefined) parts.push(fromText(simpleEscapes[simple] ?? simple));
    else if (octal !== undefined) parts.push(fromCode(Number.parseInt(octal, 8), true));
    else parts.push(fromCode(Number.parseInt(hex ?? unicode ?? long ?? "0", 16), hex !== undefined));
    index += whole.length;
  }
  return parts;
}
