/** What calls cost, in cel-go's units, from the sizes of their arguments. Libraries attach these to their functions. */
import { isKind, type Value } from "../values.ts";

const perCharacter = 0.1;
const perPatternCharacter = 0.25;

/** How large a value is: characters, bytes, elements; one for everything else. */
export function sizeOf(value: Value | undefined): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (value !== undefined && (isKind(value, "list") || isKind(value, "map"))) return value.size;
  return value !== undefined && isKind(value, "optional") && value.value !== undefined ? sizeOf(value.value) : 1;
}

/** Reading the first argument, `times` times. */
export function traversal(times = 1): (args: readonly Value[]) => number {
  return ([first]) => Math.ceil(sizeOf(first) * times * perCharacter);
}

/** Comparing two values: the smaller one is read. */
export function comparison([left, right]: readonly Value[]): number {
  return Math.ceil(Math.min(sizeOf(left), sizeOf(right)) * perCharacter);
}

/** Copying two texts. */
export function concatenation([left, right]: readonly Value[]): number {
  return Math.ceil((sizeOf(left) + sizeOf(right)) * perCharacter);
}

/** Searching the second argument in the first. */
export function search([text, piece]: readonly Value[]): number {
  return Math.ceil(sizeOf(text) * perCharacter) * Math.ceil(sizeOf(piece) * perCharacter);
}

/** Matching the second argument, a pattern, on the first. */
export function matching([text, pattern]: readonly Value[]): number {
  return Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter);
}

/** Looking at every element of the list at `index`. */
export function elements(index: number): (args: readonly Value[]) => number {
  return (args) => sizeOf(args[index]);
}

/** Comparing every element of one list with every one of another. */
export function pairs([left, right]: readonly Value[]): number {
  return Math.max(1, sizeOf(left) * sizeOf(right));
}
