/** A signal that ends with the command's, or when the time is up. */
import type { Clock } from "@kubewright/core/ports";
import { toMilliseconds } from "@kubewright/runtime";
import { usageError } from "../command/command-error.ts";

/** A signal with an end. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** True when the time was up. */
  readonly expired: boolean;
}

/** Opens a deadline of `timeout` ("2m"); dispose of it when the work is done. */
export function openDeadline(clock: Clock, timeout: string, parent: AbortSignal): Deadline {
  const own = new AbortController();
  let expired = false;
  const cancel = clock.schedule(timeoutMs(timeout), () => {
    expired = true;
    own.abort(new Error(`not done after ${timeout}`));
  });
  return {
    signal: AbortSignal.any([own.signal, parent]),
    get expired() {
      return expired;
    },
    [Symbol.dispose]: cancel,
  };
}

function timeoutMs(timeout: string): number {
  try {
    return toMilliseconds(timeout);
  } catch {
    throw usageError(`--timeout ${JSON.stringify(timeout)} must be a duration like 30s or 2m`);
  }
}
