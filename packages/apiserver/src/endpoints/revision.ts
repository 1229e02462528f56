/**
 * Waiting for a revision that is not there yet: reads "at least as new as" a version of the future get a moment, then
 * a 504 that tells them to come back.
 */
import { sleep } from "@kubewright/core/ports";
import { tooLargeResourceVersion } from "@kubewright/core/protocol";
import type { Backend } from "../registry/backend.ts";
import { parseRevision } from "./list-options.ts";

const WAIT_MS_MAX = 3_000;
const WAIT_STEP_MS = 100;

/** Resolves once storage is at `resourceVersion` or later. Throws a 504 after three seconds. */
export async function awaitRevision(backend: Backend, resourceVersion: string, signal: AbortSignal): Promise<void> {
  const revision = parseRevision(resourceVersion) ?? 0;
  for (let waitedMs = 0; backend.storage.revision < revision; waitedMs += WAIT_STEP_MS) {
    if (waitedMs >= WAIT_MS_MAX) throw tooLargeResourceVersion(String(revision), String(backend.storage.revision));
    await sleep(backend.clock, WAIT_STEP_MS, signal);
  }
}
