/**
 * The containers of a simulated pod at one moment: its init containers one after the other, and any container by its timeline
 * (container-timeline.ts) and script (script.ts). pod-lifecycle.ts makes the status of a pod of them. Pure.
 */
import type { Container, Pod, PodStatus } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import { type ContainerMoment, containerAt, neverStarted, type RestartPolicy } from "./container-timeline.ts";
import type { InitProgress, Timed } from "./pod-conditions.ts";
import { behaviourOf, type ContainerScript, isSidecar } from "./script.ts";
import { withWords } from "./waiting-words.ts";

type Phase = NonNullable<PodStatus["phase"]>;

/** Init containers run one after the other; each starts when the one before it ended well, or, as a sidecar, started. */
export function initContainersAt(
  pod: Pod,
  scripts: readonly ContainerScript[],
  { start, now, allowed }: { start: number; now: number; allowed: (name: string, at: number) => number },
): InitProgress {
  const moments: Timed[] = [];
  let allowedAt: number | undefined = start;
  let failed = false;
  for (const container of pod.spec?.initContainers ?? []) {
    if (allowedAt === undefined) {
      moments.push({ container, moment: neverStarted("PodInitializing") });
      continue;
    }
    allowedAt = allowed(container.name, allowedAt);
    const moment = momentOf(pod, scripts, container, true, allowedAt, now);
    if (isSidecar(container)) {
      moments.push({ container, moment });
      allowedAt = firstStart(pod, scripts, container, allowedAt, now);
      continue;
    }
    const ended = moment.state.terminated;
    moments.push({ container, moment: { ...moment, ready: ended?.exitCode === 0 } });
    failed ||= ended !== undefined && ended.exitCode !== 0;
    allowedAt = ended?.exitCode === 0 ? Date.parse(ended.finishedAt ?? "") : undefined;
  }
  return { moments, doneAt: allowedAt, failed };
}

/** Sidecars end when the pod does. */
export function endedWith(phase: Phase, moments: readonly Timed[], now: number): readonly Timed[] {
  if (phase !== "Succeeded" && phase !== "Failed") return moments;
  const finishedAt = formatTime(now);
  return moments.map(({ container, moment }) => {
    const startedAt = moment.state.running?.startedAt;
    if (!isSidecar(container) || startedAt === undefined) return { container, moment };
    const state = { terminated: { exitCode: 0, reason: "Completed", startedAt, finishedAt } };
    return { container, moment: { ...moment, state, ready: false, started: false, changesAt: undefined } };
  });
}

/** When a sidecar started first; undefined while it has not. */
function firstStart(
  pod: Pod,
  scripts: readonly ContainerScript[],
  container: Container,
  allowedAt: number,
  now: number,
): number | undefined {
  const { pullable, startsAfterMs } = behaviourOf(scripts, pod, container, true);
  const startsAt = allowedAt + startsAfterMs;
  return pullable && startsAt <= now ? startsAt : undefined;
}

/** A container at one moment, with the words that its pod and its image give. */
export function momentOf(
  pod: Pod,
  scripts: readonly ContainerScript[],
  container: Container,
  isInit: boolean,
  allowedAt: number,
  now: number,
): ContainerMoment {
  const behaviour = behaviourOf(scripts, pod, container, isInit);
  const initPolicy = isSidecar(container) ? "Always" : policyOf(pod) === "Always" ? "OnFailure" : policyOf(pod);
  const moment = containerAt(behaviour, isInit ? initPolicy : policyOf(pod), allowedAt, now);
  return withWords(moment, container, pod);
}

/** What happens to containers that end. */
export function policyOf(pod: Pod): RestartPolicy {
  const policy = pod.spec?.restartPolicy;
  return policy === "Never" || policy === "OnFailure" ? policy : "Always";
}
