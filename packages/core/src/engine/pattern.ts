/**
 * Regular expressions as Kubernetes understands them: RE2, whose matching time is linear in the text whatever the
 * pattern. Used for `pattern` in schemas and for the regular expression functions of CEL. re2js does the work: 1 MiB of
 * "a" against `(a+)+$` takes about 30 ms, and patterns that would expand beyond a thousand repetitions are refused.
 */
import { RE2JS } from "re2js";

/** How many compiled patterns are kept; a CRD has tens, a server with hundreds of CRDs recompiles now and then. */
const patternsMax = 2000;
const compiled = new Map<string, RE2JS | Error>();

/** The compiled pattern, or why it is not one: `error parsing regexp: missing closing ): …`. */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= patternsMax) compiled.clear();
  const fresh = tryCompile(pattern);
  compiled.set(pattern, fresh);
  return fresh;
}

/** True when the pattern matches somewhere in the text; an Error when it is not a valid pattern. */
export function matchesPattern(pattern: string, text: string): boolean | Error {
  const expression = compilePattern(pattern);
  return expression instanceof Error ? expression : expression.test(text);
}

function tryCompile(pattern: string): RE2JS | Error {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
