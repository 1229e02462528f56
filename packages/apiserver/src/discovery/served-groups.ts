/**
 * The served resources by group and version, in the order of discovery documents: built-in groups by their priority,
 * then the groups of CRDs by name; in a group the preferred version first. Input is the registry as it is now; the
 * documents of discovery and OpenAPI are made from it.
 */
import { builtinGroups } from "@kubewright/api/discovery";
import type { Registry } from "../registry/registry.ts";
import { compareApiVersions, compareText } from "../resource/api-version-order.ts";
import type { ServedResource } from "../resource/resource.ts";

/** A group with its versions, the preferred one first. */
export interface ServedGroup {
  /** "" for the core group. */
  readonly group: string;
  readonly versions: readonly ServedVersion[];
}

/** One version of a group with its resources. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** All groups that are served now; the core group is the first. */
export function servedGroups(registry: Registry): readonly ServedGroup[] {
  const groups = Map.groupBy(registry.all(), ({ definition }) => definition.group);
  return [...groups]
    .toSorted(([left], [right]) => groupRank(left) - groupRank(right) || compareText(left, right))
    .map(([group, resources]) => ({ group, versions: servedVersions(group, resources) }));
}

function servedVersions(group: string, resources: readonly ServedResource[]): readonly ServedVersion[] {
  const versions = Map.groupBy(resources, ({ definition }) => definition.version);
  return [...versions]
    .toSorted(([left], [right]) => compareApiVersions(left, right))
    .map(([version, served]) => ({ group, version, resources: inOrder(served) }));
}

/** CRDs are told by the name of their resource, whenever they came. */
function inOrder(resources: readonly ServedResource[]): readonly ServedResource[] {
  const custom = resources.filter((resource) => resource.custom);
  if (custom.length === 0) return resources;
  custom.sort((left, right) => compareText(left.definition.plural, right.definition.plural));
  return [...resources.filter((resource) => !resource.custom), ...custom];
}

const builtinRanks = new Map(builtinGroups.map(({ group }, index) => [group, index]));

function groupRank(group: string): number {
  return builtinRanks.get(group) ?? builtinRanks.size;
}
