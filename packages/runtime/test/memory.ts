/** How much memory is in use, for tests of leaks and of peaks. */
import { VirtualClock } from "@kubewright/testing";

/** The memory of a process whose garbage can be collected at any time. */
export class Memory {
  readonly #host: Pick<NodeJS.Process, "memoryUsage">;
  readonly #collectGarbage: () => void;

  constructor(host: Pick<NodeJS.Process, "memoryUsage">, collectGarbage: () => void) {
    this.#host = host;
    this.#collectGarbage = collectGarbage;
  }

  /** The bytes that are reachable now, those of buffers included. */
  reachableBytes(): number {
    this.#collectGarbage();
    const { heapUsed, external } = this.#host.memoryUsage();
    return heapUsed + external;
  }

  /** The bytes that stay: the least of several collections, as some garbage goes only turns of the event loop later. */
  async settledBytes(): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 6; round++) {
      await new VirtualClock().settle();
      least = Math.min(least, this.reachableBytes());
    }
    return least;
  }
}
