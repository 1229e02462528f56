/**
 * What an expression costs at most, before it runs: each node by what it does, loops by how large the list or map can be that they
 * go through. Counts as cel-go counts, so that CRDs are accepted and refused as kube-apiserver does it; where cel-go looks up a size
 * at a path that leads nowhere, so does this. Input is a checked tree and the sizes of its schema.
 */
import { type CelType, dynType } from "../cel-type.ts";
import type { Call as CheckedCall, NodeOf } from "../check-state.ts";
import { qualifiedName, typeNames } from "../checker.ts";
import type { Overload } from "../overloads.ts";
import type { Expression, Literal } from "../syntax.ts";
import { type CallCost, callCost, type Operand } from "./function-costs.ts";
import type { SchemaSizes } from "./schema-sizes.ts";
import { exactly, plus, type SizeRange, times, unite, unknownSize } from "./size-range.ts";
import { extend, noPath, pathOfVariable, type ValuePath } from "./value-path.ts";

/** An expression whose types are known. */
export interface CheckedTree {
  readonly tree: Expression;
  readonly typeOf: (node: Expression) => CelType;
  /** The functions that calls may turn out to be. */
  readonly calls: ReadonlyMap<Expression, CheckedCall>;
}

const LIST_CREATION = 10;
const MAP_CREATION = 30;
const OBJECT_CREATION = 40;
const SCALARS = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

/** The most that an expression about `self` (and its old value) can cost. */
export function estimateCost(checked: CheckedTree, sizes: SchemaSizes): number {
  return new Estimator(checked, sizes).cost(checked.tree);
}

/** A name that a macro brings in. */
interface LocalVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
  readonly elementSize: SizeRange | undefined;
}

/** What each macro costs beside its bodies: its first value, each round, and its result. */
const LOOPS: Readonly<
  Record<NodeOf<"comprehension">["macro"], { readonly start: number; readonly round: number; readonly end: number }>
> = {
  all: { start: 0, round: 3, end: 1 },
  exists: { start: 0, round: 4, end: 1 },
  exists_one: { start: 0, round: 2, end: 2 },
  filter: { start: LIST_CREATION, round: 3 + LIST_CREATION, end: 1 },
  map: { start: LIST_CREATION, round: 2 + LIST_CREATION, end: 1 },
  sortBy: { start: LIST_CREATION, round: 2 + LIST_CREATION, end: 1 },
  transformList: { start: LIST_CREATION, round: 2 + LIST_CREATION, end: 1 },
  transformMap: { start: MAP_CREATION, round: 3, end: 1 },
  transformMapEntry: { start: MAP_CREATION, round: 2, end: 1 },
};

