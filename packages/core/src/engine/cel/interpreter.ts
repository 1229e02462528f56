/**
 * The interpreter: turns a checked tree into nested functions once, which then run for every object. Every step spends on
 * a meter; errors are exceptions, which `&&`, `||` and the quantifiers may forgive as the language says.
 */
import { CelError, noSuchOverload } from "./cel-error.ts";
import { qualifiedName, typeNames } from "./checker.ts";
import { compileComprehension } from "./comprehension.ts";
import type { Frame, Scope, Step } from "./frame.ts";
import { accepts, type FunctionTable, type Overload } from "./overloads.ts";
import { selectField, testField } from "./selection.ts";
import type { Expression, Literal } from "./syntax.ts";
import { isKind, listOf, mapOf, optionalNone, optionalOf, typeNameOf, type Value } from "./values.ts";

/** Makes an expression runnable. */
export function compileSteps(expression: Expression, functions: FunctionTable): Step {
  return compileNode(expression, { functions, slots: new Map(), slotCount: 0 });
}

type NodeOf<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

function compileNode(node: Expression, scope: Scope): Step {
  switch (node.kind) {
    case "literal": {
      const value = literalValue(node.literal);
      return () => value;
    }
    case "ident":
      return compileName(node.name, scope);
    case "select":
      return compileSelect(node, scope);
    case "call":
      return compileCall(node, scope);
    case "list":
      return compileList(node, scope);
    case "map":
      return compileMap(node, scope);
    case "comprehension":
      return compileComprehension(node, scope, compileNode);
    case "optional-map":
      return compileOptionalMap(node, scope);
  }
}

function literalValue(literal: Literal): Value {
  if (literal.type === "null") return null;
  return literal.type === "uint" ? { kind: "uint", value: literal.value } : literal.value;
}

function compileName(name: string, scope: Scope): Step {
  const slot = scope.slots.get(name);
  if (slot !== undefined) {
    return (frame) => {
      frame.meter.spend(1);
      return frame.slots[slot] as Value;
    };
  }
  const type: Value | undefined = typeNames.has(name) ? { kind: "type", name } : undefined;
  return (frame) => {
    frame.meter.spend(1);
    const given = frame.variables(name);
    const value = given === undefined ? type : given; // Null is a value, too.
    if (value === undefined) throw new CelError(`no such attribute(s): ${name}`);
    return value;
  };
}

function compileSelect(node: NodeOf<"select">, scope: Scope): Step {
  const qualified = qualifiedName(node);
  if (qualified !== undefined && typeNames.has(qualified)) return () => ({ kind: "type", name: qualified });
  const operand = compileNode(node.operand, scope);
  const { field, optional } = node;
  if (node.test) return (frame) => testField(operand(frame), field);
  return (frame) => {
    const target = operand(frame);
    frame.meter.spend(1);
    return selectField(target, field, optional);
  };
}

function compileCall(node: NodeOf<"call">, scope: Scope): Step {
  const namespace = node.target === undefined ? undefined : qualifiedName(node.target);
  const qualified = namespace === undefined ? undefined : `${namespace}.${node.name}`;
  const isFunction = qualified !== undefined && scope.functions.has(qualified);
  const target = isFunction ? undefined : node.target;
  const operands = [...(target === undefined ? [] : [target]), ...node.args].map((operand) =>
    compileNode(operand, scope),
  );
  const [first, second, third] = operands;
  if (first !== undefined && second !== undefined) {
    if (node.name === "_&&_") return shortCircuit(first, second, false);
    if (node.name === "_||_") return shortCircuit(first, second, true);
    if (node.name === "_?_:_" && third !== undefined) return conditional(first, second, third);
    if (node.target !== undefined && node.name === "or") return orElse(first, second, false);
    if (node.target !== undefined && node.name === "orValue") return orElse(first, second, true);
  }
  const overloads = (scope.functions.get(isFunction ? qualified : node.name) ?? []).filter(
    (overload) => overload.member === (target !== undefined) && overload.parameters.length === operands.length,
  );
  const called = { name: isFunction ? qualified : node.name, overloads };
  return (frame) => {
    const args = operands.map((operand) => operand(frame));
    return callOverload(called, args, frame);
  };
}

