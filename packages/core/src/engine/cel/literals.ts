/**
 * Literal arguments that can only fail: patterns, durations and timestamps are looked at when an expression is compiled,
 * as Kubernetes does since 1.29.
 */
import { compilePattern } from "../pattern.ts";
import type { CelIssue } from "./issues.ts";
import { childrenOf, type Expression } from "./syntax.ts";
import { parseDuration, parseTimestamp } from "./time.ts";

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  matches: (text) => !(compilePattern(text) instanceof Error),
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
};

/** Literals that are no pattern, duration or timestamp. */
export function checkLiterals(node: Expression): CelIssue[] {
  const own = node.kind === "call" ? checkCall(node) : [];
  return [...own, ...childrenOf(node).flatMap(checkLiterals)];
}

function checkCall(node: Extract<Expression, { readonly kind: "call" }>): CelIssue[] {
  const argument = node.args.at(-1);
  const check = checks[node.name];
  if (check === undefined || argument?.kind !== "literal") return [];
  const { literal } = argument;
  const valid = literal.type === "string" ? check(literal.value) : node.name !== "duration";
  return valid ? [] : [{ position: argument.position, message: `invalid ${node.name} argument` }];
}
