/**
 * Anything that can be scaled, by kind and name: built-in workloads and custom resources with a scale subresource alike. Read by
 * the disruption controller, read and written by the autoscaler.
 */
import type { Scale } from "@kubewright/api/autoscaling/v1";
import { parseApiVersion } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import type { Client } from "@kubewright/runtime";
import type { ObjectFeed } from "../feed/object-feed.ts";
import type { ServedKind } from "../feed/served-kinds.ts";

/** What is scaled; in the namespace of whoever names it. */
export interface ScaleTarget {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** The kind that a target names; undefined when it is not served. */
export function kindOfTarget(feed: ObjectFeed, { apiVersion = "v1", kind }: ScaleTarget): ServedKind | undefined {
  const { group } = parseApiVersion(apiVersion);
  return feed.kinds.find(({ definition }) => definition.kind === kind && definition.group === group);
}

/** The scale of a target; undefined when it, or its scale, is not there. */
export async function findScale(client: Client, kind: ServedKind, name: string): Promise<Scale | undefined> {
  try {
    return await client.subresource<Scale>(kind.definition, "scale").get(name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Writes how many replicas a target should have. */
export async function writeScale(client: Client, kind: ServedKind, name: string, replicas: number): Promise<void> {
  await client.subresource<Scale>(kind.definition, "scale").patch(name, { merge: { spec: { replicas } } });
}
