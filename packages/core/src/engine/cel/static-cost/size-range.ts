/**
 * Between which bounds a size lies that is not known before an expression runs: of a text, a list or a map. Bounds are never above
 * what 64 bits hold, as in cel-go. estimate-cost.ts and function-costs.ts calculate with them.
 */

/** The bounds of a size, both included. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** 2^64: what grows beyond it stays there. */
export const UNBOUNDED: number = 2 ** 64;

/** Nothing is known of the size. */
export const unknownSize: SizeRange = { min: 0, max: UNBOUNDED };

/** Exactly this size. */
export function exactly(size: number): SizeRange {
  return { min: size, max: size };
}

/** The sum of two costs or sizes. */
export function plus(left: number, right: number): number {
  return Math.min(left + right, UNBOUNDED);
}

/** The product of two costs or sizes. */
export function times(left: number, right: number): number {
  return Math.min(left * right, UNBOUNDED);
}

/** What it costs to go through something of a size: rounded up. */
export function scaled(size: number, factor: number): number {
  return Math.min(Math.ceil(size * factor), UNBOUNDED);
}

/** The size of two things together. */
export function addRanges(left: SizeRange, right: SizeRange): SizeRange {
  return { min: plus(left.min, right.min), max: plus(left.max, right.max) };
}

/** The size of as many things of one size as the other says. */
export function multiplyRanges(left: SizeRange, right: SizeRange): SizeRange {
  return { min: times(left.min, right.min), max: times(left.max, right.max) };
}

/** The size of either. */
export function unite(left: SizeRange, right: SizeRange): SizeRange {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}
