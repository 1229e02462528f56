/**
 * What a pod's row says of its state. The order of the steps is kubectl's: the phase, then what is wrong with the init
 * containers, then what the containers do, then whether the pod is going. Pure.
 */
import type { Json } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { timeAt } from "../columns.ts";
import { type Field, flagAt, itemOfType, listAt, numberAt, textAt, valueAt } from "../fields.ts";

/** The state of a pod in a few words. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  /** When a container last ended before a restart; undefined when none did. */
  readonly lastRestartMs: number | undefined;
}

/** Sums up a pod. */
export function summarizePod(pod: ApiObject): PodSummary {
  const sidecars = sidecarNames(pod);
  const init = summarizeInit(pod, sidecars);
  const conditions = listAt(pod, "status.conditions");
  const runs = init.reason === undefined || isTrue(conditions, "Initialized");
  const main = runs ? summarizeContainers(pod, init.reason ?? phaseReason(pod)) : undefined;
  const restarts = main === undefined ? init.restarts : init.sidecarRestarts;
  const restartTimes = main === undefined ? init.restartTimes : init.sidecarRestartTimes;
  const times = [...restartTimes, ...(main?.restartTimes ?? [])];
  return {
    ready: init.ready + (main?.ready ?? 0),
    total: listAt(pod, "spec.containers").length + sidecars.size,
    status: finalStatus(pod, main?.reason ?? init.reason ?? phaseReason(pod)),
    restarts: restarts + (main?.restarts ?? 0),
    lastRestartMs: times.length === 0 ? undefined : Math.max(...times),
  };
}

/** Init containers that keep running. */
function sidecarNames(pod: ApiObject): ReadonlySet<string> {
  const sidecars = listAt(pod, "spec.initContainers").filter((each) => textAt(each, "restartPolicy") === "Always");
  return new Set(sidecars.map((container) => textAt(container, "name")));
}

function phaseReason(pod: ApiObject): string {
  const scheduled = itemOfType(listAt(pod, "status.conditions"), "PodScheduled");
  if (textAt(scheduled, "reason") === "SchedulingGated") return "SchedulingGated";
  return textAt(pod, "status.reason") || textAt(pod, "status.phase");
}

interface InitSummary {
  readonly ready: number;
  /** What keeps the pod from being initialized; undefined when nothing does. */
  readonly reason: string | undefined;
  readonly restarts: number;
  readonly restartTimes: readonly number[];
  readonly sidecarRestarts: number;
  readonly sidecarRestartTimes: readonly number[];
}

/** Goes through the init containers up to the first that is neither done nor a running sidecar. */
function summarizeInit(pod: ApiObject, sidecars: ReadonlySet<string>): InitSummary {
  const statuses = listAt(pod, "status.initContainerStatuses");
  const isSidecar = (status: Json): boolean => sidecars.has(textAt(status, "name"));
  const isPassed = (status: Json): boolean => isDone(status) || (isSidecar(status) && flagAt(status, "started"));
  const stuck = statuses.findIndex((status) => !isPassed(status));
  const seen = stuck === -1 ? statuses : statuses.slice(0, stuck + 1);
  const passed = stuck === -1 ? statuses : statuses.slice(0, stuck);
  const seenSidecars = seen.filter(isSidecar);
  const total = listAt(pod, "spec.initContainers").length;
  return {
    ready: passed.filter((status) => !isDone(status) && flagAt(status, "ready")).length,
    reason: stuck === -1 ? undefined : initReason(statuses[stuck], `${stuck}/${total}`),
    restarts: restartsOf(seen),
    restartTimes: restartTimesOf(seen),
    sidecarRestarts: restartsOf(seenSidecars),
    sidecarRestartTimes: restartTimesOf(seenSidecars),
  };
}

function isDone(status: Json): boolean {
  return valueAt(status, "state.terminated") !== undefined && numberAt(status, "state.terminated.exitCode") === 0;
}

function initReason(status: Field, progress: string): string {
  if (valueAt(status, "state.terminated") !== undefined) return `Init:${endReason(status)}`;
  const waiting = textAt(status, "state.waiting.reason");
  return `Init:${waiting !== "" && waiting !== "PodInitializing" ? waiting : progress}`;
}

/** Why a container ended. */
function endReason(status: Field): string {
  const signal = numberAt(status, "state.terminated.signal");
  const code = signal === 0 ? `ExitCode:${numberAt(status, "state.terminated.exitCode")}` : `Signal:${signal}`;
  return textAt(status, "state.terminated.reason", code);
}

interface MainSummary {
  readonly ready: number;
  readonly reason: string;
  readonly restarts: number;
  readonly restartTimes: readonly number[];
}

/** What the containers do; the first in the list has the last word. */
function summarizeContainers(pod: ApiObject, initialReason: string): MainSummary {
  const statuses = listAt(pod, "status.containerStatuses");
  let [reason, errorReason] = [initialReason, ""];
  for (const status of statuses.toReversed()) {
    const waiting = textAt(status, "state.waiting.reason");
    if (waiting !== "") {
      reason = waiting;
    } else if (valueAt(status, "state.terminated") !== undefined) {
      reason = endReason(status);
      if (numberAt(status, "state.terminated.exitCode") !== 0) errorReason = reason;
    }
  }
  const ready = statuses.filter(isRunningReady).length;
  return {
    ready,
    reason: reason === "Completed" ? completedReason(pod, ready > 0, errorReason) : reason,
    restarts: restartsOf(statuses),
    restartTimes: restartTimesOf(statuses),
  };
}

function isRunningReady(status: Json): boolean {
  const isOver = textAt(status, "state.waiting.reason") !== "" || valueAt(status, "state.terminated") !== undefined;
  return !isOver && flagAt(status, "ready") && valueAt(status, "state.running") !== undefined;
}

/** A completed container does not make a completed pod while others run or failed. */
function completedReason(pod: ApiObject, hasRunning: boolean, errorReason: string): string {
  if (hasRunning && isTrue(listAt(pod, "status.conditions"), "Ready")) return "Running";
  if (errorReason !== "") return errorReason;
  return hasRunning ? "NotReady" : "Completed";
}

function finalStatus(pod: ApiObject, status: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return status;
  if (textAt(pod, "status.reason") === "NodeLost") return "Unknown";
  const phase = textAt(pod, "status.phase");
  return phase === "Succeeded" || phase === "Failed" ? status : "Terminating";
}

function isTrue(conditions: readonly Json[], type: string): boolean {
  return textAt(itemOfType(conditions, type), "status") === "True";
}

function restartsOf(statuses: readonly Json[]): number {
  return statuses.reduce<number>((sum, status) => sum + numberAt(status, "restartCount"), 0);
}

function restartTimesOf(statuses: readonly Json[]): readonly number[] {
  return statuses.flatMap((status) => timeAt(status, "lastState.terminated.finishedAt") ?? []);
}
