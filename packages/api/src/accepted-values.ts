/**
 * Whether a value is of a Go type, at a glance: zero-values.ts asks for every value of an object that comes from a client. What
 * is not accepted may still be right; check-object.ts says.
 */
import { isJsonArray, isJsonObject, type Json } from "@kubewright/core/meta";
import type { GoType } from "./tables/type-table.ts";

/** Whether a value that is there surely is of the type itself; what is in it is another question. */
export type Accepts = (given: Json) => boolean;

/** The question for values of a type. */
export function acceptsFor(type: GoType): Accepts {
  switch (type.kind) {
    case "pointer":
      return acceptsFor(type.of);
    case "list":
      return isJsonArray;
    case "map":
    case "struct":
      return isJsonObject;
    case "scalar":
      return ACCEPTS_SCALAR.get(type.name) ?? (() => true);
  }
}

const isText: Accepts = (given) => typeof given === "string";
const isInt32: Accepts = (given) => typeof given === "number" && (given | 0) === given;

/** All that is not here is any JSON. Rare spellings of what is right may be doubted. */
const ACCEPTS_SCALAR: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ["string", isText],
  ["bytes", (given) => typeof given === "string" && /^(?:[A-Za-z0-9+/]{4})*$/.test(given)],
  ["bool", (given) => typeof given === "boolean"],
  ["int32", isInt32],
  ["int64", Number.isSafeInteger],
  ["float64", Number.isFinite],
  ["IntOrString", (given) => isText(given) || isInt32(given)],
  // Their writers refuse wrong texts, but do not see those that are left out because they are empty.
  ["Quantity", (given) => typeof given === "number" || (isText(given) && given !== "")],
  ["Time", (given) => isText(given) && given !== ""],
  ["MicroTime", (given) => isText(given) && given !== ""],
]);
