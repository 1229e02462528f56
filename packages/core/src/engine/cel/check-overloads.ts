/** Which overloads of a function fit the static types of a call, and what type the call then has. Called by checker.ts. */
import { type CelType, dynType, formatType, isAssignable, resolve, undoBindings } from "./cel-type.ts";
import { type CheckState, type NodeOf, report, undeclared } from "./check-state.ts";
import { checkFormat } from "./format-check.ts";
import type { Overload } from "./overloads.ts";
import type { Expression } from "./syntax.ts";

/** Checks a call of a function, or of a method when there is a target. */
export function checkOverloads(node: NodeOf<"call">, target: Expression | undefined, state: CheckState): CelType {
  const operands = target === undefined ? node.args : [target, ...node.args];
  const isFormat = target !== undefined && node.name === "format";
  state.formatDepth += isFormat ? 1 : 0;
  const types = operands.map((operand) => state.check(operand));
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
function resultOf(candidates: readonly Overload[], types: readonly CelType[], state: CheckState): CelType | undefined {
  let result: CelType | undefined;
  for (const candidate of candidates) {
    const before = state.bindings.trail.length;
    const { parameters, result: declared } = instantiate(candidate, state);
    const fits = parameters.every((parameter, index) =>
      isAssignable(parameter, types[index] ?? dynType, state.bindings),
    );
    const found = fits ? resolve(declared, state.bindings) : undefined;
    // Only what the first fitting overload bound stays bound.
    if (found === undefined || result !== undefined) undoBindings(state.bindings, before);
    if (found === undefined) continue;
    if (result !== undefined && formatType(result) !== formatType(found)) return dynType;
    result ??= found;
  }
  return result;
}

/** The overload with type parameters of its own. */
function instantiate(overload: Overload, state: CheckState): { parameters: readonly CelType[]; result: CelType } {
  state.fresh += 1;
  const rename = (type: CelType): CelType =>
    type.kind === "parameter"
      ? { ...type, name: `${type.name}${state.fresh}` }
      : type.parameters.length === 0
        ? type
        : { ...type, parameters: type.parameters.map(rename) };
  return { parameters: overload.parameters.map(rename), result: rename(overload.result) };
}

/** The text for types that no overload takes. */
export function noOverload(name: string, types: readonly CelType[], member: boolean, state: CheckState): string {
  const texts = types.map((type) => formatType(resolve(type, state.bindings)));
  const shown = member ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
  return `found no matching overload for '${name}' applied to '${shown}'`;
}
