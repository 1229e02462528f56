/** The scheduler: binds pods that have no node to one that can take them. choose-node.ts decides. */
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { StorageClass } from "@kubewright/api/storage/v1";
import { isConflict, isNotFound } from "@kubewright/core/protocol";
import {
  backoff,
  type Controller,
  defineController,
  type InformerEvent,
  type ObjectKey,
  type ReconcileContext,
  watch,
} from "@kubewright/runtime";
import { isPodFinished } from "../workload/pod-state.ts";
import { availability, chooseNode } from "./choose-node.ts";
import { NodeLedger } from "./node-ledger.ts";
import { placeClaims } from "./place-claims.ts";
import { preempt, SCHEDULER } from "./preempt.ts";
import { planPreemption } from "./preemption.ts";
import type { Surroundings } from "./surroundings.ts";
import { type ClaimPlace, placesOn, type VolumeNeeds, volumeNeeds } from "./volume-needs.ts";

/** Binds pods to nodes, one at a time, so that each decision knows the ones before it. */
export function createScheduler(): Controller<Pod> {
  const ledger = new NodeLedger();
  /** Pods that have no node yet, by uid: what happens to other pods may make room for them, or to volumes. */
  const unplaced = new Map<string, ObjectKey>();
  const allUnplaced = (): readonly ObjectKey[] => [...unplaced.values()];
  return defineController<Pod>({
    name: SCHEDULER,
    for: Pod,
    concurrency: 1,
    crossNamespace: true, // Volumes, which it reserves, are in no namespace.
    reads: [Namespace, PodDisruptionBudget],
    watches: [
      watch(Node, { map: (_node, { cache }) => cache.list(Pod).filter(isWaiting).map(keyOfPod) }),
      watch(Pod, { map: allUnplaced, predicate: (event) => unplaced.size > 0 && movesPods(event) }),
      watch(PersistentVolumeClaim, { map: allUnplaced }),
      watch(PersistentVolume, { map: allUnplaced }),
      watch(StorageClass, { map: allUnplaced }),
    ],
    predicate: ({ type, object, previous }) => {
      // The predicate sees every change of every pod, in order: that is what the ledger needs.
      ledger.note(object, type === "deleted");
      if (previous !== undefined && previous.metadata?.uid !== object.metadata?.uid) ledger.note(previous, true);
      const isOurs = type !== "deleted" && isWaiting(object);
      if (!isOurs) unplaced.delete(object.metadata?.uid ?? "");
      return isOurs;
    },
    async reconcile(pod, context) {
      if (!isWaiting(pod)) return undefined;
      const loads = context.cache.list(Node).map((node) => ledger.loadOf(node, pod));
      const around = surroundings(pod, ledger, context);
      const needs = volumeNeeds(pod, around);
      const choice =
        needs.problem === undefined ? chooseNode(pod, loads, around) : unready(loads.length, needs.problem);
      if ("problem" in choice) {
        unplaced.set(pod.metadata?.uid ?? "", keyOfPod(pod));
        const budgets = (): readonly PodDisruptionBudget[] => context.cache.list(PodDisruptionBudget);
        const preemption = needs.problem === undefined ? planPreemption(pod, loads, around, budgets) : undefined;
        if (preemption !== undefined && "node" in preemption) ledger.nominate(pod, preemption.node);
        const problem = await preempt(pod, choice.problem, preemption, context);
        return backoff(problem);
      }
      if (needs.late.length > 0) {
        unplaced.set(pod.metadata?.uid ?? "", keyOfPod(pod));
        ledger.nominate(pod, choice.node);
        await placeClaims(placesFor(choice.node, needs, around), choice.node, context);
        return undefined; // It gets its node when its claims are bound.
      }
      unplaced.delete(pod.metadata?.uid ?? "");
      ledger.place(pod, choice.node);
      const bound = await bind(pod, choice.node, context);
      if (!bound) ledger.note(pod, true);
      return undefined;
    },
  });
}

function surroundings(pod: Pod, ledger: NodeLedger, { cache }: ReconcileContext): Surroundings {
  const rivals = ledger.rivalsOf(pod);
  return {
    placed: () => [...ledger.placed(), ...rivals],
    repelling: () => [...ledger.repelling(), ...rivals],
    attracting: () => ledger.attracting(),
    nominated: ledger.nominationOf(pod),
    node: (name) => cache.get(Node, { name }),
    claim: (key) => cache.get(PersistentVolumeClaim, key),
    volume: (name) => cache.get(PersistentVolume, name),
    volumes: () => cache.list(PersistentVolume),
    storageClass: (name) => cache.get(StorageClass, name),
    namespaceLabels: (name) => cache.get(Namespace, { name })?.metadata?.labels,
  };
}

/** Pods whose claims are not ready are looked at no further. The last words are those of the plugin of device claims then. */
function unready(nodes: number, problem: string): { readonly problem: string } {
  return {
    problem: nodes === 0 ? availability(0, new Map()) : `0/${nodes} nodes are available: ${problem}. not found`,
  };
}

function placesFor(name: string, { late }: VolumeNeeds, around: Surroundings): readonly ClaimPlace[] {
  const node = around.node(name);
  return (node && placesOn(node, late, around)) ?? [];
}

/** True when a pod came to a node, left it or got other labels: what other pods ask about. */
function movesPods({ type, object, previous }: InformerEvent<Pod>): boolean {
  if (type === "deleted" || previous === undefined) return object.spec?.nodeName !== undefined;
  const isMoved =
    previous.spec?.nodeName !== object.spec?.nodeName || isPodFinished(previous) !== isPodFinished(object);
  return isMoved || JSON.stringify(previous.metadata?.labels) !== JSON.stringify(object.metadata?.labels);
}

/** Pods that this scheduler is to place: without a node, without gates, and neither ended nor ending. */
function isWaiting(pod: Pod): boolean {
  const { spec, metadata } = pod;
  const gated = (spec?.schedulingGates ?? []).length > 0;
  const ours = (spec?.schedulerName ?? SCHEDULER) === SCHEDULER;
  return ours && !spec?.nodeName && !gated && metadata?.deletionTimestamp === undefined && !isPodFinished(pod);
}

/** False when there is nothing left to place: the pod is gone, or somebody else bound it. */
async function bind(pod: Pod, node: string, { client, events }: ReconcileContext): Promise<boolean> {
  const { name = "", namespace = "", uid } = pod.metadata ?? {};
  const body = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, namespace, uid },
    target: { apiVersion: "v1", kind: "Node", name: node },
  };
  try {
    await client.subresource(Pod, "binding").create(pod, body);
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
  events.normal("Scheduled", `Successfully assigned ${namespace}/${name} to ${node}`);
  return true;
}

function keyOfPod(pod: Pod): ObjectKey {
  return { name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace };
}
