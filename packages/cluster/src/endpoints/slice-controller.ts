/** The EndpointSlice controller: tells which pods stand behind a Service. slice-plan.ts decides. */
import { Pod, Service } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { labelsToRequirements, matchesLabels } from "@kubewright/core/meta";
import { type Controller, defineController, type ObjectKey, type WatchContext, watch } from "@kubewright/runtime";
import { endpointGroups } from "./endpoint.ts";
import { isManagedSlice, planSlices } from "./slice-plan.ts";

/** Keeps EndpointSlices. */
export const endpointSliceController: Controller<Service> = defineController<Service>({
  name: "endpointslice-controller",
  for: Service,
  owns: [EndpointSlice],
  watches: [watch(Pod, { map: servicesOfPod })],
  async reconcile(service, { cache, client, clock }) {
    if (!hasEndpoints(service)) return;
    const pods = cache.list(Pod, { namespace: service.metadata?.namespace });
    const slices = cache.list(EndpointSlice, { controlledBy: service }).filter(isManagedSlice);
    const groups = endpointGroups(service, pods);
    const { create, update, remove } = planSlices(service, groups, { slices, now: clock.now() });
    for (const slice of create) await client.create(EndpointSlice, slice);
    for (const slice of update) await client.update(EndpointSlice, slice);
    for (const slice of remove) await client.delete(EndpointSlice, slice);
  },
});

/** Only a Service that selects pods has endpoints that can be found. */
export function hasEndpoints(service: Service): boolean {
  const { selector, type } = service.spec ?? {};
  return selector !== undefined && Object.keys(selector).length > 0 && type !== "ExternalName";
}

/** The services that select a pod. */
export function servicesOfPod(pod: Pod, { cache }: WatchContext): readonly ObjectKey[] {
  const { namespace, labels } = pod.metadata ?? {};
  return cache
    .list(Service, { namespace })
    .filter(
      (service) => hasEndpoints(service) && matchesLabels(labelsToRequirements(service.spec?.selector ?? {}), labels),
    )
    .map((service) => ({ name: service.metadata?.name ?? "", namespace }));
}
