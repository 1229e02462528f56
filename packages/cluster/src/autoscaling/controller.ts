/** The horizontal pod autoscaler: looks at each target every 15 seconds and scales it as plan.ts says. */
import type { Scale } from "@kubewright/api/autoscaling/v1";
import { HorizontalPodAutoscaler, type HorizontalPodAutoscalerStatus } from "@kubewright/api/autoscaling/v2";
import { Pod } from "@kubewright/api/core/v1";
import { deepEqual, formatTime, matchesLabels, parseLabelSelector } from "@kubewright/core/meta";
import { after, type Controller, defineController, type Outcome, type ReconcileContext } from "@kubewright/runtime";
import type { ObjectFeed } from "../feed/object-feed.ts";
import type { ServedKind } from "../feed/served-kinds.ts";
import { findScale, kindOfTarget, writeScale } from "../scale/scale-target.ts";
import { writeStatus } from "../workload/write-status.ts";
import { forgetOld, rulesOf, type ScalingMemory } from "./behavior.ts";
import type { ReadMetric } from "./metrics.ts";
import { type AutoscalerPlan, planAutoscaling, type Told } from "./plan.ts";

/** How often each target is looked at. */
const PERIOD = "15s";

/** Scales targets by what `read` measures. */
export function createAutoscaler(feed: ObjectFeed, read: ReadMetric): Controller<HorizontalPodAutoscaler> {
  const memories = new Map<string, ScalingMemory>();
  return defineController<HorizontalPodAutoscaler>({
    name: "horizontal-pod-autoscaler-controller",
    for: HorizontalPodAutoscaler,
    reads: [Pod],
    predicate: ({ type, object, previous }) => {
      if (type === "deleted") memories.delete(object.metadata?.uid ?? "");
      return previous === undefined || !deepEqual(previous.spec, object.spec);
    },
    async reconcile(autoscaler, context): Promise<Outcome> {
      const uid = autoscaler.metadata?.uid ?? "";
      const target = autoscaler.spec.scaleTargetRef;
      const kind = kindOfTarget(feed, target);
      const scale = kind && (await findScale(context.client, kind, target.name));
      if (kind === undefined || scale === undefined) await tellMissing(autoscaler, kind, context);
      else {
        const now = context.clock.now();
        const start = { recommendations: [{ at: now, replicas: scale.spec?.replicas ?? 0 }], added: [], removed: [] };
        const memory = memories.get(uid) ?? start;
        const pods = podsOf(scale, context);
        const plan = planAutoscaling({ autoscaler, scale, pods, read, memory, now });
        memories.set(uid, remember(memory, plan, { autoscaler, current: scale.spec?.replicas ?? 0, now }));
        await carryOut(autoscaler, { plan, kind, scale }, context);
      }
      return after(PERIOD);
    },
  });
}

function podsOf(scale: Scale, { cache }: ReconcileContext): readonly Pod[] {
  const requirements = parseLabelSelector(scale.status?.selector ?? "");
  return cache
    .list(Pod, { namespace: scale.metadata?.namespace })
    .filter((pod) => matchesLabels(requirements, pod.metadata?.labels));
}

function remember(
  memory: ScalingMemory,
  { desired, recommendation }: AutoscalerPlan,
  at: { readonly autoscaler: HorizontalPodAutoscaler; readonly current: number; readonly now: number },
): ScalingMemory {
  const { autoscaler, current, now } = at;
  const recent = forgetOld(memory, rulesOf(autoscaler.spec.behavior), now);
  const change = { at: now, replicas: Math.abs(desired - current) };
  return {
    recommendations: [
      ...recent.recommendations,
      ...(recommendation === undefined ? [] : [{ at: now, replicas: recommendation }]),
    ],
    added: desired > current ? [...recent.added, change] : recent.added,
    removed: desired < current ? [...recent.removed, change] : recent.removed,
  };
}

async function carryOut(
  autoscaler: HorizontalPodAutoscaler,
  { plan, kind, scale }: { readonly plan: AutoscalerPlan; readonly kind: ServedKind; readonly scale: Scale },
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const now = clock.now();
  const current = scale.spec?.replicas ?? 0;
  const isScaled = plan.desired !== current;
  if (isScaled) {
    await writeScale(client, kind, autoscaler.spec.scaleTargetRef.name, plan.desired);
    events.normal("SuccessfulRescale", `New size: ${plan.desired}; reason: ${plan.reason}`);
  }
  for (const { reason, note } of plan.warnings) events.warning(reason, note);
  const told = isScaled ? [...plan.conditions, rescaled(plan.desired)] : plan.conditions;
  const time = isScaled ? formatTime(now) : autoscaler.status?.lastScaleTime;
  const status: HorizontalPodAutoscalerStatus = {
    conditions: withConditions(autoscaler, told, now),
    ...(plan.metrics.length === 0 ? {} : { currentMetrics: plan.metrics }),
    currentReplicas: current,
    desiredReplicas: plan.desired,
    ...(time === undefined ? {} : { lastScaleTime: time }),
  };
  await writeStatus(client, HorizontalPodAutoscaler, autoscaler, status);
}

function rescaled(replicas: number): Told {
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  return { type: "AbleToScale", status: "True", reason: "SucceededRescale", message };
}

async function tellMissing(
  autoscaler: HorizontalPodAutoscaler,
  kind: ServedKind | undefined,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const { kind: name, apiVersion = "", name: target } = autoscaler.spec.scaleTargetRef;
  const problem =
    kind === undefined
      ? `no matches for kind ${JSON.stringify(name)} in group ${JSON.stringify(apiVersion.split("/")[0])}`
      : `${kind.resource} ${JSON.stringify(target)} not found`;
  events.warning("FailedGetScale", problem);
  const message = `the HPA controller was unable to get the target's current scale: ${problem}`;
  const told: Told = { type: "AbleToScale", status: "False", reason: "FailedGetScale", message };
  const conditions = withConditions(autoscaler, [told], clock.now());
  const status = { desiredReplicas: 0, ...autoscaler.status, conditions };
  await writeStatus(client, HorizontalPodAutoscaler, autoscaler, status);
}

/** The stored conditions with what is told now; the last word about a type counts. */
function withConditions(
  { status }: HorizontalPodAutoscaler,
  told: readonly Told[],
  now: number,
): NonNullable<HorizontalPodAutoscalerStatus["conditions"]> {
  const conditions = new Map((status?.conditions ?? []).map((condition) => [condition.type, condition]));
  for (const condition of told) {
    const before = status?.conditions?.find(({ type }) => type === condition.type);
    const isOld = before?.status === condition.status && before.lastTransitionTime !== undefined;
    const lastTransitionTime = isOld ? before.lastTransitionTime : formatTime(now);
    conditions.set(condition.type, { ...condition, lastTransitionTime });
  }
  return [...conditions.values()];
}
