/**
 * The type checker: finds names, fields and overloads that do not exist before an expression ever runs, with cel-go's
 * words. compile.ts calls it between parser and interpreter; CRD validation shows what it finds.
 */

import {
  type Bindings,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  isAssignable,
  isDynamic,
  listType,
  mapType,
  nullType,
  optionalType,
  resolve,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "./cel-type.ts";
import { checkFormat } from "./format-check.ts";
import type { CelIssue } from "./issues.ts";
import type { FunctionTable, Overload } from "./overloads.ts";
import type { Expression, Literal } from "./syntax.ts";

/** What an expression may refer to. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: FunctionTable;
}

/** What checking found. */
export interface Checked {
  readonly type: CelType;
  readonly issues: readonly CelIssue[];
}

/** Names of types, which are values of type `type`. */
export const typeNames: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", boolType],
  ["int", intType],
  ["uint", uintType],
  ["double", doubleType],
  ["string", stringType],
  ["bytes", bytesType],
  ["null_type", nullType],
  ["list", listType(dynType)],
  ["map", mapType(dynType, dynType)],
  ["type", typeType(dynType)],
  ["optional_type", optionalType(dynType)],
  ["google.protobuf.Timestamp", timestampType],
  ["google.protobuf.Duration", durationType],
]);

/** Checks an expression. */
export function check(expression: Expression, declarations: Declarations): Checked {
  const state: State = {
    declarations,
    issues: [],
    late: [],
    types: new Map(),
    formatDepth: 0,
    bindings: new Map(),
    fresh: 0,
    scopes: [],
  };
  const type = resolve(checkNode(expression, state), state.bindings, true);
  return { type, issues: state.issues.length > 0 ? state.issues : state.late };
}

interface State {
  readonly declarations: Declarations;
  readonly issues: CelIssue[];
  /** Literals with elements of several types, and wrong formats: told only when there is nothing else. */
  readonly late: CelIssue[];
  /** The types found so far. */
  readonly types: Map<Expression, CelType>;
  /** Inside of arguments to format(), where such literals are fine. */
  formatDepth: number;
  readonly bindings: Bindings;
  /** Numbers the type parameters of each call. */
  fresh: number;
  /** Variables of the macros around. */
  readonly scopes: ReadonlyMap<string, CelType>[];
}

function report(state: State, position: number, message: string): CelType {
  state.issues.push({ position, message });
  return dynType;
}

function checkNode(node: Expression, state: State): CelType {
  const type = typeOfNode(node, state);
  state.types.set(node, type);
  return type;
}

function typeOfNode(node: Expression, state: State): CelType {
  switch (node.kind) {
    case "literal":
      return literalType(node.literal);
    case "ident":
      return checkName(node.name, state) ?? report(state, node.position, undeclared(node.name));
    case "select":
      return checkSelect(node, state);
    case "call":
      return checkCall(node, state);
    case "list":
      return checkList(node, state);
    case "map":
      return checkMap(node, state);
    case "comprehension":
      return checkComprehension(node, state);
    case "optional-map":
      return checkOptionalMap(node, state);
  }
}

type NodeOf<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

function literalType(literal: Literal): CelType {
  return {
    null: nullType,
    bool: boolType,
    int: intType,
    uint: uintType,
    double: doubleType,
    string: stringType,
    bytes: bytesType,
  }[literal.type];
}

function checkName(name: string, state: State): CelType | undefined {
  const scope = state.scopes.findLast((each) => each.has(name));
  const type = scope?.get(name) ?? state.declarations.variables.get(name);
  if (type !== undefined) return type;
  const named = typeNames.get(name);
  return named === undefined ? undefined : typeType(named);
}

