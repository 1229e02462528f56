/** What a pod asks for and may take at most, exactly. Pure; the usage of quotas is made of it. */
import type { Container, Pod } from "@kubewright/api/core/v1";
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from "@kubewright/core/meta";

/** Amounts by resource name. */
export type Quantities = ReadonlyMap<string, Quantity>;

/** Requests or limits of a pod: its containers and sidecars together, or an init container if that needs more. */
export function podResources(pod: Pod, which: "requests" | "limits"): Quantities {
  const { containers = [], initContainers = [], overhead, resources } = pod.spec ?? {};
  const of = (container: Container): Quantities => parseAll(container.resources?.[which]);
  let sidecars: Quantities = new Map();
  let largest: Quantities = new Map();
  for (const container of initContainers) {
    if (container.restartPolicy === "Always") sidecars = sum(sidecars, of(container));
    else largest = maximum(largest, sum(sidecars, of(container)));
  }
  const running = containers.map(of).reduce(sum, sidecars);
  const perContainer = maximum(running, largest);
  const overall = new Map([...perContainer, ...parseAll(resources?.[which])]);
  const extra = [...parseAll(overhead)].filter(([name]) => which === "requests" || overall.has(name));
  return sum(overall, new Map(extra));
}

/** The amounts added up. */
export function sum(left: Quantities, right: Quantities): Quantities {
  return merge(left, right, addQuantities);
}

function maximum(left: Quantities, right: Quantities): Quantities {
  return merge(left, right, (a, b) => (compareQuantities(a, b) >= 0 ? a : b));
}

function merge(left: Quantities, right: Quantities, combine: (a: Quantity, b: Quantity) => Quantity): Quantities {
  const merged = new Map(left);
  for (const [name, amount] of right) {
    const other = merged.get(name);
    merged.set(name, other === undefined ? amount : combine(other, amount));
  }
  return merged;
}

function parseAll(list: Readonly<Record<string, string>> = {}): Quantities {
  return new Map(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));
}
