/**
 * Evaluates the rules of a schema on an object: every level, transition rules only where an old value correlates, nothing
 * on nulls, and no more than the budget of one object allows. Failures of rules on unchanged parts become warnings.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { type FieldError, fieldInvalid } from "../../protocol/field-error.ts";
import type { StructuralSchema, ValidationRule } from "../../schema/structural.ts";
import {
  type Correlation,
  correlate,
  correlatedField,
  correlatedItem,
  entriesByKey,
  isUnchanged,
  mapListKey,
} from "../ratchet.ts";
import { costPerCallMax, type Outcome, type Program } from "./compile.ts";
import { errorFor, errorText, failureText, ruleText } from "./rule-failure.ts";
import { type CompiledRule, compileRules, type RuleNode } from "./rules.ts";
import { schemaValue } from "./schema-values.ts";
import { optionalNone, optionalOf, type Value } from "./values.ts";

/** What all rules of one object may cost together. */
export const costPerObjectMax = 10_000_000;
/** How long a message of a messageExpression may be. */
const messageBytesMax = 5 * 1024;

/** What the rules said. */
export interface RuleResult {
  readonly errors: readonly FieldError[];
  /** Failures on parts that did not change. */
  readonly warnings: readonly string[];
}

/** Evaluates all rules of a schema on an object, which may replace an old one. */
export function evaluateRules(
  value: Json,
  schema: StructuralSchema,
  options: { readonly old?: Json } = {},
): RuleResult {
  const root = compileRules(schema);
  const run: Run = { errors: [], warnings: [], budget: costPerObjectMax };
  if (root === undefined) return run;
  const { old } = options;
  const current = old === undefined ? undefined : correlate(value, old, schema);
  visit(root, { value, old, path: "", current, parent: undefined }, run);
  return { errors: run.errors, warnings: run.warnings };
}

/** What one evaluation collects; a negative budget ends it. */
interface Run {
  readonly errors: FieldError[];
  readonly warnings: string[];
  budget: number;
}

/** A value that a node of rules is about. */
interface Place {
  readonly value: Json;
  readonly old: Json | undefined;
  readonly path: string;
  readonly current: Correlation | undefined;
  /** The nearest correlated value above; undefined at the root. */
  readonly parent: Correlation | undefined;
}

function visit(node: RuleNode, place: Place, run: Run): void {
  if (place.value === null || run.budget < 0) return;
  runRules(node, place, run);
  for (const part of node.allOf) visit(part, { ...place, current: undefined }, run);
  if (isJsonArray(place.value)) visitItems(node, place, { items: place.value, run });
  else if (isJsonObject(place.value)) visitFields(node, place, { object: place.value, run });
}

function visitItems(
  node: RuleNode,
  place: Place,
  { items, run }: { readonly items: readonly Json[]; readonly run: Run },
): void {
  const { items: itemNode, schema } = node;
  if (itemNode === undefined) return;
  const oldEntries = isJsonArray(place.old) ? entriesByKey(place.old, schema) : new Map<string, JsonObject>();
  for (const [index, value] of items.entries()) {
    const key = mapListKey(value, schema);
    const old = key === undefined ? undefined : oldEntries.get(key);
    const current = correlatedItem(place.current, index);
    visit(
      itemNode,
      { value, old, path: `${place.path}[${index}]`, current, parent: place.current ?? place.parent },
      run,
    );
  }
}

function visitFields(
  node: RuleNode,
  place: Place,
  { object, run }: { readonly object: JsonObject; readonly run: Run },
): void {
  for (const name of Object.keys(object)) {
    const property = node.properties.get(name);
    const child = property ?? node.additional;
    if (child === undefined) continue;
    const path = property === undefined ? `${place.path}[${name}]` : joinPath(place.path, name);
    const old = isJsonObject(place.old) ? getKey(place.old, name) : undefined;
    visit(child, { value: getKey(object, name) ?? null, old, path, ...correlationOf(place, name) }, run);
  }
}

