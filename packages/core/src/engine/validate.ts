/**
 * Schema validation of custom resources, in Kubernetes' words: the checks of apiextensions on kube-openapi, in their
 * order and with their quirks. The API server calls it on every write after defaulting; users call it to check an object
 * without a server. Rules written in CEL are evaluated in cel/rules.ts, duplicates in lists in list-types.ts.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";
import type { FieldError } from "../protocol/field-error.ts";
import { quote } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { jsonEqual } from "./equality.ts";
import { checkFormat, effectiveFormat } from "./formats.ts";
import {
  addIssue,
  breaksRule,
  type Findings,
  merge,
  missing,
  noFindings,
  notInEnum,
  tooLong,
  tooMany,
  withoutField,
  wrongType,
} from "./issue.ts";
import { matchesPattern } from "./pattern.ts";
import { type Correlation, correlate, correlatedField, correlatedItem, isUnchanged } from "./ratchet.ts";
import { checkNumber, isInt64, isNearlyInteger } from "./validate-number.ts";

/** How an object is validated. */
export interface ValidateOptions {
  /** The object it replaces; errors of unchanged parts are then forgiven (ratcheting). */
  readonly old?: Json;
}

/** What the schema finds wrong with a value. Paths start at the value. */
export function validate(value: Json, schema: StructuralSchema, options: ValidateOptions = {}): FieldError[] {
  const correlation = options.old === undefined ? undefined : correlate(value, options.old, schema);
  const findings = checkRatcheted({ value, schema, path: "", correlation });
  return findings.issues.map((issue) => issue.toFieldError());
}

/** A value being checked, where it stands, and its old value if it has one. */
interface Node {
  readonly value: Json;
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly correlation: Correlation | undefined;
}

function checkRatcheted(node: Node): Findings {
  const findings = check(node);
  return findings.issues.length > 0 && isUnchanged(node.correlation) ? noFindings(findings.matches) : findings;
}

/** All checks of one node. The order and the counting of passed checks decide which texts anyOf and oneOf report. */
function check(node: Node): Findings {
  const { value, schema, path } = node;
  const findings = noFindings();
  if (value === null) {
    merge(findings, checkType(node));
    merge(findings, checkEnum(path, value, schema));
    return findings;
  }
  const format = formatOf(schema);
  const run = (part: Findings): void => {
    merge(findings, part);
    findings.matches += 1;
  };
  if (typesOf(schema).length > 0 || format !== "") run(checkType(node));
  run(checkAlternatives(node));
  if (typeof value === "string") run(checkText(path, value, schema));
  if (typeof value === "string" && format !== "") runFormat(run, path, value, format);
  if (typeof value === "number" || typeof value === "bigint") run(checkNumber(path, value, schema));
  if (isJsonArray(value)) run(checkList(node, value));
  run(checkEnum(path, value, schema));
  if (isJsonObject(value)) run(checkObject(node, value));
  findings.matches += 1;
  return findings;
}

function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type === undefined ? [] : [schema.type];
}

function formatOf(schema: StructuralSchema): string {
  const types = typesOf(schema);
  return effectiveFormat(schema.format, types.length === 1 ? types[0] : undefined);
}

function checkType({ value, schema, path }: Node): Findings {
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

function checkEnum(path: string, value: Json, schema: StructuralSchema): Findings {
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

/** Only the first failing check of a text is told. */
function checkText(path: string, text: string, schema: StructuralSchema): Findings {
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

function runFormat(run: (part: Findings) => void, path: string, text: string, format: string): void {
  const valid = checkFormat(format, text);
  if (valid === undefined) return;
  const issue = breaksRule(path, text, `must be of type ${format}: ${quote(text)}`);
  run(valid ? noFindings() : { issues: [{ ...wrongType(path, format, text), text: issue.text }], matches: 0 });
}

function checkList(node: Node, items: readonly Json[]): Findings {
  const { schema, path } = node;
  const findings = noFindings(1);
  for (const [index, value] of items.entries()) {
    if (schema.items === undefined) break;
    const correlation = correlatedItem(node.correlation, index);
    merge(findings, checkRatcheted({ value, schema: schema.items, path: `${path}[${index}]`, correlation }));
  }
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && items.length < minItems) {
    addIssue(findings, breaksRule(path, items.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && items.length > maxItems) {
    addIssue(findings, tooMany(path, { actual: items.length, max: maxItems, noun: "items" }));
  }
  if (schema.uniqueItems && hasDuplicates(items)) {
    addIssue(findings, breaksRule(path, undefined, "shouldn't contain duplicates"));
  }
  return findings;
}

function hasDuplicates(items: readonly Json[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((earlier) => jsonEqual(item, earlier)));
}

function checkObject(node: Node, object: JsonObject): Findings {
  const { schema, path } = node;
  const findings = noFindings();
  checkPropertyCount(findings, node, Object.keys(object).length);
  checkAdditional(findings, node, object);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(object, name)) continue;
    const value = getKey(object, name) ?? null;
    const fieldPath = path === "" ? name : `${path}.${name}`;
    merge(
      findings,
      checkRatcheted({ value, schema: property, path: fieldPath, correlation: fieldCorrelation(node, name) }),
    );
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(object, name)) addIssue(findings, missing(`${path}.${name}`));
  }
  return findings;
}

function checkPropertyCount(findings: Findings, { schema, path }: Node, count: number): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && count < minProperties) {
    addIssue(findings, breaksRule(path, count, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && count > maxProperties) {
    addIssue(findings, tooMany(path, { actual: count, max: maxProperties, noun: "properties" }));
  }
}

function checkAdditional(findings: Findings, node: Node, object: JsonObject): void {
  const { schema, path } = node;
  const { additionalProperties, properties = {} } = schema;
  if (additionalProperties === undefined || additionalProperties === true) return;
  for (const [name, value] of Object.entries(object)) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) {
      const text = `${path}.${name} in body is a forbidden property`;
      addIssue(findings, { text, toFieldError: () => breaksRule(path, name, "").toFieldError() });
      continue;
    }
    const child = { value: value ?? null, schema: additionalProperties, path: `${path}.${name}` };
    merge(findings, checkRatcheted({ ...child, correlation: fieldCorrelation(node, name) }));
  }
}

function fieldCorrelation(node: Node, name: string): Correlation | undefined {
  // Old and new object were converted to the same version, so apiVersion and kind always look unchanged.
  if (node.path === "" && (name === "apiVersion" || name === "kind")) return undefined;
  return correlatedField(node.correlation, name);
}

/** allOf, anyOf, oneOf and not. Inside of them nothing is forgiven on update. */
function checkAlternatives({ value, schema, path }: Node): Findings {
  const findings = noFindings(1);
  const checkOne = (alternative: StructuralSchema): Findings =>
    check({ value, schema: alternative, path, correlation: undefined });
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
