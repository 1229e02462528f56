/**
 * The quota of a namespace with microservices. A ResourceQuota speaks of all pods of its namespace, so each service's
 * quota has room for all services there: every version may run, and nothing beyond what they need.
 */
import { addQuantities, formatQuantity, multiplyQuantity, parseQuantity, type Quantity } from "kubewright";
import type { ResourceQuota } from "kubewright/core/v1";
import type { MicroServiceDeploy } from "./api/v1/micro-service-deploy.ts";

/** The quota for `services`, each at its largest and in the middle of a rollout. */
export function quotaFor(
  metadata: { readonly name: string; readonly labels: Record<string, string> },
  services: readonly MicroServiceDeploy[],
  autoscalingFactor: number,
): ResourceQuota {
  const totals = new Map<string, Quantity>();
  for (const service of services) {
    const pods = podsOf(service, autoscalingFactor);
    add(totals, "pods", "1", pods);
    const { limits = {}, requests = {} } = service.spec.resourceRequirements;
    for (const [name, amount] of Object.entries(requests)) add(totals, `requests.${name}`, amount, pods);
    for (const [name, amount] of Object.entries(limits)) add(totals, `limits.${name}`, amount, pods);
  }
  const hard = Object.fromEntries(Array.from(totals, ([name, total]) => [name, formatQuantity(total)]));
  return { apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard } };
}

/** The most pods at once: all replicas, and a quarter more while a rollout replaces them. */
function podsOf({ spec }: MicroServiceDeploy, autoscalingFactor: number): number {
  const replicas = spec.autoscaling ? Math.max(1, spec.replicas) * autoscalingFactor : spec.replicas;
  return replicas + Math.max(1, Math.ceil(replicas / 4));
}

function add(totals: Map<string, Quantity>, name: string, amount: string, pods: number): void {
  const more = multiplyQuantity(parseQuantity(`${amount}`), pods);
  const before = totals.get(name);
  totals.set(name, before === undefined ? more : addQuantities(before, more));
}
