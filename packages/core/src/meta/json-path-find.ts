/**
 * What a JSONPath finds in a value. Keys that are not there find nothing; what cannot be, such as an index into text,
 * is an error. The work is bounded: a path that visits too many values is refused, so paths of strangers are safe.
 */
import { getKey, isJsonArray, isJsonObject, type Json } from "./json.ts";
import type {
  JsonPath,
  JsonPathComparison,
  JsonPathCondition,
  JsonPathOperand,
  JsonPathSlice,
  JsonPathStep,
} from "./json-path.ts";
import { malformed } from "./malformed.ts";

/** How many values one path may visit. */
const VISITS_MAX = 1_000_000;

/** All values that the path leads to, in order. Throws `MalformedError` where kubectl does. */
export function findJsonPath(value: Json, path: JsonPath): readonly Json[] {
  return follow([value], path, { left: VISITS_MAX });
}

/** Visits that are left. */
interface Budget {
  left: number;
}

function follow(values: readonly Json[], path: JsonPath, budget: Budget): readonly Json[] {
  let found = values;
  for (const step of path) {
    found = takeStep(found, step, budget);
    spend(budget, found.length + 1);
  }
  return found;
}

function spend(budget: Budget, visits: number): void {
  budget.left -= visits;
  if (budget.left < 0)
    throw malformed(`the JSONPath visits more than ${VISITS_MAX} values; name the fields it goes through`);
}

function takeStep(values: readonly Json[], step: JsonPathStep, budget: Budget): readonly Json[] {
  switch (step.kind) {
    case "field":
      return values.flatMap((value) => fieldOf(value, step.name));
    case "every":
      return values.flatMap(childrenOf);
    case "descend":
      return values.flatMap((value) => descend(value, budget));
    case "slice":
      return values.flatMap((value) => sliceOf(value, step));
    case "union":
      return step.paths.flatMap((path) => follow(values, path, budget));
    case "filter":
      return values.flatMap((value) => filterOf(value, step.condition, budget));
  }
}

/** The value in a list of its own: a list as a value must not be flattened. */
function fieldOf(value: Json, name: string): readonly Json[] {
  const field = isJsonObject(value) ? getKey(value, name) : undefined;
  return field === undefined ? [] : [field];
}

/** Items of a list, or values of an object by sorted keys: the order must not depend on how it was written. */
function childrenOf(value: Json): readonly Json[] {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value).sort();
  return keys.map((key) => getKey(value, key) ?? null);
}

/** Only what has something in it, as kubectl does it; fields of it are what the next step takes. */
function descend(value: Json, budget: Budget): readonly Json[] {
  const found: Json[] = [];
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const children = childrenOf(next);
    spend(budget, children.length + 1);
    if (children.length === 0) continue;
    found.push(next);
    waiting.push(...children.toReversed());
  }
  return found;
}

function sliceOf(value: Json, slice: JsonPathSlice): readonly Json[] {
  if (value === null) return [];
  if (!isJsonArray(value)) throw malformed(`${typeName(value)} is not array or slice`);
  const { length } = value;
  const start = slice.start < 0 ? slice.start + length : slice.start;
  const end = endOf(slice, length);
  if (start === end) return [];
  if (start >= length || start < 0) throw outOfBounds(start, length);
  if (end > length || end < 0) throw outOfBounds(end - 1, length);
  if (start > end) throw malformed(`starting index ${start} is greater than ending index ${end}`);
  if (slice.step <= 0) throw malformed("step must be > 0");
  return value.slice(start, end).filter((_, index) => index % slice.step === 0);
}

function endOf({ end, isIndex }: JsonPathSlice, length: number): number {
  if (end === undefined) return length;
  return end < 0 || (end === 0 && isIndex) ? end + length : end;
}

function outOfBounds(index: number, length: number): Error {
  return malformed(`array index out of bounds: index ${index}, length ${length}`);
}

function filterOf(value: Json, condition: JsonPathCondition, budget: Budget): readonly Json[] {
  if (!isJsonArray(value)) throw malformed(`${typeName(value)} is not array or slice and cannot be filtered`);
  return value.filter((item) => holds(item, condition, budget));
}

function holds(item: Json, condition: JsonPathCondition, budget: Budget): boolean {
  const left = operandValues(item, condition.left, budget);
  if (condition.operator === "exists") return left.length > 0;
  if (left.length === 0) return false;
  const right = operandValues(item, condition.right, budget);
  if (right.length === 0) return false;
  if (left.length > 1 || right.length > 1) throw malformed("can only compare one element at a time");
  return compare(left[0] ?? null, condition.operator, right[0] ?? null);
}

function operandValues(item: Json, operand: JsonPathOperand, budget: Budget): readonly Json[] {
  return operand.kind === "value" ? [operand.value] : follow([item], operand.path, budget);
}

function compare(left: Json, operator: JsonPathComparison, right: Json): boolean {
  if (typeName(left) !== typeName(right)) throw malformed("incompatible types for comparison");
  if (left === null || right === null || typeof left === "object" || typeof right === "object") {
    throw malformed("invalid type for comparison");
  }
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left === "boolean") throw malformed("invalid type for comparison");
  return isOrdered(operator, left < right ? -1 : left > right ? 1 : 0);
}

function isOrdered(operator: JsonPathComparison, order: number): boolean {
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "==":
    case "!=":
      return (order === 0) === (operator === "==");
  }
}

function typeName(value: Json): string {
  if (value === null) return "null";
  if (isJsonArray(value)) return "list";
  return typeof value === "bigint" ? "number" : typeof value;
}
