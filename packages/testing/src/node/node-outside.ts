/**
 * The outside of a real node: a process in the namespaces of this machine that passes connections to the inside and back, and
 * removes what the node leaves on the machine. A process of its own, since a test that waits for kubectl in its process would
 * stop the connections too, and since it goes on when whoever started the node was killed.
 */
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
  await untilRemoved(basename(folder));
  await rm(folder, { recursive: true, force: true });
}

/** A control group can be removed when its last process is gone, which is soon: the inside ends with the same input. */
async function untilRemoved(controlGroup: string): Promise<void> {
  const deadline = systemClock.monotonic() + REMOVE_MS_MAX;
  for (;;) {
    try {
      return removeControlGroup(controlGroup);
    } catch (error) {
      if (systemClock.monotonic() > deadline) throw error;
    }
    await sleep(systemClock, REMOVE_POLL_MS);
  }
}
