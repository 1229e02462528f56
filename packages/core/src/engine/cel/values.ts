/**
 * The values of CEL at run time. Integers are bigints, doubles numbers; lists and maps are interfaces, because those over
 * an object's JSON convert lazily (schema-values.ts). Equality and order are those of cel-go, across numeric types.
 */
import type { JsonObject } from "../../meta/json.ts";
import { CelError } from "./cel-error.ts";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "./cel-type.ts";

/** A list. */
export interface ListValue {
  readonly kind: "list";
  readonly size: number;
  at(index: number): Value;
  /** All of them, where they are at hand already. */
  readonly items?: readonly Value[];
  /** Kubernetes' list types change equality and `+`: sets by element, maps by key. */
  readonly identity?: { readonly type: "set" | "map"; keyOf(item: Value): string };
}

/** A map, or an object with fields. */
export interface MapValue {
  readonly kind: "map";
  readonly size: number;
  get(key: Value): Value | undefined;
  keys(): readonly Value[];
  /** Fields of an object that rules cannot see but equality does. */
  readonly hidden?: JsonObject;
}

/** An unsigned integer. */
export interface UintValue {
  readonly kind: "uint";
  readonly value: bigint;
}

/** A point in time. */
export interface TimestampValue {
  readonly kind: "timestamp";
  /** Nanoseconds since 1970. */
  readonly nanoseconds: bigint;
  /** The zone it was written in, which only its text shows: `+02:00`. @default UTC */
  readonly offset?: string;
}

/** A span of time. */
export interface DurationValue {
  readonly kind: "duration";
  readonly nanoseconds: bigint;
}

/** A value that may be absent. */
export interface OptionalValue {
  readonly kind: "optional";
  readonly value: Value | undefined;
}

/** A type as a value. */
export interface TypeValue {
  readonly kind: "type";
  readonly name: string;
}

/** A value of a library: url, quantity, ip … `data` belongs to the library, `text` shows it. */
export interface OpaqueValue {
  readonly kind: "opaque";
  readonly type: CelType;
  readonly data: unknown;
  readonly text: string;
  equals(other: OpaqueValue): boolean;
}

/** Any value. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | ListValue
  | MapValue
  | UintValue
  | TimestampValue
  | DurationValue
  | OptionalValue
  | TypeValue
  | OpaqueValue;

/** The absent optional. */
export const optionalNone: OptionalValue = { kind: "optional", value: undefined };

/** An optional with a value. */
export function optionalOf(value: Value): OptionalValue {
  return { kind: "optional", value };
}

/** A list of values. */
export function listOf(items: readonly Value[]): ListValue {
  return { kind: "list", size: items.length, at: (index) => items[index] as Value, items };
}

/** The items of a list, as an array of the caller's own. */
export function itemsOf(list: ListValue): Value[] {
  return list.items?.slice() ?? Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** A map of entries; of two with the same key, the last counts. */
export function mapOf(entries: readonly (readonly [Value, Value])[]): MapValue {
  const byKey = new Map<string, readonly [Value, Value]>();
  for (const entry of entries) {
    const key = keyText(entry[0]);
    if (key === undefined) throw new CelError("unsupported key type");
    byKey.set(key, entry);
  }
  return {
    kind: "map",
    size: byKey.size,
    get: (key) => byKey.get(keyText(key) ?? "")?.[1],
    keys: () => Array.from(byKey.values(), ([key]) => key),
  };
}

/** The same text for keys that are equal, whatever their numeric type. */
function keyText(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (typeof key === "number") return `n${Number.isInteger(key) ? BigInt(key) : key}`;
  return key !== null && "kind" in key && key.kind === "uint" ? `n${key.value}` : undefined;
}

/** The type of a value, as far as the value alone tells. */
export function typeOf(value: Value): CelType {
  if (value === null) return nullType;
  if (typeof value === "boolean") return boolType;
  if (typeof value === "bigint") return intType;
  if (typeof value === "number") return doubleType;
  if (typeof value === "string") return stringType;
  if (value instanceof Uint8Array) return bytesType;
  switch (value.kind) {
    case "list":
      return listType(dynType);
    case "map":
      return mapType(dynType, dynType);
    case "uint":
      return uintType;
    case "timestamp":
      return timestampType;
    case "duration":
      return durationType;
    case "optional":
      return optionalType(dynType);
    case "type":
      return typeType(dynType);
    case "opaque":
      return value.type;
  }
}

/** The name of a value's type, as `type(value)` shows it. */
export function typeNameOf(value: Value): string {
  const { name } = typeOf(value);
  if (name === "null") return "null_type";
  if (name === "timestamp") return "google.protobuf.Timestamp";
  return name === "duration" ? "google.protobuf.Duration" : name;
}

/** A number of any of the three numeric types. */
export function numericOf(value: Value): number | bigint | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return isKind(value, "uint") ? value.value : undefined;
}

/** True for values of one of the kinds that are objects. */
export function isKind<
  Kind extends "list" | "map" | "uint" | "timestamp" | "duration" | "optional" | "type" | "opaque",
>(value: Value, kind: Kind): value is Extract<Value, { readonly kind: Kind }> {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === kind;
}
