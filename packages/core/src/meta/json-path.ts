/**
 * kubectl's JSONPath, read into steps: `.spec.ports[0].name`, `.items[*]`, `['a']`, `..name`, `[0:2]`, `['a','b']`,
 * `[?(@.type=="Ready")]`. Printer columns of CRDs and `-o jsonpath` are written in it. json-path-find.ts follows the
 * steps. Quirks are kubectl's: a dot inside brackets separates fields there, too, unless a backslash stands before it.
 */
import { malformed } from "./malformed.ts";

/** A path, read. */
export type JsonPath = readonly JsonPathStep[];

/** One step of a path, from values to values. */
export type JsonPathStep =
  /** The value at a key. */
  | { readonly kind: "field"; readonly name: string }
  /** All values of an object, or all items of a list. */
  | { readonly kind: "every" }
  /** The value itself and everything in it, at any depth. */
  | { readonly kind: "descend" }
  /** Some items of a list. */
  | ({ readonly kind: "slice" } & JsonPathSlice)
  /** What each of several paths finds, one after the other. */
  | { readonly kind: "union"; readonly paths: readonly JsonPath[] }
  /** The items of a list for which a condition holds. */
  | { readonly kind: "filter"; readonly condition: JsonPathCondition };

/** Which items of a list; negative numbers count from its end. */
export interface JsonPathSlice {
  readonly start: number;
  /** Undefined for the rest of the list; a single index ends behind itself. */
  readonly end: number | undefined;
  readonly step: number;
  /** True for `[3]`, which must be there; ranges are checked the same way. */
  readonly isIndex: boolean;
}

/** A condition of a filter; without an operator it asks whether the path finds anything. */
export type JsonPathCondition =
  | { readonly left: JsonPathOperand; readonly operator: "exists" }
  | { readonly left: JsonPathOperand; readonly operator: JsonPathComparison; readonly right: JsonPathOperand };

/** How a filter compares. */
export type JsonPathComparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** One side of a comparison: a value, or what a path finds. */
export type JsonPathOperand =
  | { readonly kind: "value"; readonly value: string | number | boolean }
  | { readonly kind: "path"; readonly path: JsonPath };

/** Longer paths are refused; nobody writes them by hand. */
const PATH_CHARACTERS_MAX = 4096;

/** Reads a path, with or without the braces of kubectl. Throws `MalformedError` that names the path and the remedy. */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > PATH_CHARACTERS_MAX) throw malformed(`a JSONPath has at most ${PATH_CHARACTERS_MAX} characters`);
  const inner = /^\{(.*)\}$/s.exec(text)?.[1] ?? text;
  return parsePath(inner, text);
}

function parsePath(text: string, whole: string): JsonPath {
  const steps: JsonPathStep[] = [];
  for (let rest = text; rest !== ""; ) {
    const [read, length] = parseStep(rest, steps, whole);
    steps.push(...read);
    rest = rest.slice(length);
  }
  return steps;
}

type Read = readonly [steps: JsonPath, length: number];

function parseStep(rest: string, before: JsonPath, whole: string): Read {
  const skipped = /^(?:[ @$]|\.(?=\[))+/.exec(rest);
  if (skipped !== null) return [[], skipped[0].length];
  if (rest.startsWith("[?(")) return parseFilter(rest, whole);
  if (rest.startsWith("[")) return parseBrackets(rest, whole);
  if (rest.startsWith("..")) {
    if (before.at(-1)?.kind === "descend") throw invalid(whole, "two descents (..) follow each other");
    const field = FIELD.exec(rest.slice(2))?.[0] ?? "";
    return [[{ kind: "descend" }, ...fieldSteps(field)], 2 + field.length];
  }
  const field = FIELD.exec(rest.startsWith(".") ? rest.slice(1) : "")?.[0] ?? "";
  if (field !== "") return [fieldSteps(field), 1 + field.length];
  if (rest === ".") return [[], 1];
  throw invalid(whole, `${JSON.stringify(rest)} is no step; write .field, [index] or [?(@.field=="value")]`);
}

/** A field up to what ends it; a backslash takes the next character as it is. */
const FIELD = /^(?:\\.|[^\\\s.,[\]$@{}])+/s;

function fieldSteps(field: string): JsonPath {
  if (field === "") return [];
  return [field === "*" ? { kind: "every" } : { kind: "field", name: field.replaceAll("\\", "") }];
}

function parseBrackets(rest: string, whole: string): Read {
  const end = rest.indexOf("]");
  if (end === -1) throw invalid(whole, "a bracket is not closed; add ]");
  const parts = rest.slice(1, end).split(",");
  const [only = ""] = parts;
  if (parts.length === 1) return [parseBracket(only, whole), end + 1];
  return [[{ kind: "union", paths: parts.map((part) => parseBracket(part.trim(), whole)) }], end + 1];
}

function parseBracket(text: string, whole: string): JsonPath {
  if (text === "*") return [{ kind: "slice", start: 0, end: undefined, step: 1, isIndex: false }];
  const key = /^'([^']*)'$/.exec(text);
  if (key !== null) return parsePath(`.${key[1]}`, whole);
  const match = /^(-?[0-9]*)(?:(:)(-?[0-9]*)(?::(-?[0-9]*))?)?$/.exec(text);
  if (match === null || text === "" || text === "-") {
    throw invalid(whole, `[${text}] is no index; write [0], [0:2], [*], ['key'] or [?(@.field=="value")]`);
  }
  const [, start = "", colon, end = "", step = ""] = match;
  return [
    {
      kind: "slice",
      start: Number(start),
      end: colon === undefined ? Number(start) + 1 : end === "" ? undefined : Number(end),
      step: step === "" ? 1 : Number(step),
      isIndex: colon === undefined,
    },
  ];
}

function parseFilter(rest: string, whole: string): Read {
  const match = /^\[\?\(((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"')])*)\)\]/s.exec(rest);
  if (match === null) throw invalid(whole, 'a filter is not closed; write [?(@.field=="value")]');
  const [all, text = ""] = match;
  const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(text);
  if (comparison === null) {
    return [[{ kind: "filter", condition: { left: parseOperand(text, whole), operator: "exists" } }], all.length];
  }
  const [, left = "", operator = "", right = ""] = comparison;
  if (!isComparison(operator)) throw invalid(whole, `${operator} is no comparison; use == != < <= > >=`);
  const condition = { left: parseOperand(left, whole), operator, right: parseOperand(right, whole) };
  return [[{ kind: "filter", condition }], all.length];
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="] satisfies JsonPathComparison[]);

function isComparison(text: string): text is JsonPathComparison {
  return COMPARISONS.has(text);
}

function parseOperand(given: string, whole: string): JsonPathOperand {
  const text = given.trim();
  if (/^[@$.[]/.test(text)) return { kind: "path", path: parsePath(text, whole) };
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted !== null) return { kind: "value", value: (quoted[2] ?? "").replace(/\\(.)/gs, "$1") };
  if (text === "true" || text === "false") return { kind: "value", value: text === "true" };
  if (/^[+-]?[0-9]+(?:\.[0-9]*)?$/.test(text)) return { kind: "value", value: Number(text) };
  throw invalid(whole, `${text} is neither a path, a number nor a quoted text`);
}

function invalid(path: string, reason: string): Error {
  return malformed(`invalid JSONPath ${JSON.stringify(path)}: ${reason}`);
}
