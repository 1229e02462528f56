/** `a.b`, `a.?b` and `has(a.b)` on values. */
import { CelError } from "./cel-error.ts";
import { isKind, type MapValue, optionalNone, optionalOf, type Value } from "./values.ts";

/** The field of a value; as an optional when asked for as one, or of one. */
export function selectField(target: Value, field: string, optional: boolean): Value {
  if (isKind(target, "optional")) return selectOptional(target.value, field);
  if (optional) return selectOptional(target, field);
  const value = mapOrThrow(target, field).get(field);
  if (value === undefined) throw new CelError(`no such key: ${field}`);
  return value;
}

function selectOptional(target: Value | undefined, field: string): Value {
  if (target === undefined) return optionalNone;
  const value = mapOrThrow(target, field).get(field);
  return value === undefined ? optionalNone : optionalOf(value);
}

/** Whether a value has the field. */
export function testField(target: Value, field: string): boolean {
  const map = isKind(target, "optional") ? target.value : target;
  return map !== undefined && mapOrThrow(map, field).get(field) !== undefined;
}

function mapOrThrow(value: Value, field: string): MapValue {
  if (isKind(value, "map")) return value;
  if (isKind(value, "list")) throw new CelError("unsupported index type 'string' in list");
  throw new CelError(`no such key: ${field}`);
}
