/**
 * What calls of functions cost at most, by the sizes of their arguments: the estimates of cel-go and Kubernetes, which decide
 * together with estimate-cost.ts which rules a CRD may have. Functions that are not here cost one unit.
 */
import type { CelType } from "../cel-type.ts";
import type { Expression } from "../syntax.ts";
import {
  addRanges,
  exactly,
  multiplyRanges,
  plus,
  type SizeRange,
  scaled,
  times,
  UNBOUNDED,
  unite,
  unknownSize,
} from "./size-range.ts";

/** A target or an argument of a call. */
export interface Operand {
  readonly expression: Expression;
  readonly type: CelType;
  readonly size: SizeRange;
  /** False when `size` says nothing. */
  readonly isSizeKnown: boolean;
  /** The size of the elements, when it is a list. */
  readonly elementSize: SizeRange;
}

/** What a call costs beside its arguments, and how large its result is when that is known. */
export interface CallCost {
  readonly cost: number;
  readonly size?: SizeRange;
}

/** A call, with the parameters of the overload that it is. */
export interface Call {
  readonly parameters: readonly CelType[];
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

type Estimate = (call: Call) => CallCost | undefined;

const TRAVERSAL = 0.1;
const REGEX = 0.25;
const LIST_CREATION = 10;
const NAME_REGEX_CHARACTERS = 128;
const FORMAT_CHARACTERS_MAX = 64;
/** Bytes of an address. */
const ADDRESS: SizeRange = { min: 4, max: 16 };

const nominal: Estimate = () => ({ cost: 1 });

/** Goes through the text that the function is called on, or through its first argument. */
function traverse(operand: (call: Call) => Operand | undefined, rounds = 1): Estimate {
  return (call) => {
    const text = operand(call);
    return text && { cost: scaled(text.size.max, rounds * TRAVERSAL) };
  };
}

const ofTarget = ({ target }: Call): Operand | undefined => target;
const ofFirst = ({ args }: Call): Operand | undefined => args[0];

/** Like `traverse`, for functions whose result is as large as what they go through. */
function rewrite(operand: (call: Call) => Operand | undefined): Estimate {
  return (call) => {
    const text = operand(call);
    return text && { cost: scaled(text.size.max, TRAVERSAL), size: text.size };
  };
}

function traverseElements({ target }: Call): CallCost | undefined {
  if (target === undefined) return undefined;
  const [element] = target.type.parameters;
  if (element === undefined) return { cost: scaled(target.size.max, TRAVERSAL) };
  const isText = element.name === "string" || element.name === "bytes";
  const each = isText ? plus(1, scaled(target.elementSize.max, TRAVERSAL)) : 1;
  return { cost: times(target.size.max, each) };
}

function replace({ target, args }: Call): CallCost | undefined {
  const [from, to] = args;
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const size = { min: shortest(target.size, from.size, to.size), max: longest(target.size, from.size, to.size) };
  return { cost: scaled(target.size.max, 2 * TRAVERSAL), size };
}

/** The longest result: the shortest pieces become the longest; an empty one stands between all characters. */
function longest(text: SizeRange, from: SizeRange, to: SizeRange): number {
  if (from.min === 0) return plus(times(plus(text.max, 1), to.max), text.max);
  return to.max <= from.min ? text.max : times(Math.ceil(text.max / from.min), to.max);
}

function shortest(text: SizeRange, from: SizeRange, to: SizeRange): number {
  if (from.max === 0) return plus(times(plus(text.min, 1), to.min), text.min);
  return from.max <= to.min ? text.min : times(Math.ceil(text.min / from.max), to.min);
}

function split({ target, args }: Call): CallCost | undefined {
  if (target === undefined) return undefined;
  const max = args[1] === undefined ? target.size.max : wholeNumber(args[1], target.size.max);
  return { cost: scaled(target.size.max, 2 * TRAVERSAL), size: { min: 0, max } };
}

/** The value of an integer literal; a negative one is a large number to cel-go. */
function wholeNumber({ expression }: Operand, otherwise: number): number {
  if (expression.kind !== "literal" || expression.literal.type !== "int") return otherwise;
  return Number(BigInt.asUintN(64, expression.literal.value));
}

function join({ target, args }: Call): CallCost | undefined {
  if (target === undefined) return undefined;
  const [separator] = args;
  const texts = multiplyRanges(target.size, target.elementSize);
  const gaps = { min: Math.max(0, target.size.min - 1), max: Math.max(0, target.size.max - 1) };
  const size = separator === undefined ? texts : addRanges(texts, multiplyRanges(separator.size, gaps));
  return { cost: scaled(size.max, TRAVERSAL), size };
}

function matches({ target, args }: Call): CallCost | undefined {
  const [pattern] = args;
  if (target === undefined || pattern === undefined) return undefined;
  return { cost: times(scaled(plus(target.size.max, 1), TRAVERSAL), scaled(pattern.size.max, REGEX)) };
}

function find(call: Call): CallCost | undefined {
  const found = matches(call);
  return found && { ...found, size: { min: 0, max: call.target?.size.max ?? UNBOUNDED } };
}

function contains({ target, args }: Call): CallCost | undefined {
  const [piece] = args;
  if (target === undefined || piece === undefined) return undefined;
  return { cost: times(scaled(target.size.max, TRAVERSAL), scaled(piece.size.max, TRAVERSAL)) };
}

/** Whether an address or a range is inside of another; given as a text, it is read first. */
function containsAddress(comparing: number): Estimate {
  return ({ args: [other] }) => {
    if (other === undefined) return undefined;
    const reading = other.type.name === "string" ? scaled(other.size.max, TRAVERSAL) : 0;
    return { cost: plus(comparing, reading) };
  };
}

function validateFormat({ args: [text] }: Call): CallCost | undefined {
  return text && { cost: scaled(scaled(text.size.max, TRAVERSAL), NAME_REGEX_CHARACTERS * REGEX) };
}

function newList(factor: number, size: SizeRange): CallCost {
  return { cost: plus(scaled(size.max, factor), 1 + LIST_CREATION), size };
}

function slice({ target, args: [start, end] }: Call): CallCost | undefined {
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const size = wholeNumber(end, target.size.max) - wholeNumber(start, 0);
  return newList(1, exactly(size < 0 ? UNBOUNDED + size : size));
}

function flatten({ target, args: [depth] }: Call): CallCost | undefined {
  return target && newList(depth === undefined ? 1 : wholeNumber(depth, UNBOUNDED), target.size);
}

/** Compares all elements with each other. */
function sorted(list: Operand | undefined, element: CelType | undefined): CallCost | undefined {
  const isText = element?.name === "string" || element?.name === "bytes";
  return list && newList(isText ? 2 + TRAVERSAL : 2, multiplyRanges(list.size, list.size));
}

function compareSets(factor: number): Estimate {
  return ({ args: [left, right] }) =>
    left && right && { cost: plus(scaled(times(left.size.max, right.size.max), factor), 1) };
}

function compareValues({ args: [left, right] }: Call): CallCost | undefined {
  return left && right && { cost: scaled(Math.min(left.size.max, right.size.max), TRAVERSAL) };
}

/** Values of Kubernetes' own types are compared at once. */
function equals(call: Call): CallCost | undefined {
  const [left, right] = call.args;
  if (left === undefined || right === undefined || left.type.name !== right.type.name) return compareValues(call);
  switch (left.type.name) {
    case "net.IP":
    case "net.CIDR":
    case "kubernetes.Quantity":
    case "kubernetes.Semver":
      return { cost: 1 };
    case "kubernetes.NamedFormat":
      return { cost: scaled(FORMAT_CHARACTERS_MAX, TRAVERSAL) };
    case "kubernetes.URL":
      return { cost: scaled(right.isSizeKnown ? right.size.max : 1, TRAVERSAL) };
    default:
      return compareValues(call);
  }
}

function compareTexts(call: Call): CallCost | undefined {
  const [first] = call.parameters;
  return first?.name === "string" || first?.name === "bytes" ? compareValues(call) : undefined;
}

function add({ parameters: [first], args: [left, right] }: Call): CallCost | undefined {
  if (left === undefined || right === undefined) return undefined;
  const size = addRanges(left.size, right.size);
  if (first?.kind === "list") return { cost: 1, size };
  return first?.name === "string" || first?.name === "bytes" ? { cost: scaled(size.max, TRAVERSAL), size } : undefined;
}

/** Texts as bytes, and bytes as text, where a character has one to four bytes. */
function convert(from: string, resize: (size: SizeRange) => SizeRange): Estimate {
  return ({ parameters: [first], args: [value] }) =>
    value && first?.name === from ? { cost: scaled(value.size.max, TRAVERSAL), size: resize(value.size) } : undefined;
}

function quote({ args: [text] }: Call): CallCost | undefined {
  if (text === undefined) return undefined;
  const size = { min: plus(text.size.min, 2), max: plus(times(text.size.max, 2), 2) };
  return { cost: scaled(text.size.max, TRAVERSAL), size };
}

function isIn({ parameters, args: [, container] }: Call): CallCost | undefined {
  return container && parameters[1]?.kind === "list" ? { cost: container.size.max } : undefined;
}

function choose({ args: [, truthy, falsy] }: Call): CallCost {
  return { cost: 0, size: unite(truthy?.size ?? unknownSize, falsy?.size ?? unknownSize) };
}

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"].map((name) => [name, traverseElements] as const),
  ["url", rewrite(ofFirst)],
  ...["lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, rewrite(ofTarget)] as const),
  ["replace", replace],
  ["split", split],
  ["join", join],
  ["find", find],
  ["findAll", find],
  ...["cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"].map(
    (name) => [name, traverse(ofFirst)] as const,
  ),
  ["ip.isCanonical", traverse(ofFirst, 2)],
  ["containsIP", containsAddress(scaled(2 * ADDRESS.max, TRAVERSAL))],
  ["containsCIDR", containsAddress(scaled(2 * ADDRESS.max, TRAVERSAL) + scaled(ADDRESS.max, TRAVERSAL) + 1)],
  ["validate", validateFormat],
  ["slice", slice],
  ["flatten", flatten],
  ["lists.range", ({ args: [count] }) => count && newList(1, exactly(wholeNumber(count, UNBOUNDED)))],
  ["reverse", ({ target }) => target && newList(1, target.size)],
  ["distinct", ({ target }) => sorted(target, undefined)],
  ["sort", ({ target }) => sorted(target, target?.type.parameters[0])],
  ["@sortByAssociatedKeys", ({ args: [keys] }) => sorted(keys, keys?.type.parameters[0])],
  ["sets.contains", compareSets(1)],
  ["sets.intersects", compareSets(1)],
  ["sets.equivalent", compareSets(2)],
  ["format", traverse(ofTarget)],
  ["bytes", convert("string", ({ min, max }) => ({ min, max: times(max, 4) }))],
  ["string", convert("bytes", ({ min, max }) => ({ min: Math.floor(min / 4), max }))],
  ["strings.quote", quote],
  ["startsWith", traverse(ofFirst)],
  ["endsWith", traverse(ofFirst)],
  ["matches", matches],
  ["contains", contains],
  ["@in", isIn],
  ["_+_", add],
  ["_?_:_", choose],
  ["_==_", equals],
  ["_!=_", compareValues],
  ...["_<_", "_<=_", "_>_", "_>=_"].map((name) => [name, compareTexts] as const),
  ["_&&_", () => ({ cost: 0 })],
  ["_||_", () => ({ cost: 0 })],
]);

/** What one call costs at most, beside what its arguments cost. */
export function callCost(name: string, call: Call): CallCost {
  return (ESTIMATES.get(name) ?? nominal)(call) ?? { cost: 1 };
}
