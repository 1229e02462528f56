/** matches, find and findAll, on RE2. */

import { compilePattern } from "../../pattern.ts";
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import { listOf, type Value } from "../values.ts";
import { matching } from "./costs.ts";

function compiled(pattern: Value | undefined, prefix: string) {
  const expression = compilePattern(pattern as string);
  if (expression instanceof Error) throw new CelError(`${prefix}${expression.message}`);
  return expression;
}

function matches([text, pattern]: readonly Value[]): Value {
  return compiled(pattern, "").test(text as string);
}

function find([text, pattern]: readonly Value[]): Value {
  const matcher = compiled(pattern, "Illegal regex: ").matcher(text as string);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll([text, pattern, limit]: readonly Value[]): Value {
  const most = limit === undefined || (limit as bigint) < 0n ? Infinity : Number(limit as bigint);
  const matcher = compiled(pattern, "Illegal regex: ").matcher(text as string);
  const found: string[] = [];
  while (found.length < most && matcher.find()) found.push(matcher.group() ?? "");
  return listOf(found);
}

/** All functions with regular expressions. */
export const regex: readonly Declaration[] = [
  declare("string->matches(string) bool", matches, matching),
  declare("matches(string, string) bool", matches, matching),
  declare("string->find(string) string", find, matching),
  declare("string->findAll(string) list(string)", findAll, matching),
  declare("string->findAll(string, int) list(string)", findAll, matching),
];
