/**
 * Reads label selectors from text: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2`. Takes what Kubernetes takes and
 * refuses the rest with Kubernetes' texts. "in" and "notin" are ordinary words where a key or value may stand.
 */
import {
  type LabelOperator,
  type LabelRequirement,
  type LabelRequirements,
  labelRequirement,
  sortRequirements,
} from "./label-selector.ts";
import { isMalformed, malformed } from "./malformed.ts";
import { validateQualifiedName } from "./names.ts";

/** The requirements that `text` states. Throws `MalformedError` with Kubernetes' text. */
export function parseLabelSelector(text: string): LabelRequirements {
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  if (tokens.peek().kind === "end") return requirements;
  do {
    const token = tokens.peek();
    if (token.kind !== "word" && token.kind !== "!") throw unexpectedStart(token, requirements.length > 0);
    requirements.push(inRequirement(() => parseRequirement(tokens)));
  } while (parseSeparator(tokens));
  return sortRequirements(requirements);
}

type TokenKind = "word" | "end" | "error" | ")" | "," | "!" | "==" | "=" | ">" | "<" | "!=" | "(";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

interface Tokens {
  peek(): Token;
  next(): Token;
}

const END: Token = { kind: "end", text: "" };
const SYMBOLS: ReadonlySet<string> = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const BINARY_OPERATORS: ReadonlySet<string> = new Set(["in", "notin", "=", "==", "!=", ">", "<"]);

function tokenize(text: string): Tokens {
  const pattern = /[ \t\r\n]*(?:([^ \t\r\n=!(),><]+)|([=!(),><]+))/y;
  const queue: Token[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, word, symbols] = match;
    if (word !== undefined) queue.push({ kind: "word", text: word });
    else queue.push(...splitSymbols(symbols ?? ""));
  }
  let position = 0;
  const peek = (): Token => queue[position] ?? END;
  return {
    peek,
    next: () => {
      const token = peek();
      position++;
      return token;
    },
  };
}

/** Cuts a run of symbol characters into the longest symbols from the left. Every single one but none longer than two. */
function splitSymbols(run: string): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < run.length; ) {
    const two = run.slice(index, index + 2);
    const symbol = two.length === 2 && SYMBOLS.has(two) ? two : two.slice(0, 1);
    tokens.push({ kind: symbol as TokenKind, text: symbol });
    index += symbol.length;
  }
  return tokens;
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const first = tokens.next();
  const negated = first.kind === "!";
  const key = negated ? tokens.next() : first;
  if (key.kind !== "word") throw malformed(`found '${key.text}', expected: identifier`);
  const errors = validateQualifiedName(key.text);
  if (errors.length > 0) throw malformed(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${errors.join("; ")}`);
  if (negated) return labelRequirement(key.text, "!", []);
  if (endsRequirement(tokens.peek())) return labelRequirement(key.text, "exists", []);
  const operator = parseOperator(tokens);
  const values = operator === "in" || operator === "notin" ? parseValues(tokens) : [parseExactValue(tokens)];
  return labelRequirement(key.text, operator, values);
}

function parseOperator(tokens: Tokens): LabelOperator {
  const { text } = tokens.next();
  if (BINARY_OPERATORS.has(text)) return text as LabelOperator;
  throw malformed(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
}

function parseExactValue(tokens: Tokens): string {
  if (endsRequirement(tokens.peek())) return "";
  const token = tokens.next();
  if (token.kind === "word") return token.text;
  throw malformed(`found '${token.text}', expected: identifier`);
}

/** `(a,b)`; a place without a word is the empty value, as in `(a,)`, `(,)` and `()`. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.next();
  if (open.kind !== "(") throw malformed(`found '${open.text}' expected: '('`);
  const first = tokens.peek();
  if (first.kind !== "word" && first.kind !== "," && first.kind !== ")") {
    throw malformed(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values: string[] = [];
  for (;;) {
    values.push(tokens.peek().kind === "word" ? tokens.next().text : "");
    const separator = tokens.next();
    if (separator.kind === ")") return values;
    if (separator.kind !== ",") throw malformed(unexpectedInList(values, separator));
  }
}

function unexpectedInList(values: readonly string[], token: Token): string {
  const afterWord = values.at(-1) !== "";
  return `found '${token.text}', expected: ${afterWord ? "',' or ')'" : "',', or identifier"}`;
}

/** True when another requirement follows. */
function parseSeparator(tokens: Tokens): boolean {
  const token = tokens.next();
  if (token.kind === "end") return false;
  if (token.kind === ",") return true;
  throw malformed(`found '${token.text}', expected: ',' or 'end of string'`);
}

function endsRequirement(token: Token): boolean {
  return token.kind === "end" || token.kind === ",";
}

function unexpectedStart(token: Token, afterComma: boolean): Error {
  const expected = afterComma ? "identifier after ','" : "!, identifier, or 'end of string'";
  return malformed(`found '${token.text}', expected: ${expected}`);
}

function inRequirement(parse: () => LabelRequirement): LabelRequirement {
  try {
    return parse();
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw malformed(`unable to parse requirement: ${error.message}`, { cause: error });
  }
}
