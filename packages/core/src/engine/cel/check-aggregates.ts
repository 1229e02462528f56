/** The types of list and map literals, whose elements should have one type. Called by checker.ts. */
import { type CelType, dynType, formatType, isAssignable, listType, mapType, resolve, stringType } from "./cel-type.ts";
import { type CheckState, type NodeOf, unwrapOptional } from "./check-state.ts";
import type { Expression } from "./syntax.ts";

/** Checks a list literal. */
export function checkList(node: NodeOf<"list">, state: CheckState): CelType {
  let element: CelType | undefined;
  let first: CelType | undefined;
  for (const { value, optional } of node.items) {
    const checked = state.check(value);
    const type = optional ? unwrapOptional(resolve(checked, state.bindings)) : checked;
    first ??= type;
    element = joinElement(element, type, { node: value, state, first });
  }
  return listType(element ?? freshParameter(state));
}

function freshParameter(state: CheckState): CelType {
  state.fresh += 1;
  return { kind: "parameter", name: `_${state.fresh}`, parameters: [] };
}

/** Elements of a literal have one type; otherwise it is dyn to the rest of the expression. */
function joinElement(
  known: CelType | undefined,
  type: CelType,
  at: { readonly node: Expression; readonly state: CheckState; readonly first: CelType },
): CelType {
  if (known === undefined) return type;
  const fits = isAssignable(at.first, type, at.state.bindings);
  const [expected, found] = [at.first, type].map((each) => formatType(resolve(each, at.state.bindings)));
  if (fits && expected === found) return known;
  if (at.state.formatDepth === 0) {
    at.state.late.push({ position: at.node.position, message: `expected type '${expected}' but found '${found}'` });
  }
  return dynType;
}

/** Checks a map literal. */
export function checkMap(node: NodeOf<"map">, state: CheckState): CelType {
  if (node.message !== undefined) {
    for (const entry of node.entries) state.check(entry.value);
    return mapType(stringType, dynType);
  }
  let key: CelType | undefined;
  let value: CelType | undefined;
  let first: readonly [CelType, CelType] | undefined;
  for (const entry of node.entries) {
    const keyType = state.check(entry.key);
    const type = state.check(entry.value);
    const valueType = entry.optional ? unwrapOptional(resolve(type, state.bindings)) : type;
    first ??= [keyType, valueType];
    key = joinElement(key, keyType, { node: entry.key, state, first: first[0] });
    value = joinElement(value, valueType, { node: entry.value, state, first: first[1] });
  }
  return mapType(key ?? freshParameter(state), value ?? freshParameter(state));
}