/** `&&` and `||`: the deciding value wins on either side, even over an error on the other; of two errors, the first. */
function shortCircuit(left: Step, right: Step, deciding: boolean): Step {
  return (frame) => {
    const first = attempt(left, frame);
    if (first === deciding) return deciding;
    const second = attempt(right, frame);
    if (second === deciding) return deciding;
    if (first instanceof CelError) throw first;
    if (second instanceof CelError) throw second;
    return !deciding;
  };
}

function attempt(step: Step, frame: Frame): boolean | CelError {
  try {
    const value = step(frame);
    return typeof value === "boolean" ? value : noSuchOverload();
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

function conditional(condition: Step, truthy: Step, falsy: Step): Step {
  return (frame) => {
    const value = condition(frame);
    if (typeof value !== "boolean") throw noSuchOverload();
    return value ? truthy(frame) : falsy(frame);
  };
}

/** `or` and `orValue`; a value that is no optional stands for itself. */
function orElse(optional: Step, alternative: Step, unwrap: boolean): Step {
  return (frame) => {
    const value = optional(frame);
    frame.meter.spend(1);
    if (!isKind(value, "optional")) return value;
    if (value.value === undefined) return alternative(frame);
    return unwrap ? value.value : value;
  };
}

/** Results of at most this many characters or elements cost nothing beyond the call. */
const freeSize = 1000;

interface Called {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

function callOverload({ name, overloads }: Called, args: readonly Value[], frame: Frame): Value {
  const overload = overloads.find(({ parameters }) =>
    parameters.every((parameter, index) => accepts(parameter, args[index] as Value)),
  );
  if (overload === undefined) throw mismatch(name, args);
  if (overload.cost === undefined) frame.meter.spend(1);
  // Charged before as well as after: what a call is about to do must not exceed the limit either.
  else frame.meter.spend(overload.cost(args, ""));
  const result = overload.run(args, frame);
  const size = typeof result === "string" ? result.length : isKind(result, "list") ? result.size : 0;
  if (size > freeSize) frame.meter.spend(Math.floor(size / freeSize));
  return result;
}

/** Indexing what cannot be indexed has words of its own. */
function mismatch(name: string, args: readonly Value[]): CelError {
  const [target = null, key = null] = args;
  if (name !== "_[_]" || isKind(target, "map")) return noSuchOverload(name, args.map(typeNameOf));
  if (isKind(target, "list")) return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
  return new CelError(`no such key: ${isKind(key, "uint") ? key.value : String(key)}`);
}

function compileList(node: NodeOf<"list">, scope: Scope): Step {
  const items = node.items.map(({ value, optional }) => ({ step: compileNode(value, scope), optional }));
  const constant = node.items.every(({ value }) => value.kind === "literal");
  return (frame) => {
    frame.meter.spend(constant ? 0 : 10);
    frame.meter.work(items.length);
    return listOf(items.flatMap(({ step, optional }) => present(step(frame), optional)));
  };
}

function present(value: Value, optional: boolean): Value[] {
  if (!optional) return [value];
  if (!isKind(value, "optional")) throw noSuchOverload();
  return value.value === undefined ? [] : [value.value];
}

function compileMap(node: NodeOf<"map">, scope: Scope): Step {
  const entries = node.entries.map(({ key, value, optional }) => ({
    key: compileNode(key, scope),
    value: compileNode(value, scope),
    optional,
  }));
  return (frame) => {
    frame.meter.spend(30);
    return mapOf(
      entries.flatMap(({ key, value, optional }) => {
        const name = key(frame);
        return present(value(frame), optional).map((each) => [name, each] as const);
      }),
    );
  };
}

function compileOptionalMap(node: NodeOf<"optional-map">, scope: Scope): Step {
  const target = compileNode(node.target, scope);
  const slot = scope.slotCount;
  const slots = new Map(scope.slots).set(node.variable, slot);
  const body = compileNode(node.body, { ...scope, slots, slotCount: slot + 1 });
  return (frame) => {
    const value = target(frame);
    if (!isKind(value, "optional")) throw noSuchOverload();
    if (value.value === undefined) return optionalNone;
    frame.slots[slot] = value.value;
    const result = body(frame);
    return node.flat ? result : optionalOf(result);
  };
}