function correlationOf(place: Place, name: string): Pick<Place, "current" | "parent"> {
  if (place.current === undefined) return { current: undefined, parent: place.parent };
  // Both objects were converted to the same version: apiVersion and kind always look unchanged.
  if (place.parent === undefined && (name === "apiVersion" || name === "kind"))
    return { current: undefined, parent: undefined };
  return { current: correlatedField(place.current, name), parent: place.current };
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function shownPath(path: string): string {
  return path === "" ? "<nil>" : path;
}

function runRules(node: RuleNode, place: Place, run: Run): void {
  const fail = (text: string): unknown =>
    run.errors.push(fieldInvalid(shownPath(place.path), node.schema.type ?? "", text));
  if (!node.visible) {
    fail("rule compiler initialization error: failed to convert to declType for CEL validation rules");
    return;
  }
  if (node.rules.length === 0) return;
  if (run.budget <= 0) {
    fail("validation failed due to running out of cost budget, no further validation rules will be run");
    run.budget = -1;
    return;
  }
  const self = once(() => schemaValue(place.value, node.schema));
  const oldSelf = once(() =>
    place.old === undefined || place.old === null ? undefined : schemaValue(place.old, node.schema),
  );
  for (const compiled of node.rules) {
    if (run.budget < 0) return;
    runRule(compiled, { node, place, run, self, oldSelf, fail });
  }
}

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

interface RuleContext {
  readonly node: RuleNode;
  readonly place: Place;
  readonly run: Run;
  self(): Value;
  oldSelf(): Value | undefined;
  fail(text: string): unknown;
}

function runRule(compiled: CompiledRule, context: RuleContext): void {
  const { rule, program } = compiled;
  if (compiled.problem !== undefined) {
    context.fail(`rule compile error: ${compiled.problem}`);
    return;
  }
  const isNew = context.place.old === undefined || context.place.old === null;
  if (program === undefined || (compiled.usesOldSelf && isNew && !rule.optionalOldSelf)) return;
  const outcome = evaluate(program, context, rule.optionalOldSelf ?? false);
  if (!charge(outcome, context, rule)) return;
  if (outcome.kind === "error") context.fail(errorText(outcome.message, rule));
  else if (outcome.kind === "value" && outcome.value !== true) reportFailure(compiled, context);
}

function evaluate(program: Program, context: RuleContext, optionalOldSelf: boolean): Outcome {
  const oldSelf = (): Value | undefined => {
    const old = context.oldSelf();
    if (!optionalOldSelf) return old;
    return old === undefined ? optionalNone : optionalOf(old);
  };
  return program.evaluate(
    (name) => (name === "self" ? context.self() : name === "oldSelf" ? oldSelf() : undefined),
    costPerCallMax,
  );
}

/** Takes the cost from the budget; false when the rules end here. */
function charge(outcome: Outcome, { run, fail }: RuleContext, rule: ValidationRule): boolean {
  if (outcome.cost > run.budget) {
    fail("validation failed due to running out of cost budget, no further validation rules will be run");
    run.budget = -1;
    return false;
  }
  run.budget -= outcome.cost;
  if (outcome.kind !== "too-expensive") return true;
  fail(
    `'${outcome.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
  );
  run.budget = -1;
  return false;
}

function reportFailure(compiled: CompiledRule, context: RuleContext): void {
  const { rule } = compiled;
  const { place, run } = context;
  const message = compiled.messageProgram && ownMessage(compiled.messageProgram, context);
  const detail = message ?? failureText(rule);
  const path = shownPath(compiled.fieldPath === "" ? place.path : joinPath(place.path, compiled.fieldPath));
  const error = errorFor(path, { rule, detail, value: shownValue(context) });
  if (!compiled.usesOldSelf && isUnchanged(place.current ?? place.parent))
    run.warnings.push(`${error.field}: ${error.message}`);
  else run.errors.push(error);
}

function shownValue({ node, place }: RuleContext): Json | undefined {
  return node.schema.type === "object" || node.schema.type === "array" ? undefined : place.value;
}

/** The text of a messageExpression; undefined when it gives nothing that can be shown on a line. */
function ownMessage(program: Program, context: RuleContext): string | undefined {
  const outcome = evaluate(program, context, false);
  context.run.budget -= outcome.cost;
  if (outcome.kind !== "value" || typeof outcome.value !== "string") return undefined;
  const text = outcome.value.trim();
  return text === "" || text.includes("\n") || Buffer.byteLength(text) > messageBytesMax ? undefined : text;
}
