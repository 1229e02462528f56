/** Aggregated discovery: all groups with all resources in one document, APIGroupDiscoveryList of v2. Pure. */
import type { JsonObject } from "@kubewright/core/meta";
import type { ServedResource, ServedSubresource } from "../resource/resource.ts";
import { discoveredVerbs } from "./discovered-resource.ts";
import type { ServedGroup, ServedVersion } from "./served-groups.ts";

/** The document of the core group (at `/api`) or of all others (at `/apis`). */
export function aggregatedDocument(groups: readonly ServedGroup[]): JsonObject {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map(describeVersion),
    })),
  };
}

function describeVersion({ version, resources }: ServedVersion): JsonObject {
  return { version, resources: resources.map(describeResource), freshness: "Current" };
}

function describeResource(resource: ServedResource): JsonObject {
  const { definition, subresources } = resource;
  const { plural, singular, scope, shortNames = [], categories = [] } = definition;
  return {
    resource: plural,
    responseKind: responseKind(resource, definition),
    scope,
    singularResource: singular,
    verbs: discoveredVerbs(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources: subresources.map((each) => describeSubresource(resource, each)) }),
  };
}

function describeSubresource(resource: ServedResource, { name, kind, verbs }: ServedSubresource): JsonObject {
  return { subresource: name, responseKind: responseKind(resource, kind ?? resource.definition), verbs };
}

type Kind = { readonly group: string; readonly version: string; readonly kind: string };

/** Built-in resources leave group and version empty where they are those of the document, as kube-apiserver does. */
function responseKind({ custom, definition }: ServedResource, { group, version, kind }: Kind): JsonObject {
  const isHere = group === definition.group && version === definition.version;
  return !custom && isHere ? { group: "", version: "", kind } : { group, version, kind };
}
