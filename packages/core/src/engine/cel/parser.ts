/**
 * The parser of CEL: source → syntax tree, by recursive descent with the precedence of the language definition. Macros
 * are recognised in macros.ts while calls are read. Depth and length are limited, so that no source can exhaust the stack.
 */
import { CelSyntaxError } from "./issues.ts";
import { type Token, tokenize } from "./lexer.ts";
import { expandMacro } from "./macros.ts";
import type { Expression, MapEntry } from "./syntax.ts";
import { expect, fail, peek, type TokenReader, take, takeAll, takeIf } from "./token-reader.ts";

/** How deep expressions may nest. */
const depthMax = 200;
/** How many operators of one kind may follow each other. */
const chainMax = 1000;
/** How long a source may be. */
const sourceLengthMax = 100_000;

const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
const unaryExpected =
  "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const noMessages: ReadonlySet<string> = new Set();

/** The tree of an expression; throws CelSyntaxError. `messages` are the types of which it may make objects. */
export function parse(source: string, messages: ReadonlySet<string> = noMessages): Expression {
  if (source.length > sourceLengthMax) {
    throw new CelSyntaxError([
      {
        position: 0,
        message: `expression code point size exceeds limit: size: ${source.length}, limit ${sourceLengthMax}`,
      },
    ]);
  }
  const state: TokenReader = { tokens: tokenize(source), index: 0, depth: 0, messages };
  const expression = parseTernary(state);
  const rest = peek(state);
  if (rest.kind !== "end") fail(rest, `Syntax error: extraneous input '${rest.text}' expecting <EOF>`);
  return expression;
}

function call(name: string, token: Token, args: readonly Expression[]): Expression {
  return { kind: "call", name, target: undefined, args, position: token.position };
}

function parseTernary(state: TokenReader): Expression {
  state.depth += 1;
  if (state.depth > depthMax) fail(peek(state), `expression recursion limit exceeded: ${depthMax}`);
  const condition = parseBinary(state, 0);
  const question = takeIf(state, "?");
  let result = condition;
  if (question !== undefined) {
    const truthy = parseBinary(state, 0);
    expect(state, ":", "':'");
    result = call("_?_:_", question, [condition, truthy, parseTernary(state)]);
  }
  state.depth -= 1;
  return result;
}

const levels: readonly ReadonlyMap<string, string>[] = [
  new Map([["||", "_||_"]]),
  new Map([["&&", "_&&_"]]),
  new Map([
    ["<", "_<_"],
    ["<=", "_<=_"],
    [">", "_>_"],
    [">=", "_>=_"],
    ["==", "_==_"],
    ["!=", "_!=_"],
    ["in", "@in"],
  ]),
  new Map([
    ["+", "_+_"],
    ["-", "_-_"],
  ]),
  new Map([
    ["*", "_*_"],
    ["/", "_/_"],
    ["%", "_%_"],
  ]),
];

function parseBinary(state: TokenReader, level: number): Expression {
  const operators = levels[level];
  if (operators === undefined) return parseUnary(state);
  let left = parseBinary(state, level + 1);
  for (let count = 0; ; count += 1) {
    const token = peek(state);
    if (count > chainMax) fail(token, `expression recursion limit exceeded: ${chainMax}`);
    const name = token.kind === "operator" ? operators.get(token.text) : undefined;
    if (name === undefined) return left;
    take(state);
    left = call(name, token, [left, parseBinary(state, level + 1)]);
  }
}

function parseUnary(state: TokenReader): Expression {
  const token = peek(state);
  if (token.kind === "operator" && (token.text === "!" || token.text === "-")) {
    const repeated = takeAll(state, token.text);
    const negativeLiteral = token.text === "-" && repeated % 2 === 1 ? negate(state, token) : undefined;
    const operand = negativeLiteral ?? parseMember(state);
    if (negativeLiteral !== undefined) return parseSuffixes(state, negativeLiteral);
    return repeated % 2 === 0 ? operand : call(token.text === "!" ? "!_" : "-_", token, [operand]);
  }
  return checkRange(parseMember(state));
}

/** `-5` is a literal, so that the smallest integer can be written. */
function negate(state: TokenReader, minus: Token): Expression | undefined {
  const { literal } = peek(state);
  if (literal?.type !== "int" && literal?.type !== "double") return undefined;
  take(state);
  const negative =
    literal.type === "int" ? { ...literal, value: -literal.value } : { ...literal, value: -literal.value };
  return { kind: "literal", literal: negative, position: minus.position };
}

function checkRange(expression: Expression): Expression {
  if (expression.kind === "literal" && expression.literal.type === "int" && expression.literal.value === 2n ** 63n) {
    throw new CelSyntaxError([{ position: expression.position, message: "invalid int literal" }]);
  }
  return expression;
}

function parseMember(state: TokenReader): Expression {
  return parseSuffixes(state, parsePrimary(state));
}

function parseSuffixes(state: TokenReader, start: Expression): Expression {
  let expression = start;
  for (let count = 0; ; count += 1) {
    if (count > depthMax) fail(peek(state), `expression recursion limit exceeded: ${depthMax}`);
    const dot = takeIf(state, ".");
    if (dot !== undefined) {
      expression = parseSelection(state, expression, dot);
      const brace = isMessage(state, expression) ? takeIf(state, "{") : undefined;
      if (brace !== undefined) expression = parseMessage(state, expression, brace);
      continue;
    }
    const bracket = takeIf(state, "[");
    if (bracket === undefined) return expression;
    const optional = takeIf(state, "?") !== undefined;
    const index = parseTernary(state);
    expect(state, "]");
    expression = call(optional ? "_[?_]" : "_[_]", bracket, [expression, index]);
  }
}

