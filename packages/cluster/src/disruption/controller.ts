/** The disruption controller: keeps the status of PodDisruptionBudgets, by which evictions are granted. plan.ts counts. */
import { Deployment, ReplicaSet, StatefulSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { getControllerOf, type KubernetesObject, type OwnerReference, selectorMatches } from "@kubewright/core/meta";
import {
  after,
  type Client,
  type Controller,
  defineController,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type WatchContext,
  watch,
} from "@kubewright/runtime";
import type { ObjectFeed } from "../feed/object-feed.ts";
import { findScale, kindOfTarget } from "../scale/scale-target.ts";
import { writeStatus } from "../workload/write-status.ts";
import { budgetStatus, failedStatus, needsScale } from "./plan.ts";

/** Keeps PodDisruptionBudgets. */
export function createDisruptionController(feed: ObjectFeed): Controller<PodDisruptionBudget> {
  return defineController<PodDisruptionBudget>({
    name: "disruption-controller",
    for: PodDisruptionBudget,
    watches: [
      watch(Pod, { map: budgetsOf }),
      ...[Deployment, ReplicaSet, StatefulSet].map((kind) =>
        watch<KubernetesObject>(kind, { map: budgetsBeside, predicate: ({ type }) => type !== "added" }),
      ),
    ],
    async reconcile(budget, context): Promise<Outcome> {
      const pods = podsOf(budget, context);
      if (pods.length === 0) context.events.normal("NoPods", "No matching pods found");
      const now = context.clock.now();
      try {
        const expectedScale = needsScale(budget) ? await scaleOf(pods, feed, context) : 0;
        const { status, recheckAt } = budgetStatus({ budget, pods, expectedScale, now });
        await writeStatus(context.client, PodDisruptionBudget, budget, status);
        return recheckAt === undefined ? undefined : after(Math.max(0, recheckAt - now));
      } catch (error) {
        if (!(error instanceof ScaleUnknown)) throw error;
        context.events.warning(
          "CalculateExpectedPodCountFailed",
          `Failed to calculate the number of expected pods: ${error.message}`,
        );
        await writeStatus(context.client, PodDisruptionBudget, budget, failedStatus(budget, error.message, now));
        throw error;
      }
    },
  });
}

/** What the pods' controllers want cannot be found out. */
class ScaleUnknown extends Error {}

function podsOf(budget: PodDisruptionBudget, { cache }: ReconcileContext): readonly Pod[] {
  return cache
    .list(Pod, { namespace: budget.metadata?.namespace })
    .filter((pod) => selectorMatches(budget.spec?.selector, pod.metadata?.labels));
}

/** How many pods all controllers of the pods want together. Pods that nobody controls do not count. */
async function scaleOf(pods: readonly Pod[], feed: ObjectFeed, context: ReconcileContext): Promise<number> {
  const owners = new Map<string, { readonly owner: OwnerReference; readonly pod: Pod }>();
  for (const pod of pods) {
    const owner = scaledOwnerOf(pod, context);
    if (owner !== undefined) owners.set(owner.uid, { owner, pod });
  }
  const scales = await Promise.all(
    Array.from(owners.values(), ({ owner, pod }) => replicasOf(owner, pod, { feed, client: context.client })),
  );
  return scales.reduce((sum, replicas) => sum + replicas, 0);
}

/** A ReplicaSet of a Deployment is scaled by it. */
function scaledOwnerOf(pod: Pod, { cache }: ReconcileContext): OwnerReference | undefined {
  const owner = getControllerOf(pod);
  const set = owner?.kind === "ReplicaSet" ? cache.get(ReplicaSet, owner.name) : undefined;
  return (set && getControllerOf(set)) ?? owner;
}

async function replicasOf(
  owner: OwnerReference,
  pod: Pod,
  { feed, client }: { readonly feed: ObjectFeed; readonly client: Client },
): Promise<number> {
  const kind = kindOfTarget(feed, owner);
  if (kind?.hasScale === false) throw new ScaleUnknown(`${kind.resource} does not implement the scale subresource`);
  const scale = kind && (await findScale(client, kind, owner.name));
  if (scale?.metadata?.uid === owner.uid) return scale.spec?.replicas ?? 0;
  throw new ScaleUnknown(`found no controllers for pod ${JSON.stringify(pod.metadata?.name)}`);
}

function budgetsOf(pod: Pod, context: WatchContext): readonly ObjectKey[] {
  return budgetsIn(pod.metadata?.namespace, context)
    .filter(({ spec }) => selectorMatches(spec?.selector, pod.metadata?.labels))
    .map(keyOf);
}

function budgetsBeside({ metadata }: KubernetesObject, context: WatchContext): readonly ObjectKey[] {
  return budgetsIn(metadata?.namespace, context).map(keyOf);
}

function budgetsIn(namespace: string | undefined, { cache }: WatchContext): readonly PodDisruptionBudget[] {
  return cache.list(PodDisruptionBudget, { namespace });
}

function keyOf({ metadata }: PodDisruptionBudget): ObjectKey {
  return { name: metadata?.name ?? "", namespace: metadata?.namespace };
}