/** `a.b.c` as one name; undefined when it is something else. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === "ident") return node.name;
  if (node.kind !== "select" || node.test || node.optional) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

function checkSelect(node: NodeOf<"select">, state: State): CelType {
  const qualified = qualifiedName(node);
  const named = qualified === undefined ? undefined : typeNames.get(qualified);
  if (named !== undefined) return typeType(named);
  const operand = resolve(checkNode(node.operand, state), state.bindings);
  const inner = operand.kind === "optional" ? (operand.parameters[0] ?? dynType) : operand;
  const field = fieldType(node, inner, state);
  if (node.test) return boolType;
  return node.optional || operand.kind === "optional" ? optionalType(unwrapOptional(field)) : field;
}

function unwrapOptional(type: CelType): CelType {
  return type.kind === "optional" ? (type.parameters[0] ?? dynType) : type;
}

function fieldType(node: NodeOf<"select">, operand: CelType, state: State): CelType {
  if (operand.kind === "map") return operand.parameters[1] ?? dynType;
  if (isDynamic(operand) || operand.kind === "parameter") return dynType;
  if (operand.kind === "object") {
    return operand.fields?.get(node.field) ?? report(state, node.position, `undefined field '${node.field}'`);
  }
  return report(state, node.position, `type '${formatType(operand)}' does not support field selection`);
}

function checkCall(node: NodeOf<"call">, state: State): CelType {
  const { functions } = state.declarations;
  if (node.name === "_&&_" || node.name === "_||_") return checkLogic(node, state);
  if (node.target === undefined) return checkOverloads(node, undefined, state);
  const namespace = qualifiedName(node.target);
  const qualified = namespace === undefined ? undefined : `${namespace}.${node.name}`;
  if (qualified !== undefined && functions.has(qualified)) {
    return checkOverloads({ ...node, name: qualified, target: undefined }, undefined, state);
  }
  return checkOverloads(node, node.target, state);
}

function checkLogic(node: NodeOf<"call">, state: State): CelType {
  for (const argument of node.args) expectType(argument, boolType, state);
  return boolType;
}

function expectType(node: Expression, wanted: CelType, state: State): void {
  const actual = checkNode(node, state);
  if (isAssignable(wanted, actual, state.bindings)) return;
  const [expected, found] = [wanted, actual].map((type) => formatType(resolve(type, state.bindings)));
  report(state, node.position, `expected type '${expected}' but found '${found}'`);
}

function checkOverloads(node: NodeOf<"call">, target: Expression | undefined, state: State): CelType {
  const operands = target === undefined ? node.args : [target, ...node.args];
  const isFormat = target !== undefined && node.name === "format";
  state.formatDepth += isFormat ? 1 : 0;
  const types = operands.map((operand) => checkNode(operand, state));
  state.formatDepth -= isFormat ? 1 : 0;
  if (isFormat)
    state.late.push(...checkFormat(node, target, (item) => resolve(state.types.get(item) ?? dynType, state.bindings)));
  const overloads = state.declarations.functions.get(node.name);
  if (overloads === undefined) return report(state, node.position, undeclared(node.name));
  const candidates = overloads.filter(
    (overload) => overload.member === (target !== undefined) && overload.parameters.length === types.length,
  );
  return (
    resultOf(candidates, types, state) ??
    report(state, node.position, noOverload(node.name, types, target !== undefined, state))
  );
}

/** The common result of all overloads that fit; dyn when they disagree. */
function resultOf(candidates: readonly Overload[], types: readonly CelType[], state: State): CelType | undefined {
  let result: CelType | undefined;
  for (const candidate of candidates) {
    const trial = new Map(state.bindings);
    const { parameters, result: declared } = instantiate(candidate, state);
    if (!parameters.every((parameter, index) => isAssignable(parameter, types[index] ?? dynType, trial))) continue;
    const found = resolve(declared, trial);
    if (result !== undefined) {
      if (formatType(result) !== formatType(found)) return dynType;
      continue;
    }
    for (const [name, type] of trial) state.bindings.set(name, type);
    result = found;
  }
  return result;
}

/** The overload with type parameters of its own. */
function instantiate(overload: Overload, state: State): { parameters: readonly CelType[]; result: CelType } {
  state.fresh += 1;
  const rename = (type: CelType): CelType =>
    type.kind === "parameter"
      ? { ...type, name: `${type.name}${state.fresh}` }
      : type.parameters.length === 0
        ? type
        : { ...type, parameters: type.parameters.map(rename) };
  return { parameters: overload.parameters.map(rename), result: rename(overload.result) };
}

function noOverload(name: string, types: readonly CelType[], member: boolean, state: State): string {
  const texts = types.map((type) => formatType(resolve(type, state.bindings)));
  const shown = member ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
  return `found no matching overload for '${name}' applied to '${shown}'`;
}

function checkList(node: NodeOf<"list">, state: State): CelType {
  let element: CelType | undefined;
  let first: CelType | undefined;
  for (const { value, optional } of node.items) {
    const checked = checkNode(value, state);
    const type = optional ? unwrapOptional(resolve(checked, state.bindings)) : checked;
    first ??= type;
    element = joinElement(element, type, { node: value, state, first });
  }
  return listType(element ?? freshParameter(state));
}

