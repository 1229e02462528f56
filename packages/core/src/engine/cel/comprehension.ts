/**
 * The quantifiers and transformations: all, exists, exists_one, filter, map, transformList, transformMap and
 * transformMapEntry, over lists and maps, with one or two variables. Each round spends what cel-go's expansion would.
 */
import { CelError, noSuchOverload } from "./cel-error.ts";
import type { Frame, Scope, Step } from "./frame.ts";
import type { Expression } from "./syntax.ts";
import { compare } from "./value-order.ts";
import { isKind, listOf, mapOf, typeNameOf, type Value } from "./values.ts";

type Node = Extract<Expression, { readonly kind: "comprehension" }>;

interface Loop {
  readonly range: Step;
  readonly predicate: Step | undefined;
  readonly transform: Step | undefined;
  readonly slot: number;
  readonly pairs: boolean;
}

/** Makes a comprehension runnable; `compile` does so for the expressions inside of it. */
export function compileComprehension(
  node: Node,
  scope: Scope,
  compile: (node: Expression, scope: Scope) => Step,
): Step {
  const slot = scope.slotCount;
  const slots = new Map(scope.slots);
  for (const [offset, name] of node.variables.entries()) slots.set(name, slot + offset);
  const inner: Scope = { ...scope, slots, slotCount: slot + 2 };
  const loop: Loop = {
    range: compile(node.range, scope),
    predicate: node.predicate && compile(node.predicate, inner),
    transform: node.transform && compile(node.transform, inner),
    slot,
    pairs: node.variables.length === 2,
  };
  switch (node.macro) {
    case "all":
      return quantify(loop, false);
    case "exists":
      return quantify(loop, true);
    case "exists_one":
      return existsOne(loop);
    case "filter":
    case "map":
    case "transformList":
      return collect(loop);
    case "sortBy":
      return sortBy(loop);
    case "transformMap":
      return collectMap(loop, false);
    case "transformMapEntry":
      return collectMap(loop, true);
  }
}

/** Runs `visit` for each element until it answers true. */
function eachRound(loop: Loop, frame: Frame, visit: (key: Value, subject: Value) => boolean): void {
  const range = loop.range(frame);
  const list = isKind(range, "list") ? range : undefined;
  const map = isKind(range, "map") ? range : undefined;
  if (list === undefined && map === undefined) throw notIterable(range);
  const keys = map?.keys() ?? [];
  const size = list?.size ?? keys.length;
  for (let index = 0; index < size; index += 1) {
    frame.meter.spend(1);
    const key = list === undefined ? (keys[index] as Value) : BigInt(index);
    const value = list === undefined ? (map?.get(key) ?? null) : list.at(index);
    // With one variable, it is the element of a list but the key of a map.
    const subject = list === undefined ? key : value;
    frame.slots[loop.slot] = loop.pairs ? key : subject;
    if (loop.pairs) frame.slots[loop.slot + 1] = value;
    if (visit(key, subject)) return;
  }
}

/** cel-go names its own type of the value. */
function notIterable(value: Value): CelError {
  const name = typeNameOf(value).replace("null_type", "null").replace(/^.*\./, "");
  return new CelError(`got 'types.${name.charAt(0).toUpperCase()}${name.slice(1)}', expected iterable type`);
}

/** all and exists: the first deciding answer ends it; errors count only when nothing decides. */
function quantify(loop: Loop, deciding: boolean): Step {
  return (frame) => {
    let failure: unknown;
    let decided = false;
    eachRound(loop, frame, () => {
      frame.meter.spend(2);
      try {
        const answer = loop.predicate?.(frame);
        if (typeof answer !== "boolean") throw noSuchOverload();
        decided = answer === deciding;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        failure ??= error;
      }
      return decided;
    });
    if (decided) return deciding;
    if (failure !== undefined) throw failure;
    return !deciding;
  };
}

function passes(loop: Loop, frame: Frame): boolean {
  if (loop.predicate === undefined) return true;
  const answer = loop.predicate(frame);
  if (typeof answer !== "boolean") throw noSuchOverload();
  return answer;
}

function existsOne(loop: Loop): Step {
  return (frame) => {
    let count = 0;
    eachRound(loop, frame, () => {
      if (passes(loop, frame)) count += 1;
      return false;
    });
    return count === 1;
  };
}

function collect(loop: Loop): Step {
  return (frame) => {
    const results: Value[] = [];
    eachRound(loop, frame, (_, subject) => {
      if (!passes(loop, frame)) return false;
      frame.meter.spend(11);
      results.push(loop.transform === undefined ? subject : loop.transform(frame));
      return false;
    });
    return listOf(results);
  };
}

function collectMap(loop: Loop, entries: boolean): Step {
  return (frame) => {
    const results: (readonly [Value, Value])[] = [];
    eachRound(loop, frame, (key) => {
      if (!passes(loop, frame)) return false;
      frame.meter.spend(2);
      const value = loop.transform?.(frame) ?? null;
      if (!entries) results.push([key, value]);
      else if (isKind(value, "map"))
        results.push(...value.keys().map((name) => [name, value.get(name) ?? null] as const));
      else throw noSuchOverload();
      return false;
    });
    return mapOf(results);
  };
}

function sortBy(loop: Loop): Step {
  return (frame) => {
    const keyed: { readonly key: Value; readonly value: Value }[] = [];
    eachRound(loop, frame, (_, value) => {
      frame.meter.spend(11);
      keyed.push({ key: loop.transform?.(frame) ?? null, value });
      return false;
    });
    frame.meter.spend(Math.ceil(keyed.length * Math.log2(keyed.length + 2)));
    return listOf(keyed.sort((left, right) => orderOf(left.key, right.key)).map(({ value }) => value));
  };
}

function orderOf(left: Value, right: Value): number {
  const order = compare(left, right);
  if (order === undefined) throw noSuchOverload();
  return order;
}
