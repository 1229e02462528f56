/**
 * The history of a pod template as ControllerRevisions: which one is the owner's template, what to create, to number
 * anew or to forget. Pure; carry-revisions.ts writes. Shared by StatefulSets and DaemonSets.
 */
import type { ControllerRevision } from "@kubewright/api/apps/v1";
import type { PodTemplateSpec } from "@kubewright/api/core/v1";
import { deepEqual, type KubernetesObject, setController } from "@kubewright/core/meta";
import { templateHash } from "./template-hash.ts";

/** Label with the hash of the template, on revisions and pods of DaemonSets. */
export const HASH_LABEL = "controller-revision-hash";
/** The same on revisions of StatefulSets, whose pods have the whole name of theirs under the other. */
const STATEFUL_HASH_LABEL = "controller.kubernetes.io/hash";

/** An owner of revisions. */
export type RevisionOwner = KubernetesObject & {
  readonly spec?: { readonly template: PodTemplateSpec; readonly revisionHistoryLimit?: number };
  readonly status?: { readonly collisionCount?: number };
};

/** What the history should become. */
export interface RevisionPlan {
  /** The revision of the owner's template, with its number. */
  readonly update: ControllerRevision;
  /** What to do to have it so. */
  readonly write: "create" | "renumber" | "nothing";
  /** Revisions beyond the limit, oldest first, that no pod has. */
  readonly remove: readonly ControllerRevision[];
}

/** The plan for `owner`, given its revisions and the names of those that are in use. */
export function planRevisions(
  owner: RevisionOwner,
  existing: readonly ControllerRevision[],
  inUse: ReadonlySet<string>,
): RevisionPlan {
  const sorted = existing.toSorted((left, right) => left.revision - right.revision);
  const last = sorted.at(-1);
  const wanted = revisionFor(owner, (last?.revision ?? 0) + 1);
  const same = sorted.findLast(({ data }) => deepEqual(data, wanted.data));
  const update = same === undefined ? wanted : same === last ? same : { ...same, revision: wanted.revision };
  const old = sorted.filter(
    ({ metadata }) => metadata?.name !== update.metadata?.name && !inUse.has(metadata?.name ?? ""),
  );
  const surplus = Math.max(0, old.length - (owner.spec?.revisionHistoryLimit ?? 10));
  const write = same === undefined ? "create" : same === last ? "nothing" : "renumber";
  return { update, write, remove: old.slice(0, surplus) };
}

/** The template that a revision holds. */
export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const data = revision.data as { readonly spec?: { readonly template?: Record<string, unknown> } } | undefined;
  const { $patch: _directive, ...template } = data?.spec?.template ?? {};
  return template as PodTemplateSpec;
}

/** The hash in the name of a DaemonSet's revision. */
export function hashOf(revision: ControllerRevision): string {
  return revision.metadata?.labels?.[HASH_LABEL] ?? "";
}

function revisionFor(owner: RevisionOwner, revision: number): ControllerRevision {
  const template = owner.spec?.template;
  const hash = templateHash(template ?? {}, owner.status?.collisionCount ?? 0);
  const { name, namespace, annotations } = owner.metadata ?? {};
  const label = owner.kind === "StatefulSet" ? STATEFUL_HASH_LABEL : HASH_LABEL;
  const made: ControllerRevision = {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template?.metadata?.labels, [label]: hash },
      ...(annotations === undefined ? {} : { annotations }),
    },
    data: { spec: { template: { ...template, $patch: "replace" } } },
    revision,
  };
  return setController(made, owner);
}
