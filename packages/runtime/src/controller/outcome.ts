/**
 * How a reconcile ends: nothing (done), `after` (come again), `backoff` (poll with growing intervals), or by throwing: an
 * error is retried, `terminal(error)` is not. The worker acts on it.
 */
import { type DurationInput, toMilliseconds } from "./duration.ts";

/** Done, and come again in a while. */
export interface After {
  readonly kind: "after";
  readonly delayMs: number;
}

/** Not there yet: come again after the key's backoff. */
export interface BackingOff {
  readonly kind: "backoff";
  readonly reason: string;
}

/** How a reconcile ends when it does not throw; undefined means done. */
export type Outcome = After | BackingOff | undefined;

/**
 * Ends a reconcile and comes back after a while, whatever happens meanwhile.
 * @example return after("30s");
 */
export function after(delay: DurationInput): After {
  return { kind: "after", delayMs: toMilliseconds(delay) };
}

/**
 * Ends a reconcile that has to wait for something, and comes back after 5 ms, 10 ms, 20 ms …
 * @example return backoff("the database is still starting");
 */
export function backoff(reason: string): BackingOff {
  return { kind: "backoff", reason };
}

/** An error that trying again cannot help. */
export class TerminalError extends Error {
  /** Marks the value for `isTerminal`, across copies of this package. */
  readonly code = "terminal";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TerminalError";
  }
}

/**
 * Wraps an error so that it is not retried; the object is looked at again when it changes.
 * @example throw terminal(new Error("spec.schedule is no schedule"));
 */
export function terminal(error: unknown): TerminalError {
  return new TerminalError(error instanceof Error ? error.message : String(error), { cause: error });
}

/** True for errors made by `terminal`. */
export function isTerminal(error: unknown): error is TerminalError {
  return typeof error === "object" && error !== null && "code" in error && error.code === "terminal";
}
