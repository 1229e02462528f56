/**
 * The kinds whose objects come and go: built-in ones from the tables of `@kubewright/api`, custom ones from CRDs. The
 * object feed follows them; the garbage collector and the namespace controller work on them.
 */
import type { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { type BuiltinGroup, type BuiltinResource, builtinGroups } from "@kubewright/api/discovery";
import { formatGroupResource } from "@kubewright/core/meta";
import { type DiscoveredDefinition, unstructured } from "@kubewright/runtime";

/** A kind that is served, under all its versions. */
export interface ServedKind {
  /** How its objects are read and written. */
  readonly definition: DiscoveredDefinition;
  /** "deployments.apps": what storage calls it. */
  readonly resource: string;
  /** All versions under which owners may name it. */
  readonly versions: readonly string[];
  /** Whether all objects of a namespace can be deleted by one request. */
  readonly deletesCollections: boolean;
  /** Whether its objects can be scaled. */
  readonly hasScale: boolean;
}

/** The built-in kinds that can be listed, watched and deleted. */
export function builtinKinds(): readonly ServedKind[] {
  return builtinGroups.flatMap((group) => {
    const resources = group.versions.flatMap(({ version, resources }) =>
      resources.map((resource) => ({ version, resource })),
    );
    const byName = Map.groupBy(resources, ({ resource }) => resource.name);
    return [...byName.values()].flatMap((served) => builtinKind(group, served) ?? []);
  });
}

/** The kind that a CRD defines; undefined when no version of it is served. */
export function customKind({ spec }: CustomResourceDefinition): ServedKind | undefined {
  const { group, names, scope } = spec;
  const served = spec.versions.filter((version) => version.served);
  const [first] = served;
  if (first === undefined) return undefined;
  return {
    definition: unstructured({
      group,
      version: first.name,
      kind: names.kind,
      plural: names.plural,
      scope: scope === "Cluster" ? "Cluster" : "Namespaced",
    }),
    resource: formatGroupResource({ group, plural: names.plural }),
    versions: served.map(({ name }) => name),
    deletesCollections: true,
    hasScale: first.subresources?.scale !== undefined,
  };
}

function builtinKind(
  { group }: BuiltinGroup,
  served: readonly { readonly version: string; readonly resource: BuiltinResource }[],
): ServedKind | undefined {
  const [first] = served; // The preferred version.
  if (first === undefined || !isCollectable(first.resource)) return undefined;
  const { name, kind, namespaced, verbs, subresources = [] } = first.resource;
  return {
    definition: unstructured({
      group,
      version: first.version,
      kind,
      plural: name,
      scope: namespaced ? "Namespaced" : "Cluster",
    }),
    resource: formatGroupResource({ group, plural: name }),
    versions: served.map(({ version }) => version),
    deletesCollections: verbs.includes("deletecollection"),
    hasScale: subresources.some((subresource) => subresource.name === "scale"),
  };
}

function isCollectable({ verbs }: BuiltinResource): boolean {
  return ["delete", "list", "watch"].every((verb) => verbs.includes(verb));
}
