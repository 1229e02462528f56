/** Tells a pod that it found no node, and makes room for it where others have to go. preemption.ts decides whom. */
import { Pod, type PodStatus } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import type { ReconcileContext } from "@kubewright/runtime";
import { PREEMPTED, type Preemption } from "./preemption.ts";

/** The name of the scheduler, which pods name as theirs. */
export const SCHEDULER = "default-scheduler";

/** Writes the problem on the pod, sends the victims away, and answers the whole problem. */
export async function preempt(
  pod: Pod,
  problem: string,
  preemption: Preemption | undefined,
  context: ReconcileContext,
): Promise<string> {
  if (preemption === undefined) {
    await markUnschedulable(pod, problem, undefined, context);
    return problem;
  }
  if ("problem" in preemption) {
    // The first part is what the plugin of device claims has to say when there are none.
    const message = `${problem} no new claims to deallocate, preemption: ${preemption.problem}`;
    await markUnschedulable(pod, message, undefined, context);
    return message;
  }
  await markUnschedulable(pod, problem, preemption.node, context);
  for (const victim of preemption.victims) await sendAway(victim, pod, preemption.node, context);
  return problem;
}

async function markUnschedulable(
  pod: Pod,
  message: string,
  nominatedNodeName: string | undefined,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  const isNominated = nominatedNodeName === undefined || pod.status?.nominatedNodeName === nominatedNodeName;
  if (before?.status === "False" && before.message === message && isNominated) return;
  const lastTransitionTime = before?.status === "False" ? before.lastTransitionTime : formatTime(clock.now());
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime };
  const nomination = nominatedNodeName === undefined ? {} : { nominatedNodeName };
  const status = { conditions: [condition], ...nomination };
  await client.patch(Pod, pod, { strategic: { status } }, { subresource: "status" });
  events.warning("FailedScheduling", message);
}

async function sendAway(victim: Pod, pod: Pod, node: string, context: ReconcileContext): Promise<void> {
  const { client, clock } = context;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: PREEMPTED,
    message: `${SCHEDULER}: preempting to accommodate a higher priority pod`,
    lastTransitionTime: formatTime(clock.now()),
  } satisfies NonNullable<PodStatus["conditions"]>[number];
  try {
    await client.patch(Pod, victim, { strategic: { status: { conditions: [condition] } } }, { subresource: "status" });
    await client.delete(Pod, victim);
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  await client.create(Event, preemptedEvent(victim, pod, node, clock.now()));
}

/** The reconciled pod is the other one, so the recorder of this reconcile cannot tell of the victim. */
function preemptedEvent(victim: Pod, pod: Pod, node: string, now: number): Event {
  const { name = "", namespace = "", uid = "" } = victim.metadata ?? {};
  return {
    metadata: { name: `${name.slice(0, 200)}.preempted-${uid.slice(0, 8)}`, namespace },
    eventTime: formatMicroTime(now),
    reportingController: SCHEDULER,
    reportingInstance: SCHEDULER,
    action: "Preempting",
    reason: "Preempted",
    note: `Preempted by pod ${pod.metadata?.uid} on node ${node}`,
    type: "Normal",
    regarding: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
  };
}
