/** Whether our answer to a case is one of the answers that Go gives. */
import type { Json } from "@kubewright/core/meta";
import { deepEqual } from "@kubewright/core/meta";
import { answerCase } from "./answer.ts";
import type { OracleCase, OracleKind, Outcome } from "./oracle-case.ts";

/** How a case ended. */
export type Verdict =
  | { readonly kind: "agrees" }
  /** Go panics, so there is nothing to agree with. */
  | { readonly kind: "undefined" }
  | { readonly kind: "differs"; readonly ours: Outcome };

/** These libraries word their errors for nobody: kube-apiserver answers all of them with the same text. */
const wordsDoNotMatter: ReadonlySet<OracleKind> = new Set(["json-patch", "merge-patch", "create-merge-patch"]);

/** Compares our answer with the outcomes recorded from Go. */
export function judge(oracleCase: OracleCase, outcomes: readonly Outcome[]): Verdict {
  if (outcomes.some(({ panic }) => panic !== undefined)) return { kind: "undefined" };
  const ours = answerCase(oracleCase);
  const agrees = outcomes.some((theirs) => sameOutcome(ours, theirs, oracleCase.kind));
  return agrees ? { kind: "agrees" } : { kind: "differs", ours };
}

function sameOutcome(ours: Outcome, theirs: Outcome, kind: OracleKind): boolean {
  if (ours.error !== undefined || theirs.error !== undefined) {
    if (ours.error === undefined || theirs.error === undefined) return false;
    return wordsDoNotMatter.has(kind) || ours.error === theirs.error;
  }
  return deepEqual(plain(ours.value), plain(theirs.value));
}

/** Drops keys without a value, which JSON text has not, and puts lists of mistakes in one order. */
function plain(value: Json | undefined): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value), ordered) as Json);
}

/**
 * Go tells the mistakes of an object in the order of its map, and stops at the first undeclared field: then only what
 * stands before the mistakes can be compared.
 */
function ordered(key: string, value: unknown): unknown {
  if (key !== "message" || typeof value !== "string") return value;
  if (value.includes("field not declared in schema")) return value.replace(/: (?:errors:|\.)[\s\S]*/, "");
  const [first, ...lines] = value.split("\n  ");
  return [first, ...lines.sort()].join("\n");
}
