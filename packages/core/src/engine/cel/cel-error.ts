/** What goes wrong while an expression runs. `&&`, `||` and the quantifiers may forgive a CelError, never a CostError. */

/** An evaluation that failed: `no such key: x`, `division by zero` … */
export class CelError extends Error {}

/** An evaluation that became too expensive; nothing forgives it. */
export class CostError extends Error {}

/** No overload of a function takes these values. */
export function noSuchOverload(): CelError {
  return new CelError("no such overload");
}
