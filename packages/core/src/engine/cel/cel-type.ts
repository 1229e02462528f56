/**
 * The types of CEL and how they relate: which may stand for which, and what type parameters become. checker.ts works
 * with them; overloads name their parameters with them; the interpreter asks a value for the name of its type.
 */

/** A type. Simple types have no parameters; objects have fields; opaque types are those of libraries. */
export interface CelType {
  readonly kind: "simple" | "list" | "map" | "optional" | "type" | "object" | "opaque" | "parameter";
  readonly name: string;
  readonly parameters: readonly CelType[];
  readonly fields?: ReadonlyMap<string, CelType>;
}

function simple(name: string): CelType {
  return { kind: "simple", name, parameters: [] };
}

/** Any value; checked when it is used. */
export const dynType: CelType = simple("dyn");
/** The type of what is wrong already: anything goes with it, so that one mistake is told once. */
export const errorType: CelType = simple("!error!");
/** The type of null. */
export const nullType: CelType = simple("null");
/** Booleans. */
export const boolType: CelType = simple("bool");
/** 64-bit signed integers. */
export const intType: CelType = simple("int");
/** 64-bit unsigned integers. */
export const uintType: CelType = simple("uint");
/** 64-bit floats. */
export const doubleType: CelType = simple("double");
/** Texts. */
export const stringType: CelType = simple("string");
/** Byte sequences. */
export const bytesType: CelType = simple("bytes");
/** Points in time. */
export const timestampType: CelType = simple("timestamp");
/** Spans of time. */
export const durationType: CelType = simple("duration");

const simpleTypes = new Map(
  [dynType, nullType, boolType, intType, uintType, doubleType, stringType, bytesType, timestampType, durationType].map(
    (type) => [type.name, type],
  ),
);

/** A list type. */
export function listType(element: CelType): CelType {
  return { kind: "list", name: "list", parameters: [element] };
}

/** A map type. */
export function mapType(key: CelType, value: CelType): CelType {
  return { kind: "map", name: "map", parameters: [key, value] };
}

/** The type of a value that may be absent. */
export function optionalType(value: CelType): CelType {
  return { kind: "optional", name: "optional_type", parameters: [value] };
}

/** The type of a type. */
export function typeType(value: CelType): CelType {
  return { kind: "type", name: "type", parameters: [value] };
}

/** An object type with named fields. */
export function objectType(name: string, fields: ReadonlyMap<string, CelType>): CelType {
  return { kind: "object", name, parameters: [], fields };
}

/** Reads a type as signatures write it: `list(A)`, `map(string, int)`, `kubernetes.URL`; capitals are parameters. */
export function parseType(text: string): CelType {
  const trimmed = text.trim();
  const open = trimmed.indexOf("(");
  if (open < 0) {
    if (/^[A-Z]$/.test(trimmed)) return { kind: "parameter", name: trimmed, parameters: [] };
    return simpleTypes.get(trimmed) ?? { kind: "opaque", name: trimmed, parameters: [] };
  }
  const name = trimmed.slice(0, open);
  const parameters = splitTopLevel(trimmed.slice(open + 1, -1)).map(parseType);
  const kind =
    name === "optional" ? "optional" : name === "list" || name === "map" || name === "type" ? name : "opaque";
  return { kind, name: kind === "optional" ? "optional_type" : name, parameters };
}

/** Splits at commas outside of parentheses. */
export function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const character = text[index] ?? ",";
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return parts.filter((part) => part.trim() !== "");
}

/** A type as messages show it. */
export function formatType(type: CelType): string {
  if (type.kind === "parameter") return "dyn";
  if (type.parameters.length === 0) return type.name;
  return `${type.name}(${type.parameters.map(formatType).join(", ")})`;
}

/** What type parameters stand for, while one expression is checked; `trail` is the order in which they were bound. */
export interface Bindings {
  readonly types: Map<string, CelType>;
  readonly trail: string[];
}

/** No parameter is bound yet. */
export function createBindings(): Bindings {
  return { types: new Map(), trail: [] };
}

/** Forgets what was bound since the trail had `length` entries. */
export function undoBindings({ types, trail }: Bindings, length: number): void {
  for (const name of trail.splice(length)) types.delete(name);
}

/** The type with bound parameters replaced; parameters left over become dyn when `final`. */
export function resolve(type: CelType, bindings: Bindings, final = false): CelType {
  if (type.kind === "parameter") {
    const bound = bindings.types.get(type.name);
    if (bound === undefined) return final ? dynType : type;
    return resolve(bound, bindings, final);
  }
  if (type.parameters.length === 0) return type;
  return { ...type, parameters: type.parameters.map((parameter) => resolve(parameter, bindings, final)) };
}

/** True for types about which nothing is known until run time. */
export function isDynamic(type: CelType): boolean {
  return type.kind === "simple" && (type.name === "dyn" || type.name === "!error!");
}

/** Whether a value of `actual` may stand where `wanted` is asked for; binds type parameters on the way. */
export function isAssignable(wanted: CelType, actual: CelType, bindings: Bindings): boolean {
  const left = shallow(wanted, bindings);
  const right = shallow(actual, bindings);
  if (left.kind === "parameter") return left.name === right.name || bind(left.name, right, bindings);
  if (right.kind === "parameter") return bind(right.name, left, bindings);
  if (isDynamic(left) || isDynamic(right)) return true;
  if (right.name === "null") return acceptsNull(left);
  if (left.name === "null") return acceptsNull(right);
  if (left.kind !== right.kind || left.name !== right.name) return false;
  return left.parameters.every((parameter, index) =>
    isAssignable(parameter, right.parameters[index] ?? dynType, bindings),
  );
}

function shallow(type: CelType, bindings: Bindings): CelType {
  let current = type;
  while (current.kind === "parameter") {
    const bound = bindings.types.get(current.name);
    if (bound === undefined) return current;
    current = bound;
  }
  return current;
}

function bind(name: string, type: CelType, bindings: Bindings): boolean {
  if (mentions(type, name, bindings)) return false;
  bindings.types.set(name, type);
  bindings.trail.push(name);
  return true;
}

function mentions(type: CelType, name: string, bindings: Bindings): boolean {
  const resolved = shallow(type, bindings);
  return (
    (resolved.kind === "parameter" && resolved.name === name) ||
    resolved.parameters.some((each) => mentions(each, name, bindings))
  );
}

function acceptsNull(type: CelType): boolean {
  return (
    type.name === "null" ||
    type.kind === "object" ||
    type.kind === "opaque" ||
    type.kind === "optional" ||
    type === timestampType ||
    type === durationType
  );
}
