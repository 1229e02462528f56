/**
 * From a kind to its resource definition, by asking the server: for programs that learn of kinds at run time. Answers are kept; a kind
 * that is not found is asked for anew, so CRDs that were installed meanwhile are found.
 */
import {
  apiVersionOf,
  type GroupVersionKind,
  type KubernetesObject,
  type ResourceDefinition,
} from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "./client.ts";
import { type UnstructuredObject, unstructured } from "./definitions.ts";

/** Finds resource definitions. */
export interface Discovery {
  /** The definition of a kind, or undefined when the server does not have it now. */
  find(kind: GroupVersionKind): Promise<ResourceDefinition<UnstructuredObject, KubernetesObject> | undefined>;
  /** All kinds of a group and version. */
  list(groupVersion: { readonly group: string; readonly version: string }): Promise<readonly DiscoveredDefinition[]>;
}

/** A definition that the server told. */
export type DiscoveredDefinition = ResourceDefinition<UnstructuredObject, KubernetesObject>;

/** One entry of an APIResourceList. */
interface ApiResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A discovery over a client. */
export function createDiscovery(client: Client): Discovery {
  const known = new Map<string, readonly DiscoveredDefinition[]>();
  const fetchGroup: Discovery["list"] = async (groupVersion) => {
    const path = groupVersion.group === "" ? `/api/${groupVersion.version}` : `/apis/${apiVersionOf(groupVersion)}`;
    try {
      const { resources } = (await client.request({ path })) as { readonly resources: readonly ApiResource[] };
      const definitions = toDefinitions(groupVersion, resources);
      known.set(apiVersionOf(groupVersion), definitions);
      return definitions;
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  };
  return {
    async find(kind) {
      const matches = ({ kind: name }: DiscoveredDefinition): boolean => name === kind.kind;
      return known.get(apiVersionOf(kind))?.find(matches) ?? (await fetchGroup(kind)).find(matches);
    },
    list: async (groupVersion) => known.get(apiVersionOf(groupVersion)) ?? fetchGroup(groupVersion),
  };
}

/** Subresources stand beside their resource as "pods/log". */
function toDefinitions(
  { group, version }: { readonly group: string; readonly version: string },
  resources: readonly ApiResource[],
): readonly DiscoveredDefinition[] {
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, singularName, namespaced, kind, shortNames = [], categories = [] }) =>
      unstructured({
        group,
        version,
        kind,
        plural: name,
        singular: singularName === undefined || singularName === "" ? kind.toLowerCase() : singularName,
        scope: namespaced ? "Namespaced" : "Cluster",
        shortNames,
        categories,
        subresources: resources.flatMap((other) =>
          other.name.startsWith(`${name}/`) ? [other.name.slice(name.length + 1)] : [],
        ),
      }),
    );
}
