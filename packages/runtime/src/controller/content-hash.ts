/**
 * A short hash of what was declared, by which children tell whether anything about them is to change. Arithmetic of our own: in an idle process
 * the way into a library for cryptography and back takes as long as the rest of a plan. It is no secret's keeper: whoever wants two
 * values with one hash can find them, and gains nothing by it but that a change of theirs is not carried out.
 */
import { type Json, type JsonObject, setKey, stringifyJson } from "@kubewright/core/meta";

const FEW = 16;
/** Three times 32 bits, which differ in where they begin, in what they multiply by and in how they turn. */
const SEEDS = [0x243f6a88, 0x85a308d3, 0x13198a2e] as const;
const DIGITS = 36;
/** As many as 32 bits may need. */
const LANE_LENGTH = 7;

/**
 * A short hash of a JSON value, the same whatever the order of keys; fit for labels and annotations.
 * @example annotations: { "example.com/config": contentHash(spec.config) } // Pods of another configuration are other pods.
 */
export function contentHash(value: unknown): string {
  return hashText(stringifyJson(ordered(value ?? null) as Json));
}

function hashText(text: string): string {
  let [first, second, third]: [number, number, number] = [...SEEDS];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul((first << 5) | (first >>> 27), 0x9e3779b1) ^ unit;
    second = Math.imul((second << 11) | (second >>> 21), 0x85ebca77) ^ unit;
    third = Math.imul((third << 17) | (third >>> 15), 0xc2b2ae3d) ^ unit;
  }
  const [mixed, sum] = [mix(first ^ text.length), second + third];
  return digitsOf(mixed) + digitsOf(mix(second ^ mixed)) + digitsOf(mix(sum ^ mixed));
}

/** Lets each bit change all others. */
function mix(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return twice ^ (twice >>> 16);
}

function digitsOf(lane: number): string {
  return (lane >>> 0).toString(DIGITS).padStart(LANE_LENGTH, "0");
}

/** A copy with sorted keys, so that JSON.stringify can do the rest. */
function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const fields = value as JsonObject;
  const copy: Record<string, Json> = {};
  for (const key of sort(Object.keys(fields))) setKey(copy, key, ordered(fields[key]) as Json);
  return copy;
}

/** Sorts in place. Most objects have a handful of keys, for which `Array.sort` makes more garbage than the keys are. */
function sort(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] as string;
    let place = end;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}
