/**
 * Waiting for a revision that is not there yet: reads "at least as new as" a version of the future get a moment, then
 * a 504 that tells them to come back.
 */
import { sleep } from "@kubewright/core/ports";
import { tooLargeResourceVersion } from "@kubewright/core/protocol";
import type { Backend } from "../registry/backend.ts";

const WAIT_MS_MAX = 3_000;
const WAIT_STEP_MS = 100;

/** Resolves once storage is at `revision` or later. Throws a 504 after three seconds. */
export async function awaitRevision(backend: Backend, revision: number, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; backend.storage.revision < revision; waitedMs += WAIT_STEP_MS) {
    if (waitedMs >= WAIT_MS_MAX) throw tooLargeResourceVersion(String(revision), String(backend.storage.revision));
    await sleep(backend.clock, WAIT_STEP_MS, signal);
  }
}