function freshParameter(state: State): CelType {
  state.fresh += 1;
  return { kind: "parameter", name: `_${state.fresh}`, parameters: [] };
}

/** Elements of a literal have one type; otherwise it is dyn to the rest of the expression. */
function joinElement(
  known: CelType | undefined,
  type: CelType,
  at: { readonly node: Expression; readonly state: State; readonly first: CelType },
): CelType {
  if (known === undefined) return type;
  if (isAssignable(at.first, type, at.state.bindings)) return known;
  const [expected, found] = [at.first, type].map((each) => formatType(resolve(each, at.state.bindings)));
  if (at.state.formatDepth === 0) {
    at.state.late.push({ position: at.node.position, message: `expected type '${expected}' but found '${found}'` });
  }
  return dynType;
}

function checkMap(node: NodeOf<"map">, state: State): CelType {
  let key: CelType | undefined;
  let value: CelType | undefined;
  let first: readonly [CelType, CelType] | undefined;
  for (const entry of node.entries) {
    const keyType = checkNode(entry.key, state);
    const type = checkNode(entry.value, state);
    const valueType = entry.optional ? unwrapOptional(resolve(type, state.bindings)) : type;
    first ??= [keyType, valueType];
    key = joinElement(key, keyType, { node: entry.key, state, first: first[0] });
    value = joinElement(value, valueType, { node: entry.value, state, first: first[1] });
  }
  return mapType(key ?? freshParameter(state), value ?? freshParameter(state));
}

function checkComprehension(node: NodeOf<"comprehension">, state: State): CelType {
  const range = resolve(checkNode(node.range, state), state.bindings);
  state.scopes.push(variablesOf(node, range, state));
  checkPredicate(node, range, state);
  const transformed = node.transform === undefined ? undefined : checkNode(node.transform, state);
  state.scopes.pop();
  return comprehensionType(node, range, resolve(transformed ?? dynType, state.bindings));
}

/** all and exists join answers with && and ||; the others choose with ?:, and cel-go says so. */
function checkPredicate(node: NodeOf<"comprehension">, range: CelType, state: State): void {
  if (node.predicate === undefined) return;
  if (node.macro === "all" || node.macro === "exists") {
    expectType(node.predicate, boolType, state);
    return;
  }
  const type = checkNode(node.predicate, state);
  if (isAssignable(boolType, type, state.bindings)) return;
  const result = node.macro === "exists_one" ? intType : comprehensionType(node, range, dynType);
  report(state, node.position, noOverload("_?_:_", [type, result, result], false, state));
}

function variablesOf(node: NodeOf<"comprehension">, range: CelType, state: State): ReadonlyMap<string, CelType> {
  const [first = "", second] = node.variables;
  const types = iterationTypes(range);
  if (types === undefined) {
    report(
      state,
      node.range.position,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
  }
  const [key, value] = types ?? [dynType, dynType];
  if (second !== undefined)
    return new Map([
      [first, key],
      [second, value],
    ]);
  return new Map([[first, range.kind === "list" ? value : key]]);
}

function iterationTypes(range: CelType): [CelType, CelType] | undefined {
  if (range.kind === "list") return [intType, range.parameters[0] ?? dynType];
  if (range.kind === "map") return [range.parameters[0] ?? dynType, range.parameters[1] ?? dynType];
  return isDynamic(range) || range.kind === "parameter" ? [dynType, dynType] : undefined;
}

function comprehensionType(node: NodeOf<"comprehension">, range: CelType, transformed: CelType): CelType {
  const [key, value] = iterationTypes(range) ?? [dynType, dynType];
  switch (node.macro) {
    case "all":
    case "exists":
    case "exists_one":
      return boolType;
    case "filter":
    case "sortBy":
      return listType(range.kind === "map" ? key : value);
    case "map":
    case "transformList":
      return listType(transformed);
    case "transformMap":
      return mapType(key, transformed);
    case "transformMapEntry":
      return transformed.kind === "map" ? transformed : mapType(dynType, dynType);
  }
}

function checkOptionalMap(node: NodeOf<"optional-map">, state: State): CelType {
  const target = resolve(checkNode(node.target, state), state.bindings);
  if (target.kind !== "optional" && !isDynamic(target)) {
    report(state, node.position, noOverload(node.flat ? "optFlatMap" : "optMap", [target], true, state));
  }
  state.scopes.push(new Map([[node.variable, unwrapOptional(target)]]));
  const body = checkNode(node.body, state);
  state.scopes.pop();
  return node.flat ? body : optionalType(body);
}
