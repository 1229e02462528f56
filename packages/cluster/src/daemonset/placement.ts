/** Where the pods of a DaemonSet run: on which nodes, and what a pod for one node looks like. Pure. */
import type { DaemonSet } from "@kubewright/api/apps/v1";
import type { Node, Pod, PodSpec, Toleration } from "@kubewright/api/core/v1";
import { setController } from "@kubewright/core/meta";
import { matchesSelection, untoleratedTaint } from "../scheduler/node-selection.ts";
import { podFromTemplate } from "../workload/pod-template.ts";
import { HASH_LABEL } from "../workload/revisions.ts";

const GENERATION = "deprecated.daemonset.template.generation";

/** Pods of DaemonSets stay on nodes in trouble. */
const tolerations: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];
const networkToleration: Toleration = {
  key: "node.kubernetes.io/network-unavailable",
  operator: "Exists",
  effect: "NoSchedule",
};

/** What a node means to a DaemonSet. */
export interface Placement {
  /** A pod should run there. */
  readonly runs: boolean;
  /** A pod that runs there may stay. */
  readonly stays: boolean;
}

/** Whether pods of the set run on `node`. */
export function placementOn(set: DaemonSet, node: Node): Placement {
  const pod = podOn(set, node.metadata?.name ?? "", "");
  const asked = set.spec?.template.spec?.nodeName;
  if ((asked && asked !== node.metadata?.name) || !matchesSelection(withoutPin(pod, set), node)) {
    return { runs: false, stays: false };
  }
  const taint = untoleratedTaint(pod, node, ["NoSchedule", "NoExecute"]);
  const expels = untoleratedTaint(pod, node, ["NoExecute"]);
  return { runs: taint === undefined, stays: expels === undefined };
}

/** The pod of the set for one node, at the revision with `hash`. */
export function podOn(set: DaemonSet, node: string, hash: string): Pod {
  const pod = podFromTemplate(set, set.spec?.template);
  const generation = set.metadata?.annotations?.[GENERATION] ?? String(set.metadata?.generation ?? 1);
  const labels = { ...pod.metadata?.labels, [HASH_LABEL]: hash, "pod-template-generation": generation };
  const spec = pinned(pod.spec ?? { containers: [] }, node);
  return setController({ ...pod, metadata: { ...pod.metadata, labels }, spec }, set);
}

/** The node that a pod of a DaemonSet is for, before and after it is bound. */
export function nodeOf(pod: Pod): string | undefined {
  if (pod.spec?.nodeName) return pod.spec.nodeName;
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms?.[0]?.matchFields?.find(({ key }) => key === "metadata.name")?.values?.[0];
}

/** The node is named in place of whatever selected it: its labels may change under a pod that runs. */
function pinned(spec: PodSpec, node: string): PodSpec {
  const nodeSelectorTerms = [{ matchFields: [{ key: "metadata.name", operator: "In" as const, values: [node] }] }];
  const added = [...tolerations, ...(spec.hostNetwork ? [networkToleration] : [])];
  const own = (spec.tolerations ?? []).filter((each) => !added.some((other) => isSame(each, other)));
  return {
    ...spec,
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
      },
    },
    tolerations: [...own, ...added],
  };
}

function isSame(left: Toleration, right: Toleration): boolean {
  return left.key === right.key && left.effect === right.effect && left.operator === right.operator;
}

/** The pod as its template selects nodes, without the node it is made for. */
function withoutPin(pod: Pod, set: DaemonSet): Pod {
  const { affinity } = set.spec?.template.spec ?? {};
  const { affinity: _pinned, ...spec } = pod.spec ?? { containers: [] };
  return { ...pod, spec: { ...spec, ...(affinity === undefined ? {} : { affinity }) } };
}
