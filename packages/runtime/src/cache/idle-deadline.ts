/** A signal that aborts after a time without activity. Renewing costs no timer, so it can be done for every piece. */
import type { Cancel, Clock } from "@kubewright/core/ports";

/** Aborts `signal` unless `renew` is called often enough. Dispose of it to stop its timer. */
export interface IdleDeadline extends Disposable {
  readonly signal: AbortSignal;
  readonly renew: () => void;
}

/** A deadline `silenceMs` after the last renewal; it also aborts with `parent`. */
export function idleDeadline(clock: Clock, silenceMs: number, parent: AbortSignal): IdleDeadline {
  const controller = new AbortController();
  let lastMs = clock.monotonic();
  let cancel: Cancel = () => {};
  const check = (): void => {
    const restMs = lastMs + silenceMs - clock.monotonic();
    if (restMs > 0) cancel = clock.schedule(restMs, check);
    else controller.abort(new Error(`nothing was received for ${silenceMs / 1000} s`));
  };
  const onParent = (): void => controller.abort(parent.reason);
  check();
  if (parent.aborted) onParent();
  else parent.addEventListener("abort", onParent, { once: true });
  return {
    signal: controller.signal,
    renew: () => {
      lastMs = clock.monotonic();
    },
    [Symbol.dispose]: () => {
      cancel();
      parent.removeEventListener("abort", onParent);
    },
  };
}
