/**
 * Workers on a queue: each takes a key, does the work, and puts a key whose work failed back after its backoff. For programs that
 * put informers and a queue together by themselves; controllers have workers of their own (../controller/run-controller.ts).
 */
import type { Logger } from "@kubewright/core/ports";
import type { QueueItem } from "./schedule.ts";
import type { WorkQueue } from "./work-queue.ts";

/** What workers do. */
export interface WorkersOptions<Key extends string = string> {
  /** Where keys come from; its `backoff.retriesMax` says how often work that fails is tried again. */
  readonly queue: WorkQueue<Key>;
  /** How many keys are worked on at once. @default 1 */
  readonly count?: number;
  /** Makes the world match one key; throwing tries again later. */
  work(key: Key, item: QueueItem<Key>): Promise<void>;
  readonly log: Logger;
}

/** Workers that run. */
export interface Workers extends AsyncDisposable {
  /** Closes the queue; resolves when what is being worked on is done. */
  stop(): Promise<void>;
}

/**
 * Starts workers on a queue.
 * @example const workers = runWorkers({ queue, count: 2, log, work: (key) => sync(key) });
 */
export function runWorkers<Key extends string>(options: WorkersOptions<Key>): Workers {
  const { queue, count = 1 } = options;
  const workers = Array.from({ length: count }, () => takeKeys(options));
  const stop = async (): Promise<void> => {
    queue.close();
    await Promise.all(workers);
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

async function takeKeys<Key extends string>(options: WorkersOptions<Key>): Promise<void> {
  const { queue } = options;
  for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
    await attempt(item, options);
    queue.done(item.key);
  }
}

async function attempt<Key extends string>(item: QueueItem<Key>, options: WorkersOptions<Key>): Promise<void> {
  const { queue, log } = options;
  const { key, priority } = item;
  try {
    await options.work(key, item);
    queue.forget(key);
  } catch (error) {
    log.error("work on a key failed", { key, attempt: queue.failures(key) + 1, error });
    if (queue.retry(key, { reason: String(error), priority })) return;
    log.error("work on a key failed too often; waiting for a change", { key });
    queue.forget(key);
  }
}
