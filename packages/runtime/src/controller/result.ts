/** What the worker makes of how a reconcile ended. */
import type { ReconcileResult } from "../metrics/controller-metrics.ts";
import { isTerminal, type Outcome } from "./outcome.ts";

/** How a reconcile ended, as the worker sees it. */
export type Result =
  | { readonly kind: "done" }
  | { readonly kind: "after"; readonly delayMs: number }
  | { readonly kind: "retry"; readonly reason: string; readonly error?: unknown; readonly timedOut?: boolean }
  | { readonly kind: "terminal"; readonly error: unknown };

/** Nothing is left to be done. */
export const DONE: Result = { kind: "done" };

/** The result of a reconcile that returned. */
export function toResult(outcome: Outcome): Result {
  if (outcome === undefined) return DONE;
  return outcome.kind === "after" ? outcome : { kind: "retry", reason: outcome.reason };
}

/** The result of a reconcile that threw. */
export function toFailure(error: unknown, timedOut: boolean): Result {
  if (isTerminal(error)) return { kind: "terminal", error };
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "retry", reason, error, timedOut };
}

/** The result as metrics name it. */
export function metricOf(result: Result): ReconcileResult {
  switch (result.kind) {
    case "done":
      return "success";
    case "after":
      return "requeue_after";
    case "terminal":
      return "terminal_error";
    case "retry":
      if (result.timedOut === true) return "timeout";
      return result.error === undefined ? "requeue" : "error";
  }
}
