/**
 * The controllers of ReplicaSets and of ReplicationControllers, their elders: as many pods of the template as wanted.
 * plan.ts decides, this carries it out.
 */
import { ReplicaSet, type ReplicaSetCondition, type ReplicaSetStatus } from "@kubewright/api/apps/v1";
import { Pod, ReplicationController } from "@kubewright/api/core/v1";
import { formatTime, type KubernetesObject, setController } from "@kubewright/core/meta";
import { after, type Controller, defineController, type Outcome, type ReconcileContext } from "@kubewright/runtime";
import { claimFromCache } from "../workload/adopt.ts";
import { nextAvailability } from "../workload/pod-state.ts";
import { podFromTemplate } from "../workload/pod-template.ts";
import { slowStart } from "../workload/slow-start.ts";
import { writeStatus } from "../workload/write-status.ts";
import { planReplicaSet, replicaSetStatus } from "./plan.ts";

/** Keeps ReplicaSets. */
export const replicaSetController: Controller<ReplicaSet> = defineController<ReplicaSet>({
  name: "replicaset-controller",
  for: ReplicaSet,
  owns: [Pod],
  skipsOwnWrites: true,
  reconcile: (set, context) =>
    keepReplicas(set, context, (status) => writeStatus(context.client, ReplicaSet, set, status)),
});

/** Keeps ReplicationControllers: ReplicaSets whose selector is a plain set of labels. */
export const replicationController: Controller<ReplicationController> = defineController<ReplicationController>({
  name: "replicationcontroller-controller",
  for: ReplicationController,
  owns: [Pod],
  skipsOwnWrites: true,
  reconcile(elder, context) {
    const { selector, ...spec } = elder.spec ?? {};
    const matchLabels = selector ?? spec.template?.metadata?.labels ?? {};
    const set = { ...elder, spec: { ...spec, selector: { matchLabels } } } as KubernetesObject as ReplicaSet;
    return keepReplicas(set, context, ({ terminatingReplicas: _unknown, ...status }) =>
      writeStatus(context.client, ReplicationController, elder, status),
    );
  },
});

async function keepReplicas(
  set: ReplicaSet,
  context: ReconcileContext,
  write: (status: ReplicaSetStatus) => Promise<unknown>,
): Promise<Outcome> {
  const pods = await claimFromCache(set, Pod, context);
  const { create, remove } = planReplicaSet(set, pods);
  const problem = await perform(set, create, remove, context);
  // New pods bring the next reconcile, which counts them: a status before that would be outdated at once.
  if (create > 0 && problem === undefined) return undefined;
  const now = context.clock.now();
  const status = replicaSetStatus(set, pods, now);
  await write(withFailure(set, status, problem, now));
  if (problem !== undefined) throw problem.error;
  const wakeAt = nextAvailability(pods, set.spec?.minReadySeconds ?? 0, now);
  return wakeAt === undefined ? undefined : after(wakeAt - now);
}

interface Problem {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly error: Error;
}

/** Creates and deletes; the first failure ends it and is shown in the status. */
async function perform(
  set: ReplicaSet,
  create: number,
  remove: readonly Pod[],
  { client, events }: ReconcileContext,
): Promise<Problem | undefined> {
  try {
    await slowStart(create, async () => {
      const pod = await client.create(Pod, setController(podFromTemplate(set, set.spec?.template), set));
      events.normal("SuccessfulCreate", `Created pod: ${pod.metadata?.name}`);
    });
  } catch (error) {
    events.warning("FailedCreate", `Error creating: ${messageOf(error)}`);
    return { reason: "FailedCreate", error: toError(error) };
  }
  try {
    await Promise.all(
      remove.map(async (pod) => {
        await client.delete(Pod, pod);
        events.normal("SuccessfulDelete", `Deleted pod: ${pod.metadata?.name}`);
      }),
    );
    return undefined;
  } catch (error) {
    events.warning("FailedDelete", `Error deleting: ${messageOf(error)}`);
    return { reason: "FailedDelete", error: toError(error) };
  }
}

/** The first failure stays as it was told until there is none: each try fails with the name of another pod. */
function withFailure(
  set: ReplicaSet,
  status: ReplicaSetStatus,
  problem: Problem | undefined,
  now: number,
): ReplicaSetStatus {
  const before = set.status?.conditions ?? [];
  const others = before.filter(({ type }) => type !== "ReplicaFailure");
  if (problem === undefined) return others.length === 0 ? status : { ...status, conditions: others };
  const known = before.find(({ type }) => type === "ReplicaFailure");
  const failure: ReplicaSetCondition = known ?? {
    type: "ReplicaFailure",
    status: "True",
    reason: problem.reason,
    message: problem.error.message,
    lastTransitionTime: formatTime(now),
  };
  return { ...status, conditions: [...others, failure] };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function messageOf(error: unknown): string {
  return toError(error).message;
}
