/**
 * The outside of a real node: a process in the namespaces of this machine that passes connections to the inside and back, and
 * removes what the node leaves on the machine. A process of its own, since a test that waits for kubectl in its process would
 * stop the connections too, and since it goes on when whoever started the node was killed.
 */
import { globSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { inputEnded } from "../real/program.ts";
import { removeControlGroup } from "./control-groups.ts";
import { type Relay, startRelay } from "./relay.ts";

const REMOVE_POLL_MS = 50;
const REMOVE_MS_MAX = 8_000;

/** What the outside is told. */
export interface OutsideOptions {
  /** The folder of the node; its control group has the same name. */
  readonly folder: string;
  readonly relays: readonly Relay[];
}

/** Passes connections on until the input ends; then removes the node's control group and folder. */
export async function runNodeOutside({ folder, relays }: OutsideOptions): Promise<void> {
  for (const relay of relays) await startRelay(relay);
  await inputEnded();
  await untilRemoved(folder);
}

/**
 * The inside ends with the same input, but takes a moment: until its last process is gone, the control group cannot be removed,
 * and something may be written to the folder again.
 */
async function untilRemoved(folder: string): Promise<void> {
  const deadline = systemClock.monotonic() + REMOVE_MS_MAX;
  for (;;) {
    const isLate = systemClock.monotonic() > deadline;
    try {
      if (isLate || !isUsed(folder)) return await remove(folder);
    } catch (error) {
      if (isLate) throw error;
    }
    await sleep(systemClock, REMOVE_POLL_MS);
  }
}

async function remove(folder: string): Promise<void> {
  removeControlGroup(basename(folder));
  await rm(folder, { recursive: true, force: true });
}

/** Whether a process other than this one was told of the folder: unshare was, which ends after everything inside. */
function isUsed(folder: string): boolean {
  const own = commandLine("/proc/self/cmdline");
  return globSync("/proc/[0-9]*/cmdline")
    .map(commandLine)
    .some((line) => line.includes(folder) && line !== own);
}

/** Empty when the process ended meanwhile. */
function commandLine(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
