/** The Deployment controller: rolls templates out through ReplicaSets. plan.ts decides, this carries it out. */
import { Deployment, type DeploymentStatus, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { getControllerOf, setController } from "@kubewright/core/meta";
import { isAlreadyExists } from "@kubewright/core/protocol";
import { after, type Controller, defineController, type ReconcileContext, watch } from "@kubewright/runtime";
import { claimFromCache } from "../workload/adopt.ts";
import { writeStatus } from "../workload/write-status.ts";
import { planRollout, type RolloutAction } from "./plan.ts";
import { currentReplicaSet, REVISION } from "./replica-sets.ts";
import { deploymentStatus, progressDeadline } from "./status.ts";

/** Keeps Deployments. */
export const deploymentController: Controller<Deployment> = defineController<Deployment>({
  name: "deployment-controller",
  for: Deployment,
  owns: [ReplicaSet],
  skipsOwnWrites: true,
  watches: [watch(Pod, { map: deploymentsOfPod, predicate: (event) => event.type === "deleted" })],
  async reconcile(deployment, context) {
    const sets = await claimFromCache(deployment, ReplicaSet, context);
    const pods = sets.flatMap((set) => context.cache.list(Pod, { controlledBy: set }));
    const { actions, revision } = planRollout({ deployment, sets, pods });
    for (const action of actions) await perform(deployment, action, context);
    // What was just written is in the cache, so that one status tells of the step and of its beginning.
    const now = context.clock.now();
    const present = actions.length === 0 ? sets : context.cache.list(ReplicaSet, { controlledBy: deployment });
    const current = currentReplicaSet(deployment, present);
    const status = deploymentStatus({ deployment, sets: present, current, now });
    await tell(deployment, { status, ...(current === undefined ? {} : { revision }) }, context);
    const deadline = progressDeadline(deployment, status);
    return deadline === undefined ? undefined : after(Math.max(0, deadline - now) + 1000);
  },
});

/** A Recreate rollout waits for old pods to go, so their end concerns the Deployment. */
function deploymentsOfPod(
  pod: Pod,
  { cache }: { readonly cache: ReconcileContext["cache"] },
): { name: string; namespace?: string | undefined }[] {
  const owner = getControllerOf(pod);
  const set = owner?.kind === "ReplicaSet" ? cache.get(ReplicaSet, owner.name) : undefined;
  const deployment = set === undefined ? undefined : getControllerOf(set);
  return deployment?.kind === "Deployment" ? [{ name: deployment.name, namespace: pod.metadata?.namespace }] : [];
}

async function perform(
  deployment: Deployment,
  action: RolloutAction,
  { client, events }: ReconcileContext,
): Promise<void> {
  const name = action.set.metadata?.name;
  switch (action.do) {
    case "create":
      await createSet(deployment, action.set, client);
      events.normal("ScalingReplicaSet", `Scaled up replica set ${name} from 0 to ${action.set.spec?.replicas}`);
      return;
    case "scale": {
      const before = action.set.spec?.replicas ?? 0;
      const { annotations, replicas } = action;
      const body = { metadata: { annotations }, spec: { replicas } };
      await client.patch(ReplicaSet, action.set, { merge: body });
      if (before === replicas) return;
      const direction = replicas > before ? "up" : "down";
      events.normal("ScalingReplicaSet", `Scaled ${direction} replica set ${name} from ${before} to ${replicas}`);
      return;
    }
    case "annotate": {
      const minReadySeconds = deployment.spec?.minReadySeconds ?? null;
      const body = { metadata: { annotations: action.annotations }, spec: { minReadySeconds } };
      await client.patch(ReplicaSet, action.set, { merge: body });
      return;
    }
    case "delete":
      await client.delete(ReplicaSet, action.set);
  }
}

/**
 * A ReplicaSet of that name with another template is a collision of hashes: counting it gives the next try another
 * name. One with the same template is our own, not yet seen.
 */
async function createSet(deployment: Deployment, set: ReplicaSet, client: ReconcileContext["client"]): Promise<void> {
  try {
    await client.create(ReplicaSet, setController(set, deployment));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.find(ReplicaSet, set);
    if (existing !== undefined && getControllerOf(existing)?.uid === deployment.metadata?.uid) return;
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    await client.patch(Deployment, deployment, { merge: { status: { collisionCount } } }, { subresource: "status" });
    throw error;
  }
}

/** Writes the status, and with it the revision, if they are new: an annotation that comes with a status is no new generation. */
async function tell(
  deployment: Deployment,
  { status, revision }: { readonly status: DeploymentStatus; readonly revision?: number },
  { client }: ReconcileContext,
): Promise<void> {
  const { annotations } = deployment.metadata ?? {};
  if (revision === undefined || annotations?.[REVISION] === String(revision)) {
    await writeStatus(client, Deployment, deployment, status);
    return;
  }
  const metadata = { ...deployment.metadata, annotations: { ...annotations, [REVISION]: String(revision) } };
  await client.update(Deployment, { ...deployment, metadata, status }, { subresource: "status" });
}
