/**
 * Functions of CEL as data: a signature and what to run. The libraries declare them, the checker picks by static types, the
 * interpreter by the values at hand (static types may be dyn). A table is the functions of one environment.
 */

import { type CelType, parseType, splitTopLevel } from "./cel-type.ts";
import type { Meter } from "./meter.ts";
import { isKind, typeOf, type Value } from "./values.ts";

/** What a function may use besides its arguments. */
export interface CallContext {
  readonly meter: Meter;
}

/** One way to call a function. */
export interface Overload {
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Called as `a.f(b)`; otherwise `f(a, b)`. */
  readonly member: boolean;
  run(args: readonly Value[], context: CallContext): Value;
  /** What a call costs; undefined means one unit. */
  cost?(args: readonly Value[], result: Value): number;
}

/** Functions by name. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

/** A function of a library. */
export interface Declaration {
  readonly name: string;
  readonly overload: Overload;
}

type Run = (args: readonly Value[], context: CallContext) => Value;

/** Declares one overload: `"string->startsWith(string) bool"` is a method, `"size(list(A)) int"` a function. */
export function declare(
  signature: string,
  run: Run,
  cost?: (args: readonly Value[], result: Value) => number,
): Declaration {
  const open = parameterStart(signature);
  const end = matchingParenthesis(signature, open);
  const [receiver, name] = splitName(signature.slice(0, open));
  const parameters = splitTopLevel(signature.slice(open + 1, end)).map(parseType);
  const result = parseType(signature.slice(end + 1));
  const member = receiver !== undefined;
  const overload: Overload = {
    parameters: receiver === undefined ? parameters : [parseType(receiver), ...parameters],
    result,
    member,
    run,
  };
  return { name, overload: cost === undefined ? overload : { ...overload, cost } };
}

/** Where the parameters begin: the parenthesis after the function's name, not one inside of the receiver's type. */
function parameterStart(signature: string): number {
  const member = signature.indexOf("->");
  return signature.indexOf("(", member < 0 ? 0 : member);
}

function matchingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}

/** `type->name` is a method of the type. */
function splitName(text: string): [string | undefined, string] {
  const arrow = text.indexOf("->");
  return arrow < 0 ? [undefined, text.trim()] : [text.slice(0, arrow), text.slice(arrow + 2).trim()];
}

/** A table of declarations, those of later libraries added to earlier ones. */
export function functionTable(declarations: Iterable<Declaration>): FunctionTable {
  const table = new Map<string, Overload[]>();
  for (const { name, overload } of declarations) {
    const known = table.get(name);
    if (known === undefined) table.set(name, [overload]);
    else known.push(overload);
  }
  return table;
}

/** Whether a value fits a parameter, as far as values tell: elements of lists are not looked at. */
export function accepts(type: CelType, value: Value): boolean {
  switch (type.kind) {
    case "parameter":
      return true;
    case "simple":
      return type.name === "dyn" || typeOf(value).name === type.name;
    case "opaque":
      return isKind(value, "opaque") && value.type.name === type.name;
    case "object":
    case "map":
      return isKind(value, "map");
    case "list":
      return isKind(value, "list") && acceptsElement(type, value.size > 0 ? value.at(0) : undefined);
    default:
      return typeOf(value).kind === type.kind;
  }
}

function acceptsElement(list: CelType, first: Value | undefined): boolean {
  const [element] = list.parameters;
  return first === undefined || element === undefined || accepts(element, first);
}
