/**
 * What a ResourceQuota must allow so that given pods fit: their number, and the sums of what they request and are limited to.
 * For operators that fence the namespaces of what they run. Pure.
 */
import type { Quantity } from "./quantity.ts";
import { parseQuantity } from "./quantity.ts";
import { addQuantities, multiplyQuantity } from "./quantity-arithmetic.ts";
import { formatQuantity } from "./quantity-format.ts";

/** Some pods that are alike. */
export interface PodGroup {
  readonly count: number;
  /** What each of them requests and may use, by name of the resource. */
  readonly resources: {
    readonly requests?: Readonly<Record<string, string | number>> | undefined;
    readonly limits?: Readonly<Record<string, string | number>> | undefined;
  };
}

/**
 * The `hard` of a ResourceQuota with room for exactly these pods.
 * @example podQuota([{ count: 3, resources: { requests: { cpu: "100m" } } }]) // { pods: "3", "requests.cpu": "300m" }
 */
export function podQuota(groups: readonly PodGroup[]): Record<string, string> {
  const totals = new Map<string, Quantity>();
  const add = (name: string, amount: string | number, count: number): void => {
    const more = multiplyQuantity(parseQuantity(`${amount}`), count);
    const before = totals.get(name);
    totals.set(name, before === undefined ? more : addQuantities(before, more));
  };
  for (const { count, resources } of groups) {
    add("pods", 1, count);
    for (const [name, amount] of Object.entries(resources.requests ?? {})) add(`requests.${name}`, amount, count);
    for (const [name, amount] of Object.entries(resources.limits ?? {})) add(`limits.${name}`, amount, count);
  }
  return Object.fromEntries(Array.from(totals, ([name, total]) => [name, formatQuantity(total)]));
}
