/**
 * The life of one simulated container as a function of time: given when its pod let it start, what is its state now
 * and when does that change next? Restarts wait as a kubelet's do, longer each time.
 */
import type { ContainerState } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import type { Behaviour } from "./script.ts";

const RESTART_WAIT_MS = 10_000;
const RESTART_WAIT_MS_MAX = 300_000;
/** How long a failed pull shows as an error before it shows as waiting for the next try. */
const PULL_ERROR_MS = 1000;

/** A container at one moment. */
export interface ContainerMoment {
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  /** How long it waits before it is started again, when it failed. */
  readonly waitMs?: number;
  /** When this changes by itself; undefined: not at all. */
  readonly changesAt: number | undefined;
}

/** Which endings of a container are followed by another start. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** The container at `now`, having been allowed to start at `allowedAt`. */
export function containerAt(
  behaviour: Behaviour,
  restartPolicy: RestartPolicy,
  allowedAt: number,
  now: number,
): ContainerMoment {
  if (!behaviour.named) return neverStarted("InvalidImageName");
  if (!behaviour.pullable) return unpullable(allowedAt, now);
  let startsAt = allowedAt + behaviour.startsAfterMs;
  let lastState: ContainerState = {};
  let waitMs = 0;
  for (let restartCount = 0; ; restartCount++) {
    const before = { lastState, restartCount };
    if (now < startsAt) return waitingToStart(before, startsAt, waitMs);
    const endsAt = startsAt + behaviour.runsForMs;
    if (now < endsAt) return running(behaviour, before, startsAt, endsAt, now);
    const ended = terminated(behaviour.exitCode, startsAt, endsAt);
    if (!restarts(restartPolicy, behaviour.exitCode)) {
      return { ...before, state: ended, ready: false, started: false, changesAt: undefined };
    }
    waitMs = Math.min(RESTART_WAIT_MS * 2 ** restartCount, RESTART_WAIT_MS_MAX);
    const skipped = waitMs < RESTART_WAIT_MS_MAX ? 0 : wholePeriods(behaviour.runsForMs + waitMs, endsAt, now);
    const skippedMs = skipped * (behaviour.runsForMs + waitMs);
    restartCount += skipped;
    lastState = terminated(behaviour.exitCode, startsAt + skippedMs, endsAt + skippedMs);
    startsAt = endsAt + skippedMs + waitMs;
  }
}

/** Once the wait no longer grows, restarts repeat: how many of them lie between `since` and `now`. */
function wholePeriods(periodMs: number, since: number, now: number): number {
  return Math.max(0, Math.floor((now - since) / periodMs));
}

interface Before {
  readonly lastState: ContainerState;
  readonly restartCount: number;
}

function waitingToStart(before: Before, startsAt: number, waitMs: number): ContainerMoment {
  const crashed = before.lastState.terminated !== undefined;
  const state: ContainerState = { waiting: { reason: crashed ? "CrashLoopBackOff" : "ContainerCreating" } };
  return { ...before, state, ready: false, started: false, waitMs, changesAt: startsAt };
}

function running(
  behaviour: Behaviour,
  before: Before,
  startedAt: number,
  endsAt: number,
  now: number,
): ContainerMoment {
  const readyAt = startedAt + behaviour.readyAfterMs;
  const changesAt = Math.min(...[readyAt, endsAt].filter((time) => time > now));
  return {
    ...before,
    state: { running: { startedAt: formatTime(startedAt) } },
    ready: readyAt <= now,
    started: true,
    changesAt: Number.isFinite(changesAt) ? changesAt : undefined,
  };
}

function terminated(exitCode: number, startedAt: number, finishedAt: number): ContainerState {
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
      startedAt: formatTime(startedAt),
      finishedAt: formatTime(finishedAt),
    },
  };
}

function unpullable(allowedAt: number, now: number): ContainerMoment {
  const failsUntil = allowedAt + PULL_ERROR_MS;
  return now < failsUntil
    ? { ...neverStarted("ErrImagePull"), changesAt: failsUntil }
    : neverStarted("ImagePullBackOff");
}

/** A container that waits for what does not come by itself. */
export function neverStarted(reason: string): ContainerMoment {
  return {
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
    changesAt: undefined,
  };
}

function restarts(policy: RestartPolicy, exitCode: number): boolean {
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}
