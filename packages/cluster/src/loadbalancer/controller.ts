/**
 * A simulated load balancer: services of type LoadBalancer get an address, as from a cloud. Off unless asked for, because
 * without it they stay pending, which is what a bare cluster does.
 */
import { Service } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type Controller, defineController } from "@kubewright/runtime";

/** The controller's name; it is off by default. */
export const LOAD_BALANCER = "service-lb-controller";

/** Addresses come from 203.0.113.0/24, which is reserved for documentation. */
const PREFIX = "203.0.113.";
const ADDRESSES = 254;

/** Gives load balancers addresses. */
export const loadBalancerController: Controller<Service> = defineController<Service>({
  name: LOAD_BALANCER,
  for: Service,
  concurrency: 1, // Each choice sees the one before it.
  async reconcile(service, { client, cache, events }) {
    const isWanted = service.spec?.type === "LoadBalancer" && service.spec.loadBalancerClass === undefined;
    const current = service.status?.loadBalancer?.ingress ?? [];
    if (!isWanted && (current.length === 0 || service.spec?.type === "LoadBalancer")) return;
    const taken = cache.list(Service).flatMap(({ status }) => status?.loadBalancer?.ingress ?? []);
    const ingress = isWanted
      ? ingressFor(
          service,
          taken.map(({ ip = "" }) => ip),
        )
      : [];
    if (deepEqual(current, ingress)) return;
    const status = { ...service.status, loadBalancer: ingress.length === 0 ? {} : { ingress } };
    await client.update(Service, { ...service, status }, { subresource: "status" });
    if (isWanted) events.normal("EnsuredLoadBalancer", "Ensured load balancer");
  },
});

type Ingress = NonNullable<NonNullable<NonNullable<Service["status"]>["loadBalancer"]>["ingress"]>;

/** The address it asks for, the one it has, or a free one. */
function ingressFor({ spec, status }: Service, taken: readonly string[]): Ingress {
  const known = status?.loadBalancer?.ingress?.[0];
  if (spec?.loadBalancerIP) return [{ ip: spec.loadBalancerIP, ipMode: "VIP" }];
  if (known !== undefined) return [known];
  const numbers = Array.from({ length: ADDRESSES }, (_, index) => `${PREFIX}${index + 1}`);
  const free = numbers.find((ip) => !taken.includes(ip));
  if (free === undefined) throw new Error(`all ${ADDRESSES} addresses of the simulated load balancer are taken`);
  return [{ ip: free, ipMode: "VIP" }];
}
