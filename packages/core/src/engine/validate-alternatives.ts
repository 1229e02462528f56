/**
 * allOf, anyOf, oneOf and not, with kube-openapi's way of choosing what to report: of the alternatives that failed, the one
 * where most checks passed. Called by validate.ts.
 */
import { quote } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { addIssue, type Findings, merge, noFindings, withoutField } from "./issue.ts";

/** Checks the alternatives of a node; `checkOne` checks its value by one of them. */
export function checkAlternatives(
  schema: StructuralSchema,
  path: string,
  checkOne: (alternative: StructuralSchema) => Findings,
): Findings {
  const findings = noFindings(1);
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) checkAnyOf(findings, path, schema.anyOf.map(checkOne));
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) checkOneOf(findings, path, schema.oneOf.map(checkOne));
  if (schema.allOf !== undefined && schema.allOf.length > 0) checkAllOf(findings, path, schema.allOf.map(checkOne));
  if (schema.not !== undefined && checkOne(schema.not).issues.length === 0) {
    addIssue(findings, withoutField(`${quote(path)} must not validate the schema (not)`));
  }
  return findings;
}

function checkAnyOf(findings: Findings, path: string, results: readonly Findings[]): void {
  const success = results.find((result) => result.issues.length === 0);
  if (success === undefined) {
    addIssue(findings, withoutField(`${quote(path)} must validate at least one schema (anyOf)`));
  }
  const chosen = success ?? closest(results);
  if (chosen !== undefined) merge(findings, chosen);
}

function checkOneOf(findings: Findings, path: string, results: readonly Findings[]): void {
  const valid = results.filter((result) => result.issues.length === 0);
  if (valid.length === 1 && valid[0] !== undefined) {
    merge(findings, valid[0]);
    return;
  }
  const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
  addIssue(findings, withoutField(`${quote(path)} must validate one and only one schema (oneOf). ${found}`));
  const chosen = valid.length === 0 ? closest(results) : undefined;
  if (chosen !== undefined) merge(findings, chosen);
}

function checkAllOf(findings: Findings, path: string, results: readonly Findings[]): void {
  for (const result of results) merge(findings, result);
  const valid = results.filter((result) => result.issues.length === 0).length;
  if (valid === results.length) return;
  const none = valid === 0 ? ". None validated" : "";
  addIssue(findings, withoutField(`${quote(path)} must validate all the schemas (allOf)${none}`));
}

/** The failed alternative with the most passed checks; of several, the first. */
function closest(results: readonly Findings[]): Findings | undefined {
  return results.reduce<Findings | undefined>(
    (best, result) => (best === undefined || result.matches > best.matches ? result : best),
    undefined,
  );
}
