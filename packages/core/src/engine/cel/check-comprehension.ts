/** The types of macros that bind names: comprehensions, optMap and optFlatMap. Called by checker.ts. */
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isAssignable,
  isDynamic,
  listType,
  mapType,
  optionalType,
  resolve,
} from "./cel-type.ts";
import { noOverload } from "./check-overloads.ts";
import { type CheckState, expectType, type NodeOf, report, unwrapOptional } from "./check-state.ts";

/** Checks a comprehension. */
export function checkComprehension(node: NodeOf<"comprehension">, state: CheckState): CelType {
  const range = resolve(state.check(node.range), state.bindings);
  state.scopes.push(variablesOf(node, range, state));
  const transformed = node.transform === undefined ? dynType : resolve(state.check(node.transform), state.bindings);
  const type = comprehensionType(node, range, transformed);
  checkPredicate(node, type, state);
  state.scopes.pop();
  return type;
}

/** all and exists join answers with && and ||; the others choose with ?:, and cel-go says so. */
function checkPredicate(node: NodeOf<"comprehension">, result: CelType, state: CheckState): void {
  if (node.predicate === undefined) return;
  if (node.macro === "all" || node.macro === "exists") {
    expectType(node.predicate, boolType, state);
    return;
  }
  const type = state.check(node.predicate);
  if (isAssignable(boolType, type, state.bindings)) return;
  const chosen = node.macro === "exists_one" ? intType : result;
  report(state, node.position, noOverload("_?_:_", [type, chosen, chosen], false, state));
}

function variablesOf(node: NodeOf<"comprehension">, range: CelType, state: CheckState): ReadonlyMap<string, CelType> {
  const [first = "", second] = node.variables;
  const types = iterationTypes(range);
  if (types === undefined) {
    report(
      state,
      node.range.position,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
  }
  const [key, value] = types ?? [errorType, errorType];
  if (second === undefined) return new Map([[first, range.kind === "list" ? value : key]]);
  return new Map([
    [first, key],
    [second, value],
  ]);
}

function iterationTypes(range: CelType): [CelType, CelType] | undefined {
  if (range.kind === "list") return [intType, range.parameters[0] ?? dynType];
  if (range.kind === "map") return [range.parameters[0] ?? dynType, range.parameters[1] ?? dynType];
  return isDynamic(range) || range.kind === "parameter" ? [dynType, dynType] : undefined;
}

function comprehensionType(node: NodeOf<"comprehension">, range: CelType, transformed: CelType): CelType {
  const [key, value] = iterationTypes(range) ?? [errorType, errorType];
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

/** Checks optMap and optFlatMap. */
export function checkOptionalMap(node: NodeOf<"optional-map">, state: CheckState): CelType {
  const target = resolve(state.check(node.target), state.bindings);
  if (target.kind !== "optional" && !isDynamic(target)) {
    report(state, node.position, noOverload("hasValue", [target], true, state));
  }
  state.scopes.push(new Map([[node.variable, unwrapOptional(target)]]));
  const body = state.check(node.body);
  state.scopes.pop();
  return node.flat ? body : optionalType(body);
}
