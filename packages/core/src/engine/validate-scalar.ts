/** The checks of single values: type, enumeration, length, pattern and format. Called by validate.ts. */
import { isJsonArray, type Json } from "../meta/json.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { jsonEqual } from "./equality.ts";
import { checkFormat, effectiveFormat } from "./formats.ts";
import { addIssue, breaksRule, type Findings, noFindings, notInEnum, tooLong, wrongType } from "./issue.ts";
import { matchesPattern } from "./pattern.ts";
import { isInt64, isNearlyInteger } from "./validate-number.ts";

/** The types a schema allows; none when it does not say. */
export function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

/** The format of a schema that is checked; "" when there is none. */
export function formatOf(schema: StructuralSchema): string {
  const types = typesOf(schema);
  return effectiveFormat(schema.format, types.length === 1 ? types[0] : undefined);
}

/** Checks the type of a value. */
export function checkType(path: string, value: Json, schema: StructuralSchema): Findings {
  const types = typesOf(schema);
  const format = formatOf(schema);
  const failed = (expected: string, actual: string): Findings => ({
    issues: [wrongType(path, expected, actual)],
    matches: 0,
  });
  if (value === null) {
    return types.length > 0 && !schema.nullable ? failed(types.join(","), "null") : noFindings(1);
  }
  const actual = typeName(value);
  const matches = types.includes(actual.type) || isConvertible(value, types);
  const textOrList = typeof value === "string" || isJsonArray(value);
  if (!textOrList && format !== "" && !matches && actual.format !== format) return failed(format, actual.format);
  const numeric = types.includes("number") || types.includes("integer");
  if (matches || (!numeric && format !== "" && textOrList)) return noFindings(1);
  return failed(types.join(","), actual.type);
}

function typeName(value: Exclude<Json, null>): { readonly type: string; readonly format: string } {
  if (isJsonArray(value)) return { type: "array", format: "" };
  if (typeof value === "object") return { type: "object", format: "" };
  if (typeof value === "string" || typeof value === "boolean") return { type: typeof value, format: "" };
  return isInt64(value) ? { type: "integer", format: "int64" } : { type: "number", format: "float64" };
}

function isConvertible(value: Json, types: readonly string[]): boolean {
  if (typeof value !== "number" && typeof value !== "bigint") return false;
  return isInt64(value) ? types.includes("number") : types.includes("integer") && isNearlyInteger(Number(value));
}

/** Checks that a value is among those enumerated. */
export function checkEnum(path: string, value: Json, schema: StructuralSchema): Findings {
  const { enum: allowed = [] } = schema;
  if (allowed.length === 0 || allowed.some((entry) => equalsEnum(value, entry))) return noFindings();
  return { issues: [notInEnum(path, value, allowed)], matches: 0 };
}

function equalsEnum(value: Json, entry: Json): boolean {
  // Kubernetes never finds null in an enumeration, and compares a float to an integer without its fraction.
  if (value === null) return false;
  const truncates = typeof value === "number" && typeof entry === "number" && Number.isInteger(entry);
  return truncates ? Math.trunc(value) === entry : jsonEqual(value, entry);
}

/** Checks length and pattern of a text; only the first failing check is told. */
export function checkText(path: string, text: string, schema: StructuralSchema): Findings {
  const { maxLength, minLength, pattern } = schema;
  const findings = noFindings();
  const length = maxLength === undefined && minLength === undefined ? 0 : characterCount(text);
  if (maxLength !== undefined && length > maxLength) {
    addIssue(findings, tooLong(path, maxLength));
  } else if (minLength !== undefined && length < minLength) {
    addIssue(findings, breaksRule(path, text, `should be at least ${minLength} chars long`));
  } else if (pattern !== undefined && pattern !== "") {
    const matched = matchesPattern(pattern, text);
    const shown = matched instanceof Error ? `${pattern}, but pattern is invalid: ${matched.message}` : pattern;
    if (matched !== true) addIssue(findings, breaksRule(path, text, `should match '${shown}'`));
  }
  return findings;
}

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Checks the format of a text. */
export function checkTextFormat(path: string, text: string, format: string): Findings {
  if (checkFormat(format, text) !== false) return noFindings();
  return { issues: [wrongType(path, format, text)], matches: 0 };
}
