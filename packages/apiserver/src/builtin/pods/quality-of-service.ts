/** Which quality of service a pod gets, from its requests and limits of cpu and memory. */
import type { PodSpec, ResourceRequirements } from "@kubewright/api/core/v1";
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityOf } from "@kubewright/core/meta";

const COMPUTE_RESOURCES = ["cpu", "memory"];

/** Guaranteed when every container is limited to what it requests, BestEffort when none says anything. */
export function qualityOfService(spec: PodSpec): "Guaranteed" | "Burstable" | "BestEffort" {
  const given: readonly ResourceRequirements[] =
    spec.resources === undefined
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources = {} }) => resources)
      : [spec.resources];
  const requests = totals(given.map((resources) => resources.requests ?? {}));
  const limits = totals(given.map((resources) => resources.limits ?? {}));
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isLimited = given.every(({ limits: own = {} }) => COMPUTE_RESOURCES.every((name) => isPositive(own[name])));
  const isSame =
    requests.size === limits.size &&
    [...requests].every(([name, request]) => {
      const limit = limits.get(name);
      return limit !== undefined && compareQuantities(request, limit) === 0;
    });
  return isLimited && isSame ? "Guaranteed" : "Burstable";
}

function totals(lists: readonly Readonly<Record<string, string | number>>[]): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const list of lists) {
    for (const name of COMPUTE_RESOURCES) {
      const amount = list[name];
      if (!isPositive(amount)) continue;
      const quantity = parseQuantity(String(amount));
      const sum = sums.get(name);
      sums.set(name, sum === undefined ? quantity : addQuantities(sum, quantity));
    }
  }
  return sums;
}

function isPositive(amount: string | number | undefined): boolean {
  return amount !== undefined && compareQuantities(parseQuantity(String(amount)), quantityOf(0)) > 0;
}
