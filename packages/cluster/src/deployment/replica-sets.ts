/**
 * The ReplicaSets of a Deployment as its rollout sees them: which one is made from the current template, which
 * revisions they have, and what a new one looks like. Pure; plan.ts decides what to do with them.
 */
import type { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import type { PodTemplateSpec } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { templateHash } from "../workload/template-hash.ts";

/** Label that tells the pods of one template from those of another. */
export const HASH_LABEL = "pod-template-hash";
/** Annotation with the number of a rollout, on the Deployment and its ReplicaSets. */
export const REVISION = "deployment.kubernetes.io/revision";
/** Annotation with the earlier numbers of a ReplicaSet that was rolled back to. */
export const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
/** Annotation with the Deployment's replicas when the ReplicaSet was last sized. */
export const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
/** Annotation with the most pods the Deployment allowed when the ReplicaSet was last sized. */
export const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

const notCopied = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
]);

/** The ReplicaSet made from the Deployment's template: the oldest, if several are. */
export function currentReplicaSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return byAge(sets).find((set) => sameTemplate(deployment.spec?.template, set.spec?.template));
}

/** Oldest first; by name where the times are equal. */
export function byAge(sets: readonly ReplicaSet[]): ReplicaSet[] {
  const key = (set: ReplicaSet): string => `${set.metadata?.creationTimestamp ?? ""} ${set.metadata?.name ?? ""}`;
  return sets.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** The number of the rollout that made the ReplicaSet; 0 when it has none. */
export function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata?.annotations?.[REVISION] ?? 0);
}

/** A ReplicaSet for the Deployment's template, without a size. Its name tells the template. */
export function replicaSetFor(deployment: Deployment): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec?.template ?? {}, status?.collisionCount ?? 0);
  const labels = { ...spec?.template.metadata?.labels, [HASH_LABEL]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${metadata?.name}-${hash}`,
      ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
    },
    spec: {
      ...(spec?.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec?.selector, matchLabels: { ...spec?.selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...spec?.template, metadata: { ...spec?.template.metadata, labels } } as PodTemplateSpec,
    },
  };
}

/** The annotations of the current ReplicaSet at `revision`: the Deployment's own, and what the rollout records. */
export function currentAnnotations(
  deployment: Deployment,
  existing: Readonly<Record<string, string>>,
  revision: number,
): Record<string, string> {
  const own = Object.entries(deployment.metadata?.annotations ?? {}).filter(([key]) => !notCopied.has(key));
  const before = Number(existing[REVISION] ?? 0);
  if (revision <= before) return { ...existing, ...Object.fromEntries(own) };
  const history = [existing[REVISION_HISTORY], before === 0 ? undefined : existing[REVISION]].filter(Boolean).join(",");
  return {
    ...existing,
    ...Object.fromEntries(own),
    [REVISION]: String(revision),
    ...(history === "" ? {} : { [REVISION_HISTORY]: history }),
  };
}

function sameTemplate(wanted: PodTemplateSpec | undefined, made: PodTemplateSpec | undefined): boolean {
  return deepEqual(withoutHash(wanted), withoutHash(made));
}

function withoutHash(template: PodTemplateSpec | undefined): object {
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
