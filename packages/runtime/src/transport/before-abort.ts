/** Waiting that ends with a signal: for what requests wait for before they are sent, which goes on without them. */

/** Settles as `work` does, unless the signal aborts before; then it rejects with the signal's reason. */
export function beforeAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