/** Walks one tree, remembering what it finds out about sizes and where values come from. */
class Estimator {
  readonly #checked: CheckedTree;
  readonly #root: SchemaSizes;
  readonly #paths = new Map<Expression, ValuePath>();
  readonly #sizes = new Map<Expression, SizeRange>();
  readonly #elementSizes = new Map<Expression, SizeRange>();
  readonly #variables = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedTree, sizes: SchemaSizes) {
    this.#checked = checked;
    this.#root = sizes;
  }

  cost(node: Expression): number {
    switch (node.kind) {
      case "literal":
        return 0;
      case "ident":
        this.#paths.set(node, this.#variable(node.name)?.path ?? pathOfVariable(node.name));
        return 1;
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "comprehension":
        return node.macro === "sortBy" ? this.#sortBy(node) : this.#comprehension(node);
      case "optional-map":
        return this.#optionalMap(node);
    }
  }

  /** Looking into an object or a map costs; asking whether a field is there does not. */
  #select(node: NodeOf<"select">): number {
    const name = qualifiedName(node);
    if (name !== undefined && typeNames.has(name)) return this.#typeName(node, name);
    const operand = this.cost(node.operand);
    if (node.test) return operand;
    if (node.optional) return plus(operand, 1);
    this.#paths.set(node, extend(this.#pathOf(node.operand), node.field));
    const { kind } = this.#checked.typeOf(node.operand);
    return kind === "map" || kind === "object" || kind === "parameter" ? plus(operand, 1) : operand;
  }

  #typeName(node: Expression, name: string): number {
    this.#paths.set(node, pathOfVariable(name));
    return 1;
  }

  #call(node: NodeOf<"call">): number {
    const { name, target, overloads } = this.#checked.calls.get(node) ?? { name: node.name, overloads: [] };
    const args = node.args.map((argument) => ({ cost: this.cost(argument), operand: this.#operand(argument) }));
    const on = target && { cost: this.cost(target), operand: this.#operand(target) };
    const costs = args.map(({ cost }) => cost);
    const sum = [...costs, on?.cost ?? 0].reduce(plus, 0);
    if (name === "dyn") return this.#dyn(node, sum);
    if (name === "_?_:_") return this.#conditional(node, costs);
    if (name === "_&&_" || name === "_||_") return sum;
    const operands = args.map(({ operand }) => operand);
    const found = overloads.map(({ parameters }) =>
      callCost(name, { parameters, target: on?.operand, args: operands }),
    );
    this.#noteResult(node, { name, overloads, found });
    return plus(sum, Math.max(0, ...found.map(({ cost }) => cost)));
  }

  #noteResult(
    node: NodeOf<"call">,
    {
      name,
      overloads,
      found,
    }: { readonly name: string; readonly overloads: readonly Overload[]; readonly found: readonly CallCost[] },
  ): void {
    const [left, right] = node.args;
    if (name === "_+_" && left !== undefined && right !== undefined) {
      this.#note(this.#elementSizes, node, uniteKnown(this.#elementSizeOf(left), this.#elementSizeOf(right)));
    }
    const sizes = found.flatMap(({ size }) => (size === undefined ? [] : [size]));
    const kinds = overloads.map(({ parameters }) => parameters[0]?.kind);
    if (name === "_[_]" && left !== undefined && (kinds.includes("list") || kinds.includes("map"))) {
      this.#paths.set(node, extend(this.#pathOf(left), kinds.includes("map") ? "@values" : "@items"));
      this.#note(this.#sizes, node, this.#elementSizeOf(left) ?? this.#sizeOf(node));
    } else if (sizes.length > 0) this.#note(this.#sizes, node, sizes.reduce(unite));
    else this.#note(this.#sizes, node, this.#sizeOf(node));
  }

  #dyn(node: NodeOf<"call">, cost: number): number {
    const [argument] = node.args;
    if (argument !== undefined) this.#copySizes(node, argument);
    return plus(cost, 1);
  }

  #conditional(node: NodeOf<"call">, [condition = 0, truthy = 0, falsy = 0]: readonly number[]): number {
    const [, left, right] = node.args;
    if (left !== undefined && right !== undefined) {
      this.#sizes.set(node, unite(this.#sizeOf(left) ?? unknownSize, this.#sizeOf(right) ?? unknownSize));
      this.#note(this.#elementSizes, node, uniteKnown(this.#elementSizeOf(left), this.#elementSizeOf(right)));
    }
    return plus(condition, Math.max(truthy, falsy));
  }

  #list(node: NodeOf<"list">): number {
    const sum = node.items.map(({ value }) => this.cost(value)).reduce(plus, 0);
    const sizes = node.items.map(({ value }) => this.#sizeOf(value) ?? unknownSize);
    this.#elementSizes.set(node, sizes.length === 0 ? exactly(0) : sizes.reduce(unite));
    return plus(sum, LIST_CREATION);
  }

  #map(node: NodeOf<"map">): number {
    const values = node.entries.map(({ value }) => this.cost(value)).reduce(plus, 0);
    if (node.message !== undefined) return plus(values, OBJECT_CREATION);
    const keys = node.entries.map(({ key }) => this.cost(key)).reduce(plus, 0);
    const sizes = node.entries.map(({ value }) => this.#sizeOf(value) ?? unknownSize);
    this.#elementSizes.set(node, sizes.length === 0 ? exactly(0) : sizes.reduce(unite));
    return plus(plus(keys, values), MAP_CREATION);
  }

  #comprehension(node: NodeOf<"comprehension">): number {
    const { start, end } = LOOPS[node.macro];
    const range = this.cost(node.range);
    const round = this.#round(node, node.range);
    const count = this.#sizeOf(node.range) ?? unknownSize;
    const isTest = node.macro === "all" || node.macro === "exists" || node.macro === "exists_one";
    this.#sizes.set(node, isTest ? exactly(1) : count);
    return plus(plus(range, start + end), times(count.max, round));
  }

  /** What one round of a loop costs, with its variables in scope. */
  #round(node: NodeOf<"comprehension">, range: Expression): number {
    const variables = this.#iterationVariables(node, range);
    for (const [name, variable] of variables) this.#push(name, variable);
    const bodies = [node.predicate, node.transform].flatMap((body) => (body === undefined ? [] : [this.cost(body)]));
    const makesList = ["map", "transformList", "sortBy"].includes(node.macro);
    if (makesList && node.transform !== undefined) this.#noteElements(node, this.#sizeOf(node.transform));
    if (node.macro === "filter") this.#noteElements(node, this.#variableSize(node, variables[0]?.[1]));
    for (const [name] of variables) this.#pop(name);
    return bodies.reduce(plus, LOOPS[node.macro].round);
  }

  /** A list that grows round by round has elements from nothing to the largest. */
  #noteElements(node: Expression, size: SizeRange | undefined): void {
    this.#elementSizes.set(node, { min: 0, max: (size ?? unknownSize).max });
  }

  #variableSize(node: NodeOf<"comprehension">, variable: LocalVariable | undefined): SizeRange | undefined {
    const [element] = this.#checked.typeOf(node).parameters;
    return this.#sizeAt(variable?.path ?? noPath) ?? sizeOfType(element ?? dynType) ?? variable?.size;
  }

  #iterationVariables(
    { variables: [first = "", second] }: NodeOf<"comprehension">,
    range: Expression,
  ): readonly (readonly [string, LocalVariable])[] {
    const path = this.#pathOf(range);
    const isList = this.#checked.typeOf(range).kind === "list";
    const variable = (step: string, size?: SizeRange): LocalVariable => ({
      path: extend(path, step),
      size,
      elementSize: undefined,
    });
    const size = this.#elementSizeOf(range);
    if (second === undefined) return [[first, isList ? variable("@items", size) : variable("@keys")]];
    return [
      [first, variable(isList ? "@indices" : "@keys")],
      [second, variable(isList ? "@items" : "@values", size)],
    ];
  }

  /** The list gets a name, its keys are mapped, and it is sorted by them. */
  #sortBy(node: NodeOf<"comprehension">): number {
    const { start, end } = LOOPS.sortBy;
    const list = this.cost(node.range);
    const round = this.#round(node, node.range);
    const count = this.#sizeOf(node.range) ?? unknownSize;
    const keys = plus(1 + start + end, times(count.max, round));
    const key = node.transform === undefined ? dynType : this.#checked.typeOf(node.transform);
    const type: CelType = { kind: "list", name: "list", parameters: [key] };
    const operand = { expression: node, type, size: count, isSizeKnown: true, elementSize: unknownSize };
    const { cost, size } = callCost("@sortByAssociatedKeys", { parameters: [], target: operand, args: [operand] });
    this.#note(this.#sizes, node, size);
    return [list, LIST_CREATION, 1, keys, cost].reduce(plus);
  }

  /** `target.hasValue() ? optional.of(body with target.value()) : optional.none()`. */
  #optionalMap(node: NodeOf<"optional-map">): number {
    const asked = plus(this.cost(node.target), 1);
    const [inner = dynType] = this.#checked.typeOf(node.target).parameters;
    this.#push(node.variable, { path: noPath, size: sizeOfType(inner), elementSize: undefined });
    const body = this.cost(node.body);
    const known = sizeOfType(this.#checked.typeOf(node));
    this.#sizes.set(node, known ?? unknownSize);
    this.#pop(node.variable);
    return [asked, LIST_CREATION, asked, body, node.flat ? 0 : 1].reduce(plus);
  }

  #operand(expression: Expression): Operand {
    const size = this.#sizeOf(expression);
    const type = this.#checked.typeOf(expression);
    const path = this.#pathOf(expression);
    const elements = extend({ ...path, memory: [...path.memory] }, "@items");
    const elementSize = (path.length > 0 ? this.#sizeAt(elements) : undefined) ?? unknownSize;
    return { expression, type, size: size ?? unknownSize, isSizeKnown: size !== undefined, elementSize };
  }

  #sizeOf(node: Expression): SizeRange | undefined {
    const known = this.#sizes.get(node) ?? sizeAsWritten(node);
    if (known !== undefined) return known;
    const atPath = this.#sizeAt(this.#pathOf(node));
    this.#note(this.#sizes, node, atPath);
    return (
      atPath ??
      sizeOfType(this.#checked.typeOf(node)) ??
      (node.kind === "ident" ? this.#variable(node.name)?.size : undefined)
    );
  }

  #elementSizeOf(node: Expression): SizeRange | undefined {
    return this.#elementSizes.get(node) ?? (node.kind === "ident" ? this.#variable(node.name)?.elementSize : undefined);
  }

  #pathOf(node: Expression): ValuePath {
    const variable = node.kind === "ident" ? this.#variable(node.name) : undefined;
    return variable?.path ?? this.#paths.get(node) ?? noPath;
  }

  /** The size at a path of the schema. The first name is the variable's, whichever it is. */
  #sizeAt({ memory, length }: ValuePath): SizeRange | undefined {
    if (length === 0) return undefined;
    let place: SchemaSizes | undefined = this.#root;
    for (const name of memory.slice(1, length)) {
      if (name === "@items" || name === "@values") place = place?.elements;
      else if (name === "@keys") place = place?.keys;
      else place = place?.fields?.get(name ?? "");
    }
    return place && { min: 0, max: place.elementsMax };
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#note(this.#sizes, to, this.#sizeOf(from));
    this.#note(this.#elementSizes, to, this.#elementSizeOf(from));
  }

  #note(map: Map<Expression, SizeRange>, node: Expression, size: SizeRange | undefined): void {
    if (size !== undefined) map.set(node, size);
  }

  #variable(name: string): LocalVariable | undefined {
    return this.#variables.get(name)?.at(-1);
  }

  #push(name: string, variable: LocalVariable): void {
    this.#variables.set(name, [...(this.#variables.get(name) ?? []), variable]);
  }

  #pop(name: string): void {
    this.#variables.get(name)?.pop();
  }
}

function uniteKnown(left: SizeRange | undefined, right: SizeRange | undefined): SizeRange | undefined {
  return left && right && unite(left, right);
}

/** The size of a literal, as it stands there. */
function sizeAsWritten(node: Expression): SizeRange | undefined {
  if (node.kind === "literal") return exactly(literalSize(node.literal));
  if (node.kind === "list") return exactly(node.items.length);
  return node.kind === "map" && node.message === undefined ? exactly(node.entries.length) : undefined;
}

function literalSize(literal: Literal): number {
  if (literal.type === "string") return Array.from(literal.value).length;
  return literal.type === "bytes" ? literal.value.byteLength : 1;
}

/** Numbers, booleans and times have size one, and so have optional ones. */
function sizeOfType(type: CelType): SizeRange | undefined {
  if (type.kind === "optional") return sizeOfType(type.parameters[0] ?? dynType);
  return SCALARS.has(type.name) ? exactly(1) : undefined;
}
