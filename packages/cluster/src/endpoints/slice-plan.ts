/**
 * From the endpoints that should be told to the slices that tell them: endpoints stay in the slice they are in, free
 * places are filled before a slice is added, and a slice without endpoints goes. Pure; slice-controller.ts writes.
 */
import type { Service } from "@kubewright/api/core/v1";
import type { Endpoint, EndpointSlice } from "@kubewright/api/discovery/v1";
import { deepEqual, formatTime, setController } from "@kubewright/core/meta";
import type { EndpointGroup } from "./endpoint.ts";

/** The most endpoints in one slice. */
export const SLICE_ENDPOINTS_MAX = 100;

const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";
const SERVICE_NAME = "kubernetes.io/service-name";
const HEADLESS = "service.kubernetes.io/headless";
const CHANGED_AT = "endpoints.kubernetes.io/last-change-trigger-time";

/** What to write. */
export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** True for slices that this controller keeps. */
export function isManagedSlice(slice: EndpointSlice): boolean {
  return slice.metadata?.labels?.[MANAGED_BY] === MANAGER;
}

/** The writes that make `slices` tell `groups`. */
export function planSlices(
  service: Service,
  groups: readonly EndpointGroup[],
  { slices, now }: { readonly slices: readonly EndpointSlice[]; readonly now: number },
): SlicePlan {
  const wanted = groups.length === 0 ? [{ ports: [], endpoints: [] }] : groups;
  const labels = labelsOf(service);
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const used = new Set<EndpointSlice>();
  for (const group of wanted) {
    const own = slices.filter((slice) => !used.has(slice) && deepEqual(slice.ports ?? [], group.ports));
    const filled = fill(own, group.endpoints);
    for (const [slice, endpoints] of filled.kept) {
      used.add(slice);
      const next = withContent(slice, endpoints, labels, now);
      if (next !== slice) update.push(next);
    }
    for (const endpoints of filled.added) create.push(newSlice(service, { ports: group.ports, endpoints }, now));
  }
  // The last slice stays, empty: clients tell "no endpoints" from "not told yet" by it.
  return { create, update, remove: slices.filter((slice) => !used.has(slice)) };
}

interface Filled {
  readonly kept: ReadonlyMap<EndpointSlice, readonly Endpoint[]>;
  readonly added: readonly (readonly Endpoint[])[];
}

function fill(slices: readonly EndpointSlice[], endpoints: readonly Endpoint[]): Filled {
  const waiting = new Map(endpoints.map((endpoint) => [idOf(endpoint), endpoint]));
  const contents = slices.map((slice) => {
    const kept = (slice.endpoints ?? []).flatMap((endpoint) => {
      const next = waiting.get(idOf(endpoint));
      waiting.delete(idOf(endpoint));
      return next === undefined ? [] : [next];
    });
    return { slice, kept };
  });
  const rest = [...waiting.values()];
  for (const { kept } of contents) kept.push(...rest.splice(0, SLICE_ENDPOINTS_MAX - kept.length));
  const added: Endpoint[][] = [];
  while (rest.length > 0) added.push(rest.splice(0, SLICE_ENDPOINTS_MAX));
  const full = contents.filter(({ kept }) => kept.length > 0);
  const surviving = full.length > 0 || added.length > 0 ? full : contents.slice(0, 1);
  if (surviving.length === 0 && added.length === 0) added.push([]);
  return { kept: new Map(surviving.map(({ slice, kept }) => [slice, kept])), added };
}

function idOf({ addresses, targetRef }: Endpoint): string {
  return `${targetRef?.uid ?? ""} ${addresses.join(" ")}`;
}

function withContent(
  slice: EndpointSlice,
  endpoints: readonly Endpoint[],
  labels: Readonly<Record<string, string>>,
  now: number,
): EndpointSlice {
  const same = deepEqual(slice.endpoints ?? [], endpoints) && deepEqual(slice.metadata?.labels ?? {}, labels);
  if (same) return slice;
  const annotations = { ...slice.metadata?.annotations, [CHANGED_AT]: formatTime(now) };
  return { ...slice, metadata: { ...slice.metadata, labels, annotations }, endpoints };
}

function newSlice(service: Service, { ports, endpoints }: EndpointGroup, now: number): EndpointSlice {
  const { name = "", namespace = "" } = service.metadata ?? {};
  const slice: EndpointSlice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: labelsOf(service),
      annotations: { [CHANGED_AT]: formatTime(now) },
    },
    addressType: service.spec?.ipFamilies?.[0] || "IPv4",
    endpoints,
    ports: [...ports],
  };
  return setController(slice, service);
}

function labelsOf(service: Service): Record<string, string> {
  const headless = service.spec?.clusterIP === "None" ? { [HEADLESS]: "" } : {};
  return {
    ...service.metadata?.labels,
    ...headless,
    [SERVICE_NAME]: service.metadata?.name ?? "",
    [MANAGED_BY]: MANAGER,
  };
}
