/** One reconcile as the history tells it, made of what the worker knows when it ended (run-controller.ts). Pure. */
import { formatGroupResource } from "@kubewright/core/meta";
import type { QueueItem } from "../queue/schedule.ts";
import type { AnyController } from "./define-controller.ts";
import type { ReconcileRecord } from "./reconcile-history.ts";
import type { Result } from "./result.ts";

/** Errors may carry whole answers of servers. */
const REASON_LENGTH_MAX = 1000;

/** How a reconcile ended. */
export interface Attempt {
  readonly result: Result;
  /** Requests that may have changed something. */
  readonly writes: number;
  /** The object was not there any more. @default false */
  readonly isGone?: boolean;
}

/** The record of a reconcile. */
export function recordOf(
  { name, for: definition }: AnyController,
  { key, causes }: QueueItem<string>,
  ended: Attempt & Pick<ReconcileRecord, "attempt" | "startedMs" | "durationMs">,
): ReconcileRecord {
  const { result, isGone = false, ...rest } = ended;
  const reason = reasonOf(result);
  return {
    controller: name,
    resource: formatGroupResource(definition),
    kind: definition.kind,
    key,
    causes,
    ...rest,
    result: isGone ? "gone" : result.kind,
    ...(reason === undefined ? {} : { reason: reason.slice(0, REASON_LENGTH_MAX) }),
    ...(result.kind === "after" ? { delayMs: result.delayMs } : {}),
  };
}

function reasonOf(result: Result): string | undefined {
  if (result.kind === "retry") return result.reason;
  if (result.kind !== "terminal") return undefined;
  return result.error instanceof Error ? result.error.message : String(result.error);
}
