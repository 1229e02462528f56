/** The EndpointSlice controller: the addresses of the pods behind each service. slices.ts decides, this carries it out. */
import { Node, Pod, Service } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { formatTime, setController } from "@kubewright/core/meta";
import { type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { changesEndpoints, hasEndpoints, podsBehind, servicesOf } from "./selected-pods.ts";
import { isManaged, planSlices } from "./slices.ts";

/** When the change happened that a slice was last written for. */
const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** Keeps the EndpointSlices of services with a selector. */
export const endpointSliceController: Controller<Service> = defineController<Service>({
  name: "endpointslice-controller",
  for: Service,
  owns: [EndpointSlice],
  reads: [Node],
  watches: [watch(Pod, { map: servicesOf, predicate: changesEndpoints })],
  reconcilesDeleting: true,
  async reconcile(service, context) {
    if (!hasEndpoints(service)) return;
    const { cache } = context;
    const changes = planSlices({
      service,
      pods: podsBehind(service, cache, { withTerminating: true }),
      slices: cache.list(EndpointSlice, { controlledBy: service }).filter(isManaged),
      nodeOf: (name) => (name === "" ? undefined : cache.get(Node, name)),
    });
    await Promise.all([
      ...changes.create.map((slice) => create(service, slice, context)),
      ...changes.update.map((slice) => context.client.update(EndpointSlice, withTriggerTime(slice, context))),
      ...changes.remove.map((slice) => context.client.delete(EndpointSlice, slice)),
    ]);
  },
});

async function create(service: Service, slice: EndpointSlice, context: ReconcileContext): Promise<void> {
  if (service.metadata?.deletionTimestamp !== undefined) return; // Would only be collected again.
  const { name, namespace = "" } = service.metadata ?? {};
  const named = { ...slice, metadata: { ...slice.metadata, generateName: `${name}-`, namespace } };
  await context.client.create(EndpointSlice, withTriggerTime(setController(named, service), context));
}

function withTriggerTime(slice: EndpointSlice, { clock }: ReconcileContext): EndpointSlice {
  const annotations = { ...slice.metadata?.annotations, [TRIGGER_TIME]: formatTime(clock.now()) };
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}
