/**
 * Values of callers as JSON of one's own: what sending and reading the text would give, without the text. A server in the
 * same process takes bodies through it. Parts that are frozen through and through are shared, all others copied, so that
 * nobody's later change reaches what was taken. Frozen parts are looked through each time: remembering them costs more.
 */
import { isJsonArray, type Json, type JsonObject, type MutableJsonObject, withoutUndefined } from "./json.ts";
import { malformed } from "./malformed.ts";

/** How large a value may be. */
export interface OwnJsonLimits {
  readonly depthMax: number;
  /** How long all its texts may be together. */
  readonly charactersMax: number;
}

/**
 * The value as JSON. Throws `MalformedError` when it nests too deep, a RangeError when it is too large, a TypeError when JSON
 * has no such value.
 */
export function ownJson(value: unknown, { depthMax, charactersMax }: OwnJsonLimits): Json {
  charactersLeft = charactersMax;
  const own = ownValue(value, depthMax);
  if (own === undefined) throw new TypeError(`cannot take ${typeof value} as JSON; pass a JSON value`);
  return own;
}

const VALUE_CHARACTERS = 8;

/**
 * Freezes a JSON value of one's own and everything in it. Tells about how much memory it takes, in characters of text; what is
 * frozen already counts as frozen all through, and for nothing. Recurses: for values whose depth is limited.
 */
export function freezeOwn(value: Json): number {
  if (typeof value === "string") return VALUE_CHARACTERS + value.length;
  if (typeof value !== "object" || value === null) return VALUE_CHARACTERS;
  if (Object.isFrozen(value)) return 0;
  Object.freeze(value);
  let characters = VALUE_CHARACTERS;
  if (isJsonArray(value)) for (const item of value) characters += freezeOwn(item);
  else for (const key in value) characters += key.length + freezeOwn(value[key] ?? null);
  return characters;
}

/** What the value at hand may still have; nothing runs in between. */
let charactersLeft = 0;

function ownText(text: string): string {
  charactersLeft -= text.length;
  if (charactersLeft < 0) throw new RangeError("the value is too large");
  return text;
}

/** Undefined for what JSON leaves out of objects. */
function ownValue(value: unknown, depthLeft: number): Json | undefined {
  switch (typeof value) {
    case "string":
      return ownText(value);
    case "boolean":
      return value;
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case "number":
      return ownNumber(value);
    case "object":
      return value === null ? null : ownNested(value, depthLeft);
    default:
      return undefined;
  }
}

/** Integers that a number holds by chance are read as what they are written as; there is no negative zero. */
function ownNumber(value: number): Json {
  if (!Number.isFinite(value)) return null;
  return Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21 ? value + 0 : BigInt(value);
}

function ownNested(value: object, depthLeft: number): Json | undefined {
  if (depthLeft === 0) throw malformed("exceeded max depth");
  if (isJsonArray(value)) return ownList(value, depthLeft - 1);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return ownValue(toJSON.call(value, ""), depthLeft - 1);
  return ownObject(value as JsonObject, depthLeft - 1);
}

function ownList(list: readonly Json[], depthLeft: number): readonly Json[] {
  let own: Json[] | undefined = Object.isFrozen(list) ? undefined : [];
  for (let index = 0; index < list.length; index++) {
    const taken = ownValue(list[index], depthLeft) ?? null;
    if (taken !== list[index]) own ??= list.slice(0, index);
    own?.push(taken);
  }
  return own ?? list;
}

/** Copies all keys at once and then replaces what is to be replaced: setting them one by one takes several times as long. */
function ownObject(object: JsonObject, depthLeft: number): JsonObject {
  let own: MutableJsonObject | undefined = Object.isFrozen(object) ? undefined : { ...object };
  let isSparse = false;
  const keys = own ?? object;
  for (const key in keys) {
    const given = keys[key];
    const taken = ownValue(given, depthLeft);
    isSparse ||= taken === undefined;
    if (Object.is(taken, given) || !Object.hasOwn(keys, key)) continue; // -0 becomes 0.
    own ??= { ...object };
    own[key] = taken; // Its own key already, whatever its name.
  }
  return isSparse ? withoutUndefined(own ?? object) : (own ?? object);
}
