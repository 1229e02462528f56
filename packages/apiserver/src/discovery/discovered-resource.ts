/** What both forms of discovery tell of a resource: its verbs and the hash of the version it is stored in. */
import { createHash } from "node:crypto";
import { builtinGroups } from "@kubewright/api/discovery";
import type { ServedResource, Verb } from "../resource/resource.ts";

/** In kube-apiserver's order, which for custom resources is not sorted. */
const CUSTOM_VERBS: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];
/** What may still be done with the objects of a CRD that is going. */
const TERMINATING_VERBS: readonly Verb[] = ["delete", "deletecollection", "get", "list", "watch"];

/** The verbs that discovery tells of a resource. */
export function discoveredVerbs({ custom, terminating = false, verbs }: ServedResource): readonly Verb[] {
  if (!custom) return verbs;
  return terminating ? TERMINATING_VERBS : CUSTOM_VERBS;
}

/** Changes with the version a resource is stored in; undefined for what is not stored. */
export function storageVersionHash({ custom, definition, storageApiVersion }: ServedResource): string | undefined {
  if (!custom) return builtinHashes.get(`${definition.group}/${definition.version}/${definition.plural}`);
  const hash = createHash("sha256").update(`${storageApiVersion}/${definition.kind}`).digest();
  return hash.subarray(0, 8).toString("base64");
}

const builtinHashes = new Map(
  builtinGroups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ name, storageVersionHash: hash }) => [`${group}/${version}/${name}`, hash] as const),
    ),
  ),
);
