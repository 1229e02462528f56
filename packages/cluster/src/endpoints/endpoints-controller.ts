/** The Endpoints controller: the older form of EndpointSlices, for those who still read it. subsets.ts decides. */
import { Endpoints, Pod, Service } from "@kubewright/api/core/v1";
import { deepEqual, formatTime } from "@kubewright/core/meta";
import { type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { createUnlessThere } from "../workload/create-unless-there.ts";
import { changesEndpoints, hasEndpoints, isHeadless, podsBehind, servicesOf } from "./selected-pods.ts";
import { subsetsOf } from "./subsets.ts";

const MANAGED_BY_LABEL = "endpoints.kubernetes.io/managed-by";
const HEADLESS_LABEL = "service.kubernetes.io/headless";
const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** Keeps the Endpoints of services with a selector. */
export const endpointsController: Controller<Service> = defineController<Service>({
  name: "endpoints-controller",
  for: Service,
  watches: [
    watch(Pod, { map: servicesOf, predicate: changesEndpoints }),
    watch(Endpoints, { map: ({ metadata }) => [{ name: metadata?.name ?? "", namespace: metadata?.namespace }] }),
  ],
  async reconcile(service, context) {
    if (!hasEndpoints(service)) return;
    const pods = podsBehind(service, context.cache, {
      withTerminating: service.spec?.publishNotReadyAddresses === true,
    });
    const subsets = subsetsOf(service, pods);
    await write(service, { labels: labelsOf(service), subsets }, context);
  },
});

/** Endpoints have no owner: those of a service go when it does. */
export const endpointsCleaner: Controller<Endpoints> = defineController<Endpoints>({
  name: "endpoints-controller/cleaner",
  for: Endpoints,
  predicate: () => false,
  watches: [
    watch(Service, {
      map: ({ metadata }) => [{ name: metadata?.name ?? "", namespace: metadata?.namespace }],
      predicate: ({ type }) => type === "deleted",
    }),
  ],
  async reconcile(endpoints, { client, cache }) {
    if (cache.get(Service, endpoints.metadata?.name ?? "") === undefined) await client.delete(Endpoints, endpoints);
  },
});

type Wanted = Required<Pick<Endpoints, "subsets">> & { readonly labels: Readonly<Record<string, string>> };

async function write(service: Service, { labels, subsets }: Wanted, context: ReconcileContext): Promise<void> {
  const { client, cache, clock } = context;
  const { name = "", namespace = "" } = service.metadata ?? {};
  const existing = cache.get(Endpoints, name);
  const annotations = { ...existing?.metadata?.annotations, [TRIGGER_TIME]: formatTime(clock.now()) };
  if (existing === undefined) {
    await createUnlessThere(client, Endpoints, { metadata: { name, namespace, labels, annotations }, subsets });
  } else if (!deepEqual(existing.subsets ?? [], subsets) || !deepEqual(existing.metadata?.labels ?? {}, labels)) {
    await client.update(Endpoints, { ...existing, metadata: { ...existing.metadata, labels, annotations }, subsets });
  }
}

function labelsOf(service: Service): Readonly<Record<string, string>> {
  const { [HEADLESS_LABEL]: _, ...own } = service.metadata?.labels ?? {};
  return {
    ...own,
    ...(isHeadless(service) ? { [HEADLESS_LABEL]: "" } : {}),
    [MANAGED_BY_LABEL]: "endpoint-controller",
  };
}
