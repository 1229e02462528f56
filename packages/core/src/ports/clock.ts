/**
 * The clock port: the only way any package learns the time or waits.
 * Implemented by `@kubewright/node` (real time) and `@kubewright/testing` (virtual time).
 */

/** Stops something that was started; calling it twice, or after it ended, does nothing. */
export type Cancel = () => void;

/** Time and waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch, as people and the API server read it; may jump. */
  now(): number;
  /** Milliseconds on a scale that never goes back; only differences mean anything. */
  monotonic(): number;
  /** Calls `run` once, `delayMs` from now at the earliest. */
  schedule(delayMs: number, run: () => void): Cancel;
}

/** Resolves after `delayMs`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
