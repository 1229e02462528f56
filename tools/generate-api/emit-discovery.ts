/**
 * Prints the table behind `@kubewright/api/discovery`: the resources of all group versions that are on by default,
 * which since Kubernetes 1.24 are the stable ones. One line per resource keeps the differences of an upgrade readable.
 */
import type { BuiltinResource, BuiltinSubresource } from "../../packages/api/src/discovery.ts";
import type { DiscoveredResource, DiscoveredVersion } from "./kubernetes-source.ts";
import { HEADER } from "./output.ts";

/** The source text of the table. */
export function emitDiscovery(versions: readonly DiscoveredVersion[]): string {
  const byGroup = Map.groupBy(versions.filter(isOnByDefault), ({ group }) => group);
  const groups = [...byGroup].map(([group, entries]) => {
    const printed = entries.map(printVersion).join("");
    return `  {\n    group: ${JSON.stringify(group)},\n    versions: [\n${printed}    ],\n  },\n`;
  });
  return `${HEADER}
/** Groups, versions and resources in the order of discovery documents. */
export const groups = [\n${groups.join("")}] as const;\n`;
}

function isOnByDefault({ version }: DiscoveredVersion): boolean {
  return /^v\d+$/.test(version);
}

function printVersion({ version, resources }: DiscoveredVersion): string {
  const lines = resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => `          ${JSON.stringify(toBuiltin(resource, resources))},\n`);
  return `      {\n        version: "${version}",\n        resources: [\n${lines.join("")}        ],\n      },\n`;
}

function toBuiltin(resource: DiscoveredResource, all: readonly DiscoveredResource[]): BuiltinResource {
  const prefix = `${resource.name}/`;
  const subresources = all
    .filter(({ name }) => name.startsWith(prefix))
    .map((subresource) => toSubresource(subresource, prefix));
  const {
    name,
    singularName: singular,
    kind,
    namespaced,
    verbs,
    shortNames,
    categories,
    storageVersionHash,
  } = resource;
  return {
    name,
    singular,
    kind,
    namespaced,
    verbs,
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function toSubresource(subresource: DiscoveredResource, prefix: string): BuiltinSubresource {
  const { name, kind, group, version, verbs } = subresource;
  return {
    name: name.slice(prefix.length),
    kind,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    verbs,
  };
}
