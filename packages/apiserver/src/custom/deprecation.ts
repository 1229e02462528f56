/** What clients of a deprecated version of a CRD are warned of; custom-resources.ts adds it to what is served. */

import type { Crd, CrdVersion } from "@kubewright/core/schema";
import { compareApiVersions } from "../resource/api-version-order.ts";

/** The warning of a version: its own, or which version to use instead. Empty for versions that are not deprecated. */
export function deprecationOf(
  { spec }: Crd,
  { name, deprecated, deprecationWarning }: CrdVersion,
): { readonly deprecation?: string } {
  if (deprecated !== true) return {};
  if (deprecationWarning !== undefined) return { deprecation: deprecationWarning };
  const [better] = spec.versions
    .filter((version) => version.served && version.deprecated !== true && compareApiVersions(version.name, name) < 0)
    .map((version) => version.name)
    .toSorted(compareApiVersions);
  const described = (version: string): string => `${spec.group}/${version} ${spec.names.kind}`;
  const advice = better === undefined ? "" : `; use ${described(better)}`;
  return { deprecation: `${described(name)} is deprecated${advice}` };
}
