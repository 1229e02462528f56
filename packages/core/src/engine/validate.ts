/**
 * Schema validation of custom resources, in Kubernetes' words: the checks of apiextensions on kube-openapi, in their
 * order and with their quirks. The API server calls it on every write after defaulting; users call it to check an object
 * without a server. Rules written in CEL are evaluated in cel/evaluate-rules.ts, duplicates in lists in list-types.ts.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../meta/json.ts";
import type { FieldError } from "../protocol/field-error.ts";
import { formatGoJson } from "../protocol/go-format.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { addIssue, breaksRule, type Findings, merge, missing, noFindings, tooMany } from "./issue.ts";
import { type Correlation, correlate, correlatedField, correlatedItem, isUnchanged } from "./ratchet.ts";
import { checkAlternatives } from "./validate-alternatives.ts";
import { checkNumber } from "./validate-number.ts";
import { checkEnum, checkText, checkTextFormat, checkType, formatOf, typesOf } from "./validate-scalar.ts";

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
  // What is found in an unchanged part is forgiven, so there is no need to look for it.
  if (typeof node.value === "object" && node.correlation?.old === node.value) return noFindings();
  const findings = check(node);
  return findings.issues.length > 0 && isUnchanged(node.correlation) ? noFindings(findings.matches) : findings;
}

/** All checks of one node. The order and the counting of passed checks decide which texts anyOf and oneOf report. */
function check(node: Node): Findings {
  const { value, schema, path } = node;
  const findings = noFindings();
  if (value === null) {
    merge(findings, checkType(path, value, schema));
    merge(findings, checkEnum(path, value, schema));
    return findings;
  }
  const format = formatOf(schema);
  const run = (part: Findings): void => {
    merge(findings, part);
    findings.matches += 1;
  };
  if (typesOf(schema).length > 0 || format !== "") run(checkType(path, value, schema));
  // Inside of alternatives nothing is forgiven on update, hence no correlation.
  const checkOne = (alternative: StructuralSchema) =>
    check({ value, schema: alternative, path, correlation: undefined });
  run(checkAlternatives(schema, path, checkOne));
  if (typeof value === "string") run(checkText(path, value, schema));
  if (typeof value === "string" && format !== "") run(checkTextFormat(path, value, format));
  if (typeof value === "number" || typeof value === "bigint") run(checkNumber(path, value, schema));
  if (isJsonArray(value)) run(checkList(node, value));
  run(checkEnum(path, value, schema));
  if (isJsonObject(value)) run(checkObject(node, value));
  findings.matches += 1;
  return findings;
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
  return new Set(items.map(formatGoJson)).size < items.length;
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