function parseSelection(state: TokenReader, operand: Expression, dot: Token): Expression {
  const optional = takeIf(state, "?") !== undefined;
  const name = take(state);
  if (name.kind === "quoted") {
    return { kind: "select", operand, field: name.text.slice(1, -1), optional, test: false, position: dot.position };
  }
  if (name.kind === "end") fail(name, `Syntax error: no viable alternative at input '.'`);
  if (name.kind !== "ident") fail(name, `Syntax error: no viable alternative at input '.${name.text}'`);
  const open = optional ? undefined : takeIf(state, "(");
  if (open === undefined) {
    return { kind: "select", operand, field: name.text, optional, test: false, position: dot.position };
  }
  const args = parseArguments(state, ")");
  return expandMacro(name.text, operand, { args, position: open.position });
}

function parseArguments(state: TokenReader, close: string): Expression[] {
  const args: Expression[] = [];
  if (takeIf(state, close) !== undefined) return args;
  do args.push(parseTernary(state));
  while (takeIf(state, ",") !== undefined);
  expect(state, close);
  return args;
}

function parsePrimary(state: TokenReader): Expression {
  const token = take(state);
  if (token.literal !== undefined) return { kind: "literal", literal: token.literal, position: token.position };
  if (token.kind === "ident") return parseIdentifier(state, token);
  if (token.kind === "operator") {
    const negative = token.text === "-" ? negate(state, token) : undefined;
    if (negative !== undefined) return negative;
    if (token.text === "(") return parseGroup(state);
    if (token.text === "[") return parseList(state, token);
    if (token.text === "{") return parseMap(state, token);
    if (token.text === "." && peek(state).kind === "ident") return parseIdentifier(state, take(state));
  }
  return fail(token, `Syntax error: mismatched input '${token.text}' ${unaryExpected}`);
}

function parseIdentifier(state: TokenReader, token: Token): Expression {
  const open = takeIf(state, "(");
  if (open === undefined && reserved.has(token.text)) fail(token, `reserved identifier: ${token.text}`);
  if (open !== undefined) {
    return expandMacro(token.text, undefined, { args: parseArguments(state, ")"), position: open.position });
  }
  const brace = peek(state);
  if (brace.kind === "operator" && brace.text === "{" && state.messages.has(token.text)) {
    const name: Expression = { kind: "ident", name: token.text, position: token.position };
    return parseMessage(state, name, take(state));
  }
  if (brace.kind === "operator" && brace.text === "{")
    fail(brace, `undeclared reference to '${token.text}' (in container '')`);
  return { kind: "ident", name: token.text, position: token.position };
}

function parseGroup(state: TokenReader): Expression {
  const expression = parseTernary(state);
  expect(state, ")");
  return expression;
}

function parseList(state: TokenReader, open: Token): Expression {
  const items: { value: Expression; optional: boolean }[] = [];
  while (takeIf(state, "]") === undefined) {
    const optional = takeIf(state, "?") !== undefined;
    items.push({ value: parseTernary(state), optional });
    if (takeIf(state, ",") === undefined) {
      expect(state, "]", "{']', ','}");
      break;
    }
  }
  return { kind: "list", items, position: open.position };
}

/** True for `Object.spec.template` where `Object` is a type. */
function isMessage(state: TokenReader, expression: Expression): boolean {
  if (expression.kind === "ident") return state.messages.has(expression.name);
  return (
    expression.kind === "select" && !expression.optional && !expression.test && isMessage(state, expression.operand)
  );
}

function messageName(expression: Expression): string {
  return expression.kind === "select"
    ? `${messageName(expression.operand)}.${expression.field}`
    : expression.kind === "ident"
      ? expression.name
      : "";
}

/** `Object.spec{replicas: 1}`: fields by name. */
function parseMessage(state: TokenReader, type: Expression, open: Token): Expression {
  const entries: MapEntry[] = [];
  while (takeIf(state, "}") === undefined) {
    const optional = takeIf(state, "?") !== undefined;
    const name = take(state);
    if (name.kind !== "ident" && name.kind !== "quoted") fail(name, `Syntax error: mismatched input '${name.text}'`);
    expect(state, ":");
    const text = name.kind === "quoted" ? name.text.slice(1, -1) : name.text;
    const key: Expression = {
      kind: "literal",
      literal: { type: "string", value: text },
      position: name.position,
    };
    entries.push({ key, value: parseTernary(state), optional });
    if (takeIf(state, ",") === undefined) {
      expect(state, "}", "{'}', ','}");
      break;
    }
  }
  return { kind: "map", entries, message: messageName(type), position: open.position };
}

function parseMap(state: TokenReader, open: Token): Expression {
  const entries: MapEntry[] = [];
  while (takeIf(state, "}") === undefined) {
    const optional = takeIf(state, "?") !== undefined;
    const key = parseTernary(state);
    expect(state, ":");
    entries.push({ key, value: parseTernary(state), optional });
    if (takeIf(state, ",") === undefined) {
      expect(state, "}", "{'}', ','}");
      break;
    }
  }
  return { kind: "map", entries, position: open.position };
}
