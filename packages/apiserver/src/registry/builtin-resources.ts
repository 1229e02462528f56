/** The built-in resources as the server serves them: the facts of `@kubewright/api/discovery` plus strategies. */
import { type BuiltinResource, type BuiltinSubresource, builtinGroups } from "@kubewright/api/discovery";
import { apiVersionOf, formatGroupResource } from "@kubewright/core/meta";
import type { StructuralSchema } from "@kubewright/core/schema";
import { objectStart } from "../resource/object.ts";
import type { ServedResource, ServedSubresource, Verb } from "../resource/resource.ts";
import type { Strategy } from "../resource/strategy.ts";

/** Strategies by qualified resource name ("deployments.apps"); a resource without one is kept as it is. */
export type Strategies = ReadonlyMap<string, Strategy>;

/** How resources are stored that have the same objects under several names, by "group/version/plural". */
export type StoredForms = ReadonlyMap<
  string,
  Pick<ServedResource, "storageName" | "storageApiVersion" | "isRenamed"> & Required<Pick<ServedResource, "convert">>
>;

/** Every built-in resource. */
export function builtinResources(
  strategies: Strategies,
  storedForms: StoredForms = new Map(),
): readonly ServedResource[] {
  return builtinGroups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((resource) => ({
        ...toServedResource({ group, version }, resource, strategies),
        ...storedForms.get(`${group}/${version}/${resource.name}`),
      })),
    ),
  );
}

/** What clients are told of kinds that are on their way out. */
const DEPRECATIONS: ReadonlyMap<string, string> = new Map([
  ["v1 Endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  ["v1 ComponentStatus", "v1 ComponentStatus is deprecated in v1.19+"],
]);

type GroupVersion = { readonly group: string; readonly version: string };

function toServedResource(place: GroupVersion, resource: BuiltinResource, strategies: Strategies): ServedResource {
  const { name, singular, kind, namespaced, shortNames = [], categories = [], subresources = [] } = resource;
  const storageName = formatGroupResource({ group: place.group, plural: name });
  const deprecation = DEPRECATIONS.get(`${apiVersionOf(place)} ${kind}`);
  return {
    definition: {
      ...place,
      kind,
      plural: name,
      singular,
      scope: namespaced ? "Namespaced" : "Cluster",
      shortNames,
      categories,
      subresources: subresources.map((subresource) => subresource.name),
    },
    verbs: resource.verbs as readonly Verb[],
    subresources: subresources.map((subresource) => toServedSubresource(place, subresource)),
    textStart: objectStart(apiVersionOf(place), kind),
    storageName,
    storageApiVersion: apiVersionOf(place),
    custom: false,
    ...(deprecation === undefined ? {} : { deprecation }),
    strategy: strategies.get(storageName) ?? {},
    schema: onceLoaded(async () =>
      (await import("@kubewright/api/schemas")).schemaOf(place.group, place.version, kind),
    ),
  };
}

/** The schema, loaded when it is first asked for: importing a module again costs more than a small write. */
function onceLoaded(
  load: () => Promise<StructuralSchema | undefined>,
): () => StructuralSchema | Promise<StructuralSchema> {
  let loaded: StructuralSchema | undefined;
  const keep = (schema: StructuralSchema = {}): StructuralSchema => {
    loaded = schema;
    return schema;
  };
  return () => loaded ?? load().then(keep);
}

function toServedSubresource(place: GroupVersion, subresource: BuiltinSubresource): ServedSubresource {
  const { name, kind, group = place.group, version = place.version, verbs } = subresource;
  return { name, kind: { group, version, kind }, verbs: verbs as readonly Verb[] };
}
