/**
 * Doing the same thing many times, carefully: one first, then two, four, eight at once. If the first fails, as under an
 * exhausted quota, the API server has been asked once and not a thousand times.
 */

/** Calls `run` `count` times in growing batches; throws the first failure after its batch has ended. */
export async function slowStart(count: number, run: () => Promise<void>): Promise<void> {
  if (count === 1) return run(); // As most often.
  for (let [left, batch] = [count, 1]; left > 0; left -= batch, batch *= 2) {
    const results = await Promise.allSettled(Array.from({ length: Math.min(left, batch) }, run));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}
