/** Values that are a number or a text: ports by number or name, amounts by count or percentage. */
import { malformed } from "./malformed.ts";

/** A count, or a text such as "25%" or a port's name. */
export type IntOrString = number | string;

/** Which way a share of a whole is rounded: surge goes up, unavailability goes down. */
export type Rounding = "up" | "down";

/** A count, or that percentage of `total`. Throws `MalformedError` with Kubernetes' text for any other text. */
export function scaleIntOrPercent(value: IntOrString, total: number, rounding: Rounding): number {
  if (typeof value === "number") return value;
  const share = (parsePercent(value) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}

/** True for a whole, unsigned percentage such as "25%". */
export function isPercent(value: IntOrString): value is string {
  return typeof value === "string" && /^[0-9]+%$/.test(value);
}

function parsePercent(text: string): number {
  if (!text.endsWith("%")) throw malformed("invalid value for IntOrString: invalid type: string is not a percentage");
  const digits = text.slice(0, -1);
  if (/^[+-]?[0-9]+$/.test(digits)) return Number(digits);
  const cause = `strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`;
  throw malformed(`invalid value for IntOrString: invalid value ${JSON.stringify(text)}: ${cause}`);
}
