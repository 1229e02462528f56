/** Resources that pods ask for and nodes offer, in thousandths, exactly. */
import type { Container, Pod } from "@kubewright/api/core/v1";
import { parseQuantity, quantityToBigint } from "@kubewright/core/meta";

/** Amounts by resource name, in thousandths of its unit. */
export type Amounts = ReadonlyMap<string, bigint>;

/** The amounts of a resource list such as `status.allocatable`. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, quantityToBigint(parseQuantity(text), -3)]));
}

/**
 * What a pod takes on a node: its containers together, or its largest init container if that is more, plus overhead.
 * Every pod counts as one of "pods".
 */
export function requestsOf(pod: Pod): Amounts {
  const running = sumOf((pod.spec?.containers ?? []).map(containerRequests));
  const starting = (pod.spec?.initContainers ?? []).map(containerRequests);
  const larger = starting.reduce(largestOf, running);
  return sumOf([larger, amountsOf(pod.spec?.overhead), new Map([["pods", 1000n]])]);
}

/** All amounts added up. */
export function sumOf(lists: readonly Amounts[]): Amounts {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const [name, amount] of list) total.set(name, (total.get(name) ?? 0n) + amount);
  }
  return total;
}

function largestOf(left: Amounts, right: Amounts): Amounts {
  const largest = new Map(left);
  for (const [name, amount] of right) {
    if (amount > (largest.get(name) ?? 0n)) largest.set(name, amount);
  }
  return largest;
}

function containerRequests(container: Container): Amounts {
  return amountsOf(container.resources?.requests);
}
