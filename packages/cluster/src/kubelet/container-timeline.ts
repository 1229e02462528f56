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
  if (!behaviour.pullable) return unpullable(allowedAt, now);
  let startsAt = allowedAt + behaviour.startsAfterMs;
  let lastState: ContainerState = {};
  for (let restartCount = 0; ; restartCount++) {
    const before = { lastState, restartCount };
    if (now < startsAt) return waitingToStart(before, startsAt);
    const endsAt = startsAt + behaviour.runsForMs;
    if (now < endsAt) return running(behaviour, before, startsAt, endsAt, now);
    const ended = terminated(behaviour.exitCode, startsAt, endsAt);
    if (!restarts(restartPolicy, behaviour.exitCode)) {
      return { ...before, state: ended, ready: false, started: false, changesAt: undefined };
    }
    const waitMs = Math.min(RESTART_WAIT_MS * 2 ** restartCount, RESTART_WAIT_MS_MAX);
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

function waitingToStart(before: Before, startsAt: number): ContainerMoment {
  const crashed = before.lastState.terminated !== undefined;
  const state: ContainerState = {
    waiting: crashed
      ? { reason: "CrashLoopBackOff", message: "back-off restarting failed container" }
      : { reason: "ContainerCreating" },
  };
  return { ...before, state, ready: false, started: false, changesAt: startsAt };
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
  const failing = now < allowedAt + PULL_ERROR_MS;
  return {
    state: {
      waiting: { reason: failing ? "ErrImagePull" : "ImagePullBackOff", message: "the image cannot be pulled" },
    },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
    changesAt: failing ? allowedAt + PULL_ERROR_MS : undefined,
  };
}

function restarts(policy: RestartPolicy, exitCode: number): boolean {
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}
