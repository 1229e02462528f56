/**
 * The type checker: finds names, fields and overloads that do not exist before an expression ever runs, with cel-go's
 * words. compile.ts calls it between parser and interpreter; CRD validation shows what it finds.
 */

import {
  boolType,
  bytesType,
  type CelType,
  createBindings,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
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
import { checkList, checkMap } from "./check-aggregates.ts";
import { checkComprehension, checkOptionalMap } from "./check-comprehension.ts";
import { checkOverloads } from "./check-overloads.ts";
import {
  type Call,
  type CheckState,
  type Declarations,
  expectType,
  type NodeOf,
  report,
  undeclared,
  unwrapOptional,
} from "./check-state.ts";
import type { CelIssue } from "./issues.ts";
import type { Expression, Literal } from "./syntax.ts";

/** What checking found. */
export interface Checked {
  readonly type: CelType;
  readonly issues: readonly CelIssue[];
  readonly typeOf: (node: Expression) => CelType;
  readonly calls: ReadonlyMap<Expression, Call>;
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
  const state: CheckState = {
    declarations,
    check: (node) => checkNode(node, state),
    issues: [],
    late: [],
    types: new Map(),
    calls: new Map(),
    formatDepth: 0,
    bindings: createBindings(),
    fresh: 0,
    scopes: [],
  };
  const type = resolve(state.check(expression), state.bindings, true);
  const typeOf = (node: Expression): CelType => resolve(state.types.get(node) ?? dynType, state.bindings);
  return { type, issues: state.issues.length > 0 ? state.issues : state.late, typeOf, calls: state.calls };
}

function checkNode(node: Expression, state: CheckState): CelType {
  const type = typeOfNode(node, state);
  state.types.set(node, type);
  return type;
}

function typeOfNode(node: Expression, state: CheckState): CelType {
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

function checkName(name: string, state: CheckState): CelType | undefined {
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

function checkSelect(node: NodeOf<"select">, state: CheckState): CelType {
  const qualified = qualifiedName(node);
  const named = qualified === undefined ? undefined : typeNames.get(qualified);
  if (named !== undefined) return typeType(named);
  const operand = resolve(state.check(node.operand), state.bindings);
  const inner = operand.kind === "optional" ? (operand.parameters[0] ?? dynType) : operand;
  const field = fieldType(node, inner, state);
  if (node.test) return boolType;
  return node.optional || operand.kind === "optional" ? optionalType(unwrapOptional(field)) : field;
}

function fieldType(node: NodeOf<"select">, operand: CelType, state: CheckState): CelType {
  if (operand.kind === "map") return operand.parameters[1] ?? dynType;
  if (isDynamic(operand) || operand.kind === "parameter") return dynType;
  if (operand.kind === "object") {
    return operand.fields?.get(node.field) ?? report(state, node.position, `undefined field '${node.field}'`);
  }
  report(state, node.position, `type '${formatType(operand)}' does not support field selection`);
  return dynType;
}

function checkCall(node: NodeOf<"call">, state: CheckState): CelType {
  const { functions } = state.declarations;
  if (node.name === "_&&_" || node.name === "_||_") return checkLogic(node, state);
  if (node.target === undefined) return checkOverloads(node, { name: node.name }, state);
  const namespace = qualifiedName(node.target);
  const qualified = namespace === undefined ? undefined : `${namespace}.${node.name}`;
  if (qualified !== undefined && functions.has(qualified)) {
    return checkOverloads(node, { name: qualified }, state);
  }
  return checkOverloads(node, { name: node.name, target: node.target }, state);
}

function checkLogic(node: NodeOf<"call">, state: CheckState): CelType {
  for (const argument of node.args) expectType(argument, boolType, state);
  state.calls.set(node, { name: node.name, overloads: state.declarations.functions.get(node.name) ?? [] });
  return boolType;
}
