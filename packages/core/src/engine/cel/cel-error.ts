/** What goes wrong while an expression runs. `&&`, `||` and the quantifiers may forgive a CelError, never a CostError. */

/** An evaluation that failed: `no such key: x`, `division by zero` … */
export class CelError extends Error {}

/** An evaluation that became too expensive; nothing forgives it. */
export class CostError extends Error {}

/** Functions that fail without saying on what; operators do so too. */
const tacit = new Set(["startsWith", "endsWith", "contains", "matches"]);

/** No overload of a function takes these values, which have the types named. */
export function noSuchOverload(name = "_", types: readonly string[] = []): CelError {
  if (/^[_@!-]/.test(name) || tacit.has(name)) return new CelError("no such overload");
  return new CelError(`no such overload: ${name === "size" ? name : `${name}(${types.join(", ")})`}`);
}
