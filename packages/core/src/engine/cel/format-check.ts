/**
 * `"…".format([…])` with literals on both sides is checked when it is compiled: are there as many values as verbs, and may
 * each value stand where it does? checker.ts asks for every such call.
 */

import { type CelType, formatType, isDynamic } from "./cel-type.ts";
import type { CelIssue } from "./issues.ts";
import { verbsOf, wrongVerbText } from "./library/strings-format.ts";
import type { Expression } from "./syntax.ts";

type Call = Extract<Expression, { readonly kind: "call" }>;

/** What is wrong with a format and its values; `typeOf` gives the static type of a value. */
export function checkFormat(call: Call, target: Expression, typeOf: (node: Expression) => CelType): CelIssue[] {
  const [list] = call.args;
  if (target.kind !== "literal" || target.literal.type !== "string" || list?.kind !== "list") return [];
  for (const [index, verb] of verbsOf(target.literal.value).entries()) {
    const item = list.items[index]?.value;
    if (item === undefined) return [{ position: call.position, message: `index ${index} out of range` }];
    const problem = verbProblem(verb, typeOf(item));
    if (problem !== undefined)
      return [{ position: problem.known ? item.position : call.position, message: problem.text }];
  }
  return [];
}

const takes: Readonly<Record<string, readonly string[]>> = {
  d: ["int", "uint"],
  f: ["double"],
  e: ["double"],
  b: ["int", "uint", "bool"],
  o: ["int", "uint"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
};

function verbProblem(verb: string, type: CelType): { readonly text: string; readonly known: boolean } | undefined {
  const allowed = takes[verb];
  if (allowed === undefined && verb !== "s") {
    return { text: `could not parse formatting clause: unrecognized formatting clause "${verb}"`, known: false };
  }
  const fits =
    allowed === undefined ? !["opaque", "optional", "object"].includes(type.kind) : allowed.includes(type.name);
  if (isDynamic(type) || type.kind === "parameter" || fits) return undefined;
  return { text: wrongVerbText(verb, formatType(type)), known: true };
}
