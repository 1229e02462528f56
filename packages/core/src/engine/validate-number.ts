/** The numeric checks of schemas: range of the format, multipleOf, minimum, maximum. Called by validate.ts. */
import { formatFloat, formatNumber } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { addIssue, breaksRule, type Findings, noFindings, withoutField, withText } from "./issue.ts";

const int64Max = 9223372036854775807n;
const int64Min = -9223372036854775808n;
const float32Max = 3.4028235677973366e38;
const safeFloatMax = 2 ** 53 - 1;

interface NumberCheck {
  readonly path: string;
  readonly value: number | bigint;
  /** "integer" or "number" when the schema names exactly one type. */
  readonly type: string;
  /** A numeric format that fits the type, or "". */
  readonly format: string;
}

/** True for integers that Kubernetes decodes as int64; the rest are floats to it. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === "bigint"
    ? value <= int64Max && value >= int64Min
    : Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/** True for floats that are (nearly) integers: 1.0 may stand where an integer is wanted. */
export function isNearlyInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > safeFloatMax) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  return whole !== 0 && Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

/** Checks a number against a schema. */
export function checkNumber(path: string, value: number | bigint, schema: StructuralSchema): Findings {
  const single = schema["x-kubernetes-int-or-string"] ? undefined : schema.type;
  const type = single === "integer" || single === "number" ? single : "";
  const format = numericFormat(type, schema.format);
  const findings = noFindings(1);
  const check = { path, value, type, format };
  checkRange(findings, check, { prefix: "Checked", value });
  if (schema.multipleOf !== undefined) checkMultipleOf(findings, check, schema.multipleOf);
  if (schema.minimum !== undefined) checkBound(findings, check, lowerBound(schema.minimum, schema.exclusiveMinimum));
  if (schema.maximum !== undefined) checkBound(findings, check, upperBound(schema.maximum, schema.exclusiveMaximum));
  return findings;
}

function numericFormat(type: string, format: string | undefined): string {
  if (type === "integer") return format === "int32" || format === "int64" ? format : "";
  return type === "number" && (format === "float" || format === "double") ? format : "";
}

interface Bound {
  readonly prefix: string;
  readonly limit: number | bigint;
  readonly exclusive: boolean;
  readonly sign: 1 | -1;
}

function lowerBound(limit: number | bigint, exclusive = false): Bound {
  return { prefix: "Minimum boundary", limit, exclusive, sign: -1 };
}

function upperBound(limit: number | bigint, exclusive = false): Bound {
  return { prefix: "Maximum boundary", limit, exclusive, sign: 1 };
}

function checkBound(findings: Findings, check: NumberCheck, bound: Bound): void {
  const inRange = checkRange(findings, check, { prefix: bound.prefix, value: bound.limit });
  const native = inRange && isInt64(check.value);
  const limit = native ? truncate(bound.limit) : bound.limit;
  const beyond = bound.sign > 0 ? check.value > limit : check.value < limit;
  const reached = !(check.value < limit) && !(check.value > limit); // also between a number and a bigint
  if (!beyond && !(bound.exclusive && reached)) return;
  const comparison = `${bound.sign > 0 ? "less" : "greater"} than${bound.exclusive ? "" : " or equal to"}`;
  const shown = native ? limit.toString() : formatFloat(Number(limit));
  addIssue(findings, breaksRule(check.path, check.value, `should be ${comparison} ${shown}`));
}

function checkMultipleOf(findings: Findings, check: NumberCheck, factor: number): void {
  const { path, value } = check;
  const inRange = checkRange(findings, check, { prefix: "MultipleOf", value: factor });
  if (inRange && isInt64(value)) {
    const whole = BigInt(Math.trunc(factor));
    if (whole <= 0n) addIssue(findings, notPositive(path, whole));
    else if (BigInt(value) % whole !== 0n)
      addIssue(findings, breaksRule(path, value, `should be a multiple of ${whole}`));
  } else if (factor <= 0) {
    addIssue(findings, notPositive(path, factor));
  } else if (!isNearlyInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor)) {
    addIssue(findings, breaksRule(path, value, `should be a multiple of ${formatFloat(factor)}`));
  }
}

function notPositive(path: string, factor: number | bigint) {
  const text = `factor MultipleOf declared for ${path} must be positive: ${formatNumber(factor)}`;
  return withText(path, factor, text);
}

/** Whether a value or a bound of the schema fits the schema's type and format; reports it when not. */
function checkRange(
  findings: Findings,
  { path, type, format }: NumberCheck,
  checked: { readonly prefix: string; readonly value: number | bigint },
): boolean {
  if (fits(checked.value, type, format)) return true;
  const kind = format === "" ? `${type} (default format)` : `${type} with format ${format}`;
  addIssue(findings, withoutField(`${checked.prefix} value must be of type ${kind} in ${path}`));
  return false;
}

function fits(value: number | bigint, type: string, format: string): boolean {
  if (type === "number") return format !== "float" || Math.abs(Number(value)) < float32Max;
  if (type !== "integer") return true;
  if (!isInt64(value)) return false;
  return format !== "int32" || (value >= -2147483648 && value <= 2147483647);
}

function truncate(value: number | bigint): number | bigint {
  return typeof value === "bigint" ? value : Math.trunc(value);
}
