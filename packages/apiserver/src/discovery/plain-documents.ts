/** Discovery, one document per group and version: APIVersions, APIGroupList, APIGroup and APIResourceList. Pure. */
import { apiVersionOf, type JsonObject } from "@kubewright/core/meta";
import type { ServedResource, ServedSubresource } from "../resource/resource.ts";
import { discoveredVerbs, storageVersionHash } from "./discovered-resource.ts";
import type { ServedGroup, ServedVersion } from "./served-groups.ts";

/** `/api`: the versions of the core group. `address` is where the client found the server. */
export function apiVersionsDocument({ versions }: ServedGroup, address: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: versions.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** `/apis`: all groups but the core group. */
export function groupListDocument(groups: readonly ServedGroup[]): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(describeGroup) };
}

/** `/apis/{group}` */
export function groupDocument(group: ServedGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

/** `/api/v1` and `/apis/{group}/{version}` */
export function resourceListDocument(version: ServedVersion): JsonObject {
  return {
    kind: "APIResourceList",
    ...(version.group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: apiVersionOf(version),
    resources: version.resources.flatMap((resource) => [
      describeResource(resource),
      ...resource.subresources.map((subresource) => describeSubresource(resource, subresource)),
    ]),
  };
}

function describeGroup({ group, versions }: ServedGroup): JsonObject {
  const described = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: described, preferredVersion: described[0] };
}

function describeResource(resource: ServedResource): JsonObject {
  const { plural, singular, scope, kind, shortNames = [], categories = [] } = resource.definition;
  const hash = storageVersionHash(resource);
  return {
    name: plural,
    singularName: singular,
    namespaced: scope === "Namespaced",
    kind,
    verbs: discoveredVerbs(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(hash !== undefined && { storageVersionHash: hash }),
  };
}

function describeSubresource({ definition }: ServedResource, { name, kind, verbs }: ServedSubresource): JsonObject {
  const { group, version } = kind ?? definition;
  const isElsewhere = group !== definition.group || version !== definition.version;
  return {
    name: `${definition.plural}/${name}`,
    singularName: "",
    namespaced: definition.scope === "Namespaced",
    ...(isElsewhere && { group, version }),
    kind: (kind ?? definition).kind,
    verbs,
  };
}
