/** How much memory is in use: what is left after a collection of garbage. For tests of leaks and of peaks. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { VirtualClock } from "@kubewright/testing";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The bytes that are reachable now, those of buffers included. */
export function reachableBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The bytes that stay: the least of several collections, as some garbage goes only turns of the event loop later. */
export async function settledBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    await new VirtualClock().settle();
    least = Math.min(least, reachableBytes());
  }
  return least;
}
