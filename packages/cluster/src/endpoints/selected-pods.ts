/** Which pods are behind which services: shared by the controllers of EndpointSlices and of Endpoints. */
import { Pod, Service } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import type { CacheReader, InformerEvent, ObjectKey, WatchContext } from "@kubewright/runtime";
import { isPodFinished, isPodReady, isPodTerminating } from "../workload/pod-state.ts";

/** True when the controllers choose the pods of a service; those of others are somebody else's to tell. */
export function hasEndpoints({ spec }: Service): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

/** The pods behind a service that have an address. Terminating ones are for those who ask. */
export function podsBehind(
  service: Service,
  cache: CacheReader,
  { withTerminating }: { readonly withTerminating: boolean },
): readonly Pod[] {
  const namespace = service.metadata?.namespace;
  const pods = cache.list(Pod, { namespace, labels: service.spec?.selector ?? {} });
  return pods
    .filter((pod) => isReachable(pod) && (withTerminating || !isPodTerminating(pod)))
    .toSorted((left, right) => ((left.metadata?.name ?? "") < (right.metadata?.name ?? "") ? -1 : 1));
}

/** The services that a pod is behind. */
export function servicesOf(pod: Pod, { cache }: WatchContext): readonly ObjectKey[] {
  const { namespace, labels = {} } = pod.metadata ?? {};
  return cache
    .list(Service, { namespace })
    .filter(({ spec }) => {
      const wanted = Object.entries(spec?.selector ?? {});
      return wanted.length > 0 && wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
    })
    .map(({ metadata }) => ({ name: metadata?.name ?? "", namespace }));
}

/** True unless a pod changed in nothing that its endpoints tell; of a pod that nobody can reach they tell nothing. */
export function changesEndpoints({ type, previous, object }: InformerEvent<Pod>): boolean {
  if (!isReachable(object) && (previous === undefined || !isReachable(previous))) return false;
  return type === "deleted" || previous === undefined || !tellsTheSame(previous, object);
}

/** All addresses of a pod. */
export function podAddresses({ status }: Pod): readonly string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip);
  return all.length > 0 || !status?.podIP ? all : [status.podIP];
}

/** The name by which a pod is found under a headless service of its subdomain. */
export function hostnameUnder(service: Service, { spec, metadata }: Pod): string | undefined {
  const isUnder = spec?.subdomain === service.metadata?.name && metadata?.namespace === service.metadata?.namespace;
  return isUnder && spec?.hostname ? spec.hostname : undefined;
}

/** True when the service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === "None";
}

/** Runs, or may, and has an address. */
function isReachable(pod: Pod): boolean {
  return !isPodFinished(pod) && podAddresses(pod).length > 0;
}

function tellsTheSame(before: Pod, now: Pod): boolean {
  return (
    isPodReady(before) === isPodReady(now) &&
    isPodFinished(before) === isPodFinished(now) &&
    before.spec?.nodeName === now.spec?.nodeName &&
    before.metadata?.deletionTimestamp === now.metadata?.deletionTimestamp &&
    deepEqual(podAddresses(before), podAddresses(now)) &&
    deepEqual(before.metadata?.labels, now.metadata?.labels)
  );
}
