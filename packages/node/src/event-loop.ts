/** How late the event loop is: work that does not let go of it holds up everything else, lease renewals and probes included. */
import { systemClock } from "./clock.ts";

/** The delays of the last while. */
export interface EventLoopLag {
  /** All but one in a hundred turns were less late. */
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Measures until disposed of. */
export interface EventLoopMeter extends Disposable {
  /** The delays of the last while: a minute at most, if it is asked about that often. */
  read(): EventLoopLag;
}

/** Between two looks. Each is a turn of the loop: ten in a second were most of what an idle operator used. */
const RESOLUTION_MS = 500;

/** How long a delay is remembered. */
const REMEMBERED_MS = 60_000;

const NANOSECONDS_PER_MS = 1_000_000;

/** Begins to measure this process. */
export function measureEventLoop(): EventLoopMeter {
  // Loaded when it is needed: an API server starts without it.
  const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks");
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let sinceMs = systemClock.monotonic();
  // The histogram counts from look to look, the time between them included.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS);
  return {
    read() {
      const empty = histogram.count === 0;
      const lag = { p99Ms: empty ? 0 : late(histogram.percentile(99)), maxMs: empty ? 0 : late(histogram.max) };
      if (systemClock.monotonic() - sinceMs > REMEMBERED_MS) {
        histogram.reset();
        sinceMs = systemClock.monotonic();
      }
      return lag;
    },
    [Symbol.dispose]: () => histogram.disable(),
  };
}
