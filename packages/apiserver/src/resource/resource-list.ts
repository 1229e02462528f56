/** Amounts of resources by name ("cpu", "requests.storage"), added and compared. Pods, LimitRanger and ResourceQuota share it. */
import type { Container, PodSpec } from "@kubewright/api/core/v1";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isMalformed,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from "@kubewright/core/meta";

/** Amounts by name. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** The amounts of JSON; what is no quantity is left out, because validation tells of it. */
export function resourceList(amounts: Readonly<Record<string, unknown>> | null | undefined): ResourceList {
  const list = new Map<string, Quantity>();
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    try {
      list.set(name, parseQuantity(String(amount)));
    } catch (error) {
      if (!isMalformed(error)) throw error;
    }
  }
  return list;
}

/** The sum of two lists. */
export function addLists(a: ResourceList, b: ResourceList): ResourceList {
  const sum = new Map(a);
  for (const [name, amount] of b) {
    const known = sum.get(name);
    sum.set(name, known === undefined ? amount : addQuantities(known, amount));
  }
  return sum;
}

/** What `a` has more than `b`; never less than nothing. */
export function excessOf(a: ResourceList, b: ResourceList): ResourceList {
  const excess = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const other = b.get(name);
    const rest = other === undefined ? amount : subtractQuantities(amount, other);
    excess.set(name, rest.mantissa < 0n ? { ...rest, mantissa: 0n } : rest);
  }
  return excess;
}

/** The greater of both, for each name. */
function maxLists(a: ResourceList, b: ResourceList): ResourceList {
  const max = new Map(a);
  for (const [name, amount] of b) {
    const known = max.get(name);
    if (known === undefined || compareQuantities(amount, known) > 0) max.set(name, amount);
  }
  return max;
}

/** "cpu=1,memory=2Gi", sorted by name. */
export function formatList(list: ResourceList, names: Iterable<string>): string {
  const parts = [...names].sort().flatMap((name) => {
    const amount = list.get(name);
    return amount === undefined ? [] : [`${name}=${formatQuantity(amount)}`];
  });
  return parts.join(",");
}

/** What a pod asks for ("requests") or is limited to ("limits"): what it says itself, or all containers together. */
export function podResources(spec: PodSpec, which: "requests" | "limits"): ResourceList {
  return new Map([...containerResources(spec, which), ...resourceList(spec.resources?.[which])]);
}

/** What the containers of a pod ask for, or are limited to, together. */
export function containerResources(spec: PodSpec, which: "requests" | "limits"): ResourceList {
  const amountsOf = ({ resources }: Container): ResourceList => resourceList(resources?.[which]);
  const none: ResourceList = new Map();
  let total = (spec.containers ?? []).map(amountsOf).reduce(addLists, none);
  let sidecars = none;
  let initial = none;
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container);
    const isSidecar = container.restartPolicy === "Always";
    if (isSidecar) {
      total = addLists(total, own);
      sidecars = addLists(sidecars, own);
    }
    initial = maxLists(initial, isSidecar ? sidecars : addLists(own, sidecars));
  }
  return maxLists(total, initial);
}
