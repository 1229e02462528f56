/** Reads tokens one after the other for parser.ts, and says what is wrong with them in cel-go's words. */
import { CelSyntaxError } from "./issues.ts";
import type { Token } from "./lexer.ts";

/** Tokens and how far they were read. */
export interface TokenReader {
  readonly tokens: readonly Token[];
  index: number;
  depth: number;
  /** Names whose `Name{field: value}` makes an object. */
  readonly messages: ReadonlySet<string>;
}

/** The next token, which stays. */
export function peek(reader: TokenReader): Token {
  return reader.tokens[reader.index] ?? (reader.tokens.at(-1) as Token);
}

/** The next token, which is read. */
export function take(reader: TokenReader): Token {
  const token = peek(reader);
  reader.index += 1;
  return token;
}

/** The next token if it is the operator. */
export function takeIf(reader: TokenReader, text: string): Token | undefined {
  const token = peek(reader);
  return token.kind === "operator" && token.text === text ? take(reader) : undefined;
}

/** The operator that must come next; ANTLR, and so cel-go, calls a lone missing one "missing". */
export function expect(reader: TokenReader, text: string, alternatives?: string): Token {
  const token = takeIf(reader, text);
  if (token !== undefined) return token;
  const found = peek(reader);
  const message =
    alternatives === undefined
      ? `missing '${text}' at '${found.text}'`
      : `mismatched input '${found.text}' expecting ${alternatives}`;
  return fail(found, `Syntax error: ${message}`);
}

/** Ends parsing with an error at a token. */
export function fail(token: Token, message: string): never {
  throw new CelSyntaxError([{ position: token.position, message }]);
}

/** How often the operator follows; all of them are read. */
export function takeAll(reader: TokenReader, text: string): number {
  let count = 0;
  while (takeIf(reader, text) !== undefined) count += 1;
  return count;
}
