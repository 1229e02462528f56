/**
 * From groups of endpoints and the slices there are to the slices to write. Pure; used for the pods of services and for
 * mirrored Endpoints. An endpoint stays in the slice that it is in; new ones go where there is room, so that few slices change.
 */
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubewright/api/discovery/v1";
import { deepEqual } from "@kubewright/core/meta";

/** The most endpoints of one slice. */
export const ENDPOINTS_MAX = 100;

/** The kind of address that the endpoints of a slice have. */
export type AddressType = EndpointSlice["addressType"];

/** Endpoints that share a slice: the same kind of address and the same ports. */
export interface EndpointGroup {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** What to write. New slices have no metadata but labels. */
export interface SliceChanges {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** The writes that make `slices` tell of the groups, under these labels; slices that are not needed go. */
export function planGroups(
  groups: readonly EndpointGroup[],
  slices: readonly EndpointSlice[],
  labels: Readonly<Record<string, string>>,
): SliceChanges {
  const changes = groups.map((group) => planGroup(group, slices, labels));
  const used = new Set(changes.flatMap(({ kept, update }) => [...kept, ...update].map(nameOf)));
  return {
    create: changes.flatMap(({ create }) => create),
    update: changes.flatMap(({ update }) => update),
    remove: slices.filter((slice) => !used.has(nameOf(slice))),
  };
}

interface GroupChanges {
  readonly kept: readonly EndpointSlice[];
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
}

function planGroup(
  group: EndpointGroup,
  slices: readonly EndpointSlice[],
  labels: Readonly<Record<string, string>>,
): GroupChanges {
  const { addressType, ports } = group;
  const missing = new Map(group.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const existing = slices.filter((slice) => slice.addressType === addressType && deepEqual(slice.ports ?? [], ports));
  const trimmed = existing.map((slice) => ({ slice, endpoints: takeKnown(slice, missing) }));
  const fresh = [...missing.values()];
  const filled = trimmed.map(({ slice, endpoints }) => ({
    slice,
    endpoints: [...endpoints, ...fresh.splice(0, Math.max(0, ENDPOINTS_MAX - endpoints.length))],
  }));
  const isPlaceholder = group.endpoints.length === 0;
  const used = filled.filter(({ endpoints }, index) => endpoints.length > 0 || (isPlaceholder && index === 0));
  const next = used.map(({ slice, endpoints }) => ({ slice, next: rewritten(slice, endpoints, labels) }));
  return {
    kept: next.flatMap(({ slice, next: same }) => (same === slice ? [slice] : [])),
    update: next.flatMap(({ slice, next: changed }) => (changed === slice ? [] : [changed])),
    create: newSlices(group, fresh, isPlaceholder && used.length === 0, labels),
  };
}

/** The endpoints of a slice that are still wanted, as they are now; they are taken out of `missing`. */
function takeKnown({ endpoints = [] }: EndpointSlice, missing: Map<string, Endpoint>): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const key = keyOf(endpoint);
    const wanted = missing.get(key);
    missing.delete(key);
    return wanted ?? [];
  });
}

/** The slice itself when nothing about it changed. */
function rewritten(
  slice: EndpointSlice,
  endpoints: readonly Endpoint[],
  labels: Readonly<Record<string, string>>,
): EndpointSlice {
  if (deepEqual(slice.endpoints ?? [], endpoints) && deepEqual(slice.metadata?.labels ?? {}, labels)) return slice;
  return { ...slice, metadata: { ...slice.metadata, labels }, endpoints };
}

function newSlices(
  { addressType, ports }: EndpointGroup,
  endpoints: readonly Endpoint[],
  withPlaceholder: boolean,
  labels: Readonly<Record<string, string>>,
): readonly EndpointSlice[] {
  const count = withPlaceholder ? 1 : Math.ceil(endpoints.length / ENDPOINTS_MAX);
  return Array.from({ length: count }, (_, index) => ({
    addressType,
    metadata: { labels },
    endpoints: endpoints.slice(index * ENDPOINTS_MAX, (index + 1) * ENDPOINTS_MAX),
    ports,
  }));
}

function keyOf({ targetRef, addresses }: Endpoint): string {
  return targetRef?.uid ?? addresses.join();
}

function nameOf({ metadata }: EndpointSlice): string {
  return metadata?.name ?? "";
}
