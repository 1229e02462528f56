/**
 * What on a real cluster is still under way, judged from its objects alone: Kubernetes' controllers are processes of their
 * own, and nobody can ask them whether they have seen the last change. Pure; settle.ts asks again until nothing is left.
 */
import { apiVersionOf, type GroupVersionKind, getControllerOf, type KubernetesObject } from "@kubewright/core/meta";

/** The fields by which workloads tell how far they are. */
interface Workload extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly suspend?: boolean;
    readonly paused?: boolean;
    readonly hard?: object;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly phase?: string;
    readonly hard?: object;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * What is under way with the first object that is not at rest; undefined when all are. `objects` are all there are of `kinds`, and
 * what has lost an owner of these is about to be collected as garbage.
 */
export function findUnrest(
  objects: readonly KubernetesObject[],
  kinds: readonly GroupVersionKind[],
): string | undefined {
  const owners = new Set(kinds.map((kind) => `${apiVersionOf(kind)} ${kind.kind}`));
  const uids = new Set(objects.map(({ metadata }) => metadata?.uid));
  for (const object of objects) {
    const owner = getControllerOf(object);
    const isOrphan = owner !== undefined && owners.has(`${owner.apiVersion} ${owner.kind}`) && !uids.has(owner.uid);
    const why = isOrphan ? "has lost its owner" : unrestOf(object);
    if (why !== undefined) return `${object.kind} ${object.metadata?.name} ${why}`;
  }
  return undefined;
}

function unrestOf(object: Workload): string | undefined {
  const { metadata, status } = object;
  if (metadata?.deletionTimestamp !== undefined) return "is being deleted";
  const observed = status?.observedGeneration;
  if (observed !== undefined && observed !== metadata?.generation) return "has a change that nobody looked at";
  return CHECKS[object.kind ?? ""]?.(object) === false ? "is not where it should be" : undefined;
}

/** By kind: whether the status says that all is done. */
const CHECKS: Readonly<Record<string, (object: Workload) => boolean>> = {
  Deployment: (object) => isRolledOut(object, object.status?.updatedReplicas, object.status?.availableReplicas),
  StatefulSet: (object) => isRolledOut(object, object.status?.updatedReplicas, object.status?.readyReplicas),
  ReplicaSet: (object) => isRolledOut(object, object.status?.replicas, object.status?.availableReplicas),
  DaemonSet: ({ status }) =>
    status?.observedGeneration !== undefined && (status.numberAvailable ?? 0) === (status.desiredNumberScheduled ?? 0),
  Job: ({ spec, status }) => spec?.suspend === true || hasTrue(status, "Complete") || hasTrue(status, "Failed"),
  Pod: ({ status }) => status?.phase !== "Pending",
  ResourceQuota: ({ status }) => status?.hard !== undefined,
};

function isRolledOut({ spec, status }: Workload, updated = 0, available = 0): boolean {
  const wanted = spec?.replicas ?? 1;
  if (status?.observedGeneration === undefined) return false;
  if (spec?.paused === true) return true;
  return [status.replicas ?? 0, updated, available].every((count) => count === wanted);
}

function hasTrue(status: Workload["status"], type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}
