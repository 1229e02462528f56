/** Which overloads of a function fit the static types of a call, and what type the call then has. Called by checker.ts. */
import { type CelType, dynType, formatType, isAssignable, resolve, undoBindings } from "./cel-type.ts";
import { type Call, type CheckState, type NodeOf, report, undeclared } from "./check-state.ts";
import { checkFormat } from "./format-check.ts";
import type { Overload } from "./overloads.ts";

/** Checks a call of a function, or of a method when there is a target. */
export function checkOverloads(
  node: NodeOf<"call">,
  { name, target }: Pick<Call, "name" | "target">,
  state: CheckState,
): CelType {
  const operands = target === undefined ? node.args : [target, ...node.args];
  const isFormat = target !== undefined && name === "format";
  state.formatDepth += isFormat ? 1 : 0;
  const types = operands.map((operand) => state.check(operand));
  state.formatDepth -= isFormat ? 1 : 0;
  if (isFormat)
    state.late.push(...checkFormat(node, target, (item) => resolve(state.types.get(item) ?? dynType, state.bindings)));
  const overloads = state.declarations.functions.get(name);
  if (overloads === undefined) return report(state, node.position, undeclared(name));
  const candidates = overloads.filter(
    (overload) => overload.member === (target !== undefined) && overload.parameters.length === types.length,
  );
  const { result, fitting } = fit(candidates, types, state);
  state.calls.set(node, { name, ...(target === undefined ? {} : { target }), overloads: fitting });
  return result ?? report(state, node.position, noOverload(name, types, target !== undefined, state));
}

interface Fit {
  /** The common result of all overloads that fit; dyn when they disagree, undefined when there are none. */
  readonly result: CelType | undefined;
  readonly fitting: readonly Overload[];
}

function fit(candidates: readonly Overload[], types: readonly CelType[], state: CheckState): Fit {
  let result: CelType | undefined;
  const fitting: Overload[] = [];
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
    fitting.push(candidate);
    result = result === undefined || formatType(result) === formatType(found) ? (result ?? found) : dynType;
  }
  return { result, fitting };
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
