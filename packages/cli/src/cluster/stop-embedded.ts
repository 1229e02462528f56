/** Ends the process that runs an embedded cluster, and waits until it is gone. */
import { rm } from "node:fs/promises";
import { sleep } from "@kubewright/core/ports";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { embeddedPaths, isAlive, runningState } from "./embedded-state.ts";

const POLL_MS = 25;
const STOP_MS_MAX = 15_000;

/** Ends it when it runs; deletes its data when asked to. */
export async function stopEmbedded(
  folder: string,
  deleteData: boolean,
  { clock, signal }: CommandContext,
): Promise<{ readonly stopped: boolean; readonly deleted: boolean }> {
  const state = await runningState(folder);
  if (state !== undefined) {
    process.kill(state.pid, "SIGTERM");
    const deadline = clock.monotonic() + STOP_MS_MAX;
    // Until its state is gone: what it leaves behind is then complete.
    while (isAlive(state.pid) && (await runningState(folder)) !== undefined) {
      if (clock.monotonic() > deadline) {
        throw new CommandError(`process ${state.pid} does not end`, {
          remedy: `end it yourself: kill -9 ${state.pid}`,
        });
      }
      await sleep(clock, POLL_MS, signal);
    }
  }
  if (deleteData) {
    const { data, keys } = embeddedPaths(folder);
    for (const path of [data, `${data}-wal`, `${data}-shm`, keys]) await rm(path, { force: true });
  }
  return { stopped: state !== undefined, deleted: deleteData };
}
