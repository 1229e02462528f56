/** The StatefulSet controller: pods with names and claims of their own, in order. plan.ts decides, this carries it out. */
import { ControllerRevision, StatefulSet } from "@kubewright/api/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { setController } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import { after, type Controller, defineController, type ReconcileContext } from "@kubewright/runtime";
import { claimFromCache } from "../workload/adopt.ts";
import { keepRevisions, type Revisions } from "../workload/carry-revisions.ts";
import { nextAvailability } from "../workload/pod-state.ts";
import { templateOf } from "../workload/revisions.ts";
import { writeStatus } from "../workload/write-status.ts";
import { withRetention } from "./claims.ts";
import { planStatefulSet, type StatefulSetAction } from "./plan.ts";
import { claimsFor, ordinalOf, podFor, revisionOfPod } from "./pods.ts";
import { statefulSetStatus } from "./status.ts";

/** Keeps StatefulSets. */
export const statefulSetController: Controller<StatefulSet> = defineController<StatefulSet>({
  name: "statefulset-controller",
  for: StatefulSet,
  owns: [Pod, ControllerRevision],
  reads: [PersistentVolumeClaim],
  async reconcile(set, context) {
    const claimed = await claimFromCache(set, Pod, context);
    const pods = claimed.filter((pod) => ordinalOf(set, pod) !== undefined);
    const inUse = new Set([...pods.map(revisionOfPod), set.status?.currentRevision ?? ""]);
    const revisions = await keepRevisions(StatefulSet, set, inUse, context);
    const updateRevision = revisions.update.metadata?.name ?? "";
    const currentRevision = set.status?.currentRevision || updateRevision;
    const now = context.clock.now();
    const state = { set, pods, currentRevision, updateRevision, now };
    await keepClaimOwners(set, pods, context);
    for (const action of planStatefulSet(state)) await perform(set, action, { context, revisions });
    const seen = context.cache.list(Pod, { controlledBy: set }).filter((pod) => ordinalOf(set, pod) !== undefined);
    await writeStatus(context.client, StatefulSet, set, statefulSetStatus({ ...state, pods: seen }));
    const wakeAt = nextAvailability(pods, set.spec?.minReadySeconds ?? 0, now);
    return wakeAt === undefined ? undefined : after(wakeAt - now);
  },
});

interface Means {
  readonly context: ReconcileContext;
  readonly revisions: Revisions;
}

async function perform(set: StatefulSet, action: StatefulSetAction, means: Means): Promise<void> {
  const { events } = means.context;
  const verb = action.do === "create" ? "Create" : "Delete";
  const pod = action.do === "create" ? `${set.metadata?.name}-${action.ordinal}` : action.pod.metadata?.name;
  const what = `${verb} Pod ${pod} in StatefulSet ${set.metadata?.name}`;
  try {
    if (action.do === "create") await createPod(set, action, means);
    else await means.context.client.delete(Pod, action.pod);
  } catch (error) {
    if (action.do === "delete" && isNotFound(error)) return;
    events.warning(`Failed${verb}`, `${what} failed error: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
  events.normal(`Successful${verb}`, `${what} successful`);
}

/** The claims come first, so that the pod never waits for one that nobody makes. */
async function createPod(
  set: StatefulSet,
  { ordinal, revision }: Extract<StatefulSetAction, { do: "create" }>,
  { context, revisions }: Means,
): Promise<void> {
  const { client, cache, events } = context;
  for (const claim of claimsFor(set, ordinal)) {
    const name = claim.metadata?.name ?? "";
    if (cache.get(PersistentVolumeClaim, name) !== undefined) continue;
    await client.create(PersistentVolumeClaim, withRetention(claim, set, { object: undefined, condemned: false }));
    const pod = `${set.metadata?.name}-${ordinal}`;
    const note = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata?.name} success`;
    events.normal("SuccessfulCreate", note);
  }
  const made = revisions.all.find(({ metadata }) => metadata?.name === revision) ?? revisions.update;
  const pod = podFor(set, ordinal, templateOf(made), made.metadata?.name ?? "");
  await client.create(Pod, setController(pod, set));
}

/** Claims of existing pods follow the retention policy, whenever it changes. */
async function keepClaimOwners(set: StatefulSet, pods: readonly Pod[], context: ReconcileContext): Promise<void> {
  const start = set.spec?.ordinals?.start ?? 0;
  const end = start + (set.spec?.replicas ?? 1);
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod) ?? 0;
    const condemned = ordinal < start || ordinal >= end;
    for (const { metadata } of claimsFor(set, ordinal)) {
      const claim = context.cache.get(PersistentVolumeClaim, metadata?.name ?? "");
      if (claim === undefined) continue;
      const next = withRetention(claim, set, { object: pod, condemned });
      if (next !== claim) await context.client.update(PersistentVolumeClaim, next);
    }
  }
}
