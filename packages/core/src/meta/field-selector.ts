/**
 * Field selectors: `metadata.name=a,status.phase!=Running`. Which fields a kind can be selected by is its server's
 * business; here they are names with values. A field that an object lacks has the value "".
 */
import { malformed } from "./malformed.ts";

/** One requirement of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Requirements that must all hold; none selects everything. */
export type FieldRequirements = readonly FieldRequirement[];

/** The requirements that `text` states, sorted as Kubernetes sorts them. Throws `MalformedError`. */
export function parseFieldSelector(text: string): FieldRequirements {
  return splitTerms(text)
    .sort()
    .filter((term) => term !== "")
    .map((term) => parseTerm(term, text));
}

/** The text of requirements, as the `fieldSelector` query parameter takes it. */
export function formatFieldSelector(requirements: FieldRequirements): string {
  return requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(",");
}

/** True when the fields satisfy every requirement; `fieldValue` returns undefined for a field that is not there. */
export function matchesFields(
  requirements: FieldRequirements,
  fieldValue: (field: string) => string | undefined,
): boolean {
  return requirements.every(
    ({ field, operator, value }) => ((fieldValue(field) ?? "") === value) === (operator === "="),
  );
}

/** The one value that the requirements allow `field` to have, when there is one. */
export function requiredFieldValue(requirements: FieldRequirements, field: string): string | undefined {
  return requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) throw malformed(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = "", operator, value = ""] = match;
  return { field, operator: operator === "!=" ? "!=" : "=", value: unescapeFieldValue(value) };
}

/** Cuts at commas; a comma after a backslash is data. */
function splitTerms(text: string): string[] {
  return text === "" ? [] : Array.from(text.matchAll(/(?:^|,)((?:\\.|[^\\,]|\\$)*)/gs), (match) => match[1] ?? "");
}

function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function unescapeFieldValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (sequence, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw malformed(`invalid field selector: unescaped character in value: ${sequence.codePointAt(0)}`);
    }
    if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
      throw malformed(`invalid field selector: invalid escape sequence: ${sequence}`);
    }
    return escaped;
  });
}
