/**
 * The status of a simulated pod as a function of time: its containers' moments (container-moments.ts) put together
 * as a kubelet does, with init containers one after the other, phase, conditions (pod-conditions.ts) and addresses. Pure;
 * kubelet.ts writes what it returns and comes back when it changes next.
 */
import type { ContainerStatus, Pod, PodStatus } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { endedWith, initContainersAt, momentOf, policyOf } from "./container-moments.ts";
import { statuses } from "./container-statuses.ts";
import { type ContainerMoment, neverStarted, type RestartPolicy } from "./container-timeline.ts";
import { conditionsAt, type InitProgress, unreadyConditions } from "./pod-conditions.ts";
import { behaviourOf, type ContainerScript } from "./script.ts";

type Phase = NonNullable<PodStatus["phase"]>;

/** Where a pod runs. */
export interface PodPlace {
  readonly hostIP: string;
  readonly podIP: string;
  /** Containers that are held back, by name, and until when; Infinity for those that still are. @default none */
  readonly holds?: ReadonlyMap<string, number>;
}

/** A pod at one moment. */
export interface PodMoment {
  readonly status: PodStatus;
  /** When it changes by itself; undefined: not at all. */
  readonly changesAt: number | undefined;
}

/** The status of `pod` at `now`. The pod is bound; its start time is kept once it has one. */
export function podAt(pod: Pod, scripts: readonly ContainerScript[], place: PodPlace, now: number): PodMoment {
  const moment = runningAt(pod, scripts, place, now);
  const deadline = deadlineOf(pod, moment.status);
  if (deadline === undefined || isFinal(moment.status)) return moment;
  if (now < deadline) return { ...moment, changesAt: earliest([moment.changesAt, deadline]) };
  const stopped = stoppedStatus({ ...pod, status: moment.status }, now);
  const message = "Pod was active on the node longer than the specified deadline";
  return { status: { ...stopped, phase: "Failed", reason: "DeadlineExceeded", message }, changesAt: undefined };
}

function isFinal({ phase }: PodStatus): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

function deadlineOf(pod: Pod, { startTime = "" }: PodStatus): number | undefined {
  const seconds = pod.spec?.activeDeadlineSeconds;
  return seconds === undefined ? undefined : Date.parse(startTime) + seconds * 1000;
}

function runningAt(pod: Pod, scripts: readonly ContainerScript[], place: PodPlace, now: number): PodMoment {
  const startTime = pod.status?.startTime ?? formatTime(now);
  const startedAt = pod.status?.startTime === undefined ? Math.floor(now / 1000) * 1000 : Date.parse(startTime);
  const allowed = (name: string, at: number): number => Math.max(at, place.holds?.get(name) ?? 0);
  const init = initContainersAt(pod, scripts, { start: startedAt, now, allowed });
  const main = (pod.spec?.containers ?? []).map((container) =>
    init.doneAt === undefined
      ? { container, moment: neverStarted("PodInitializing") }
      : { container, moment: momentOf(pod, scripts, container, false, allowed(container.name, init.doneAt), now) },
  );
  const moments = main.map(({ moment }) => moment);
  const phase = phaseOf(moments, init, policyOf(pod));
  const changes = [...init.moments.map(({ moment }) => moment), ...moments].map(({ changesAt }) => changesAt);
  return {
    status: {
      ...pod.status,
      observedGeneration: pod.metadata?.generation ?? 1,
      phase,
      startTime,
      hostIP: place.hostIP,
      hostIPs: [{ ip: place.hostIP }],
      ...(isUp(moments, init) ? { podIP: place.podIP, podIPs: [{ ip: place.podIP }] } : {}),
      ...(init.moments.length === 0
        ? {}
        : { initContainerStatuses: statuses(pod, endedWith(phase, init.moments, now)) }),
      containerStatuses: statuses(pod, main),
      conditions: conditionsAt(pod, { init, containers: main, phase, isUp: isUp(moments, init), now }),
    },
    changesAt: earliest(changes),
  };
}

/** When the containers of a pod that is being deleted have stopped: when the last has, or when its grace period ends. */
export function stoppedAt(pod: Pod, scripts: readonly ContainerScript[]): number {
  const { deletionTimestamp = "", deletionGracePeriodSeconds = 0 } = pod.metadata ?? {};
  const endsAt = Date.parse(deletionTimestamp);
  const running = (pod.status?.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);
  const times = running.map(({ name }) => {
    const container = pod.spec?.containers.find((each) => each.name === name) ?? { name };
    return behaviourOf(scripts, pod, container, false).stopsAfterMs;
  });
  return Math.min(endsAt, endsAt - deletionGracePeriodSeconds * 1000 + Math.max(0, ...times));
}

/** The exit code of a container that was told to stop and did not end by itself. */
const KILLED = 137;

/** The status of a pod whose containers were stopped at `now` because it is being deleted. */
export function stoppedStatus(pod: Pod, now: number): PodStatus {
  const finishedAt = formatTime(now);
  const stopped = (pod.status?.containerStatuses ?? []).map((status): ContainerStatus => {
    if (status.state?.terminated !== undefined) return status;
    const startedAt = status.state?.running?.startedAt ?? finishedAt;
    const terminated = { exitCode: KILLED, reason: "Error", startedAt, finishedAt };
    return { ...status, state: { terminated }, ready: false, started: false };
  });
  const wellEnded = stopped.length > 0 && stopped.every(({ state }) => state?.terminated?.exitCode === 0);
  const phase = wellEnded ? "Succeeded" : "Failed";
  const reason = wellEnded ? "PodCompleted" : "PodFailed";
  return { ...pod.status, phase, conditions: unreadyConditions(pod, reason, now), containerStatuses: stopped };
}

function phaseOf(moments: readonly ContainerMoment[], init: InitProgress, policy: RestartPolicy): Phase {
  if (init.failed && policy === "Never") return "Failed";
  if (init.doneAt === undefined) return "Pending";
  const ended = moments.map(({ state }) => state.terminated);
  if (ended.every((each) => each !== undefined)) {
    return ended.every((each) => each.exitCode === 0) ? "Succeeded" : "Failed";
  }
  return moments.some(({ state, lastState }) => state.waiting && !lastState.terminated) ? "Pending" : "Running";
}

/** The pod has a network once anything in it has started. */
function isUp(moments: readonly ContainerMoment[], init: InitProgress): boolean {
  return [...init.moments.map(({ moment }) => moment), ...moments].some(
    ({ state, lastState }) => state.waiting === undefined || lastState.terminated !== undefined,
  );
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
  return known.length === 0 ? undefined : Math.min(...known);
}
