/**
 * Whether an observed object has everything that is wanted of it, so that applying it would change nothing. Fields that the
 * server or others added do not matter. When in doubt the answer is no: an apply too many is harmless.
 */
import { canonicalQuantity, isMalformed } from "@kubewright/core/meta";

/** Below these fields texts are quantities, which the server rewrites: "1000m" is stored as "1". */
const QUANTITIES: ReadonlySet<string> = new Set(["capacity", "hard", "limits", "requests"]);

/** True when every field of `wanted` stands in `observed` with the same value. */
export function covers(observed: unknown, wanted: unknown, quantities = false): boolean {
  if (wanted === observed || wanted === undefined) return true;
  if (typeof wanted === "string") return quantities && typeof observed === "string" && isSameQuantity(observed, wanted);
  if (isEmpty(wanted) && (observed === undefined || observed === null)) return true;
  if (Array.isArray(wanted)) return Array.isArray(observed) && coversList(observed, wanted);
  if (!isObject(wanted) || !isObject(observed)) return false;
  for (const key of Object.keys(wanted)) {
    const other = Object.hasOwn(observed, key) ? observed[key] : undefined;
    if (!covers(other, wanted[key], quantities || QUANTITIES.has(key))) return false;
  }
  return true;
}

/** True when every entry of every list of `wanted` stands in the same list of `observed`. */
export function coversLists(observed: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(observed) && coversList(observed, wanted);
  if (!isObject(wanted) || !isObject(observed)) return true;
  return Object.entries(wanted).every(([key, value]) => coversLists(observed[key], value));
}

/** Lists of named items may have grown and been reordered by others; all other lists must be the same. */
function coversList(observed: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (observed.length === wanted.length && wanted.every((item, index) => covers(observed[index], item))) return true;
  if (!wanted.every(hasName)) return false;
  return wanted.every((item) =>
    observed.some((other) => hasName(other) && other.name === item.name && covers(other, item)),
  );
}

function hasName(item: unknown): item is { readonly name: string } {
  return isObject(item) && typeof item["name"] === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** null, {} and [] are often not stored at all. */
function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isSameQuantity(observed: string, wanted: string): boolean {
  try {
    return canonicalQuantity(wanted) === canonicalQuantity(observed);
  } catch (error) {
    if (isMalformed(error)) return false; // Then it is some other text, and not the same.
    throw error;
  }
}
