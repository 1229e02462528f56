/**
 * What a run on real Kubernetes left on the machine: processes that it started, told by a variable of their environment, and what
 * is in its folder for temporary files. tools/test-real.ts fails when there is any.
 */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Processes end a moment after they were told to. */
const ENDING_MS_MAX = 15_000;
const ENDING_POLL_MS = 100;
const VARIABLE = "KUBEWRIGHT_REAL_RUN";

/** A run: all temporary files of this process and of those it starts are in one folder. */
export interface MarkedRun {
  /** Waits for what is about to end; then what is left, one line each. The folder is gone afterwards. */
  leftovers(): Promise<readonly string[]>;
}

/** Begins a run in this process. */
export function beginRun(): MarkedRun {
  // A short name: paths of sockets below it have a limit.
  const folder = mkdtempSync(join(tmpdir(), "kw-"));
  Object.assign(process.env, { TMPDIR: folder, [VARIABLE]: folder });
  return {
    async leftovers() {
      for (let waitedMs = 0; waitedMs < ENDING_MS_MAX && processes(folder).length > 0; waitedMs += ENDING_POLL_MS) {
        await delay(ENDING_POLL_MS);
      }
      const left = [...processes(folder), ...readdirSync(folder).map((name) => `temporary ${join(folder, name)}`)];
      rmSync(folder, { recursive: true, force: true });
      return left;
    },
  };
}

function processes(folder: string): readonly string[] {
  return globSync("/proc/[0-9]*")
    .filter((path) => read(join(path, "environ")).split("\0").includes(`${VARIABLE}=${folder}`))
    .map((path) => `process ${path.slice("/proc/".length)}: ${read(join(path, "cmdline")).replaceAll("\0", " ")}`);
}

/** A process may end, or be another user's. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
