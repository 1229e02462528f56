/** Real time: the clock port on Node.js timers. */
import type { Clock } from "@kubewright/core/ports";

/** The longest delay a Node.js timer takes; longer waits are made of several. */
const DELAY_MS_MAX = 2_147_483_647;

/** The system's clock. A pending timer keeps the process alive, as pending work should. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, run) {
    let timer: NodeJS.Timeout;
    const arm = (remainingMs: number): void => {
      const stepMs = Math.min(remainingMs, DELAY_MS_MAX);
      timer = setTimeout(() => (remainingMs > stepMs ? arm(remainingMs - stepMs) : run()), stepMs);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};
