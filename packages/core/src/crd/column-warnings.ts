/**
 * Warnings about printer columns that cannot be shown. An API server accepts any path, and silently leaves out the first
 * column whose path it cannot read and all after it; whoever wrote the CRD should hear of it.
 */
import { parseJsonPath } from "../meta/json-path.ts";
import { isMalformed } from "../meta/malformed.ts";
import type { CrdInput } from "./crd-input.ts";

/** Warnings about the columns of a CRD; on update only about what is new in it. */
export function columnWarnings(crd: CrdInput, old?: CrdInput): string[] {
  const known = new Set(old === undefined ? [] : problems(old));
  return problems(crd).filter((problem) => !known.has(problem));
}

function problems(crd: CrdInput): string[] {
  return (crd.spec?.versions ?? []).flatMap(({ additionalPrinterColumns = [] }, version) =>
    additionalPrinterColumns.flatMap(({ jsonPath = "" }, column) => {
      const problem = problemOf(jsonPath);
      if (problem === undefined) return [];
      const field = `spec.versions[${version}].additionalPrinterColumns[${column}].jsonPath`;
      return [`${field}: ${problem}; this column and those after it are not shown`];
    }),
  );
}

function problemOf(jsonPath: string): string | undefined {
  try {
    parseJsonPath(jsonPath);
    return undefined;
  } catch (error) {
    if (isMalformed(error)) return error.message;
    throw error;
  }
}
