/** Idle: the CPU of 30 s in which nothing happens, on an operator that has converged. */
import { setTimeout as delay } from "node:timers/promises";
import type { Sample } from "../../benchmark.ts";
import { exactCpuSeconds } from "../driver/process-tree.ts";
import type { RunningPorts } from "./scenario.ts";

const IDLE_MS = 30_000;

/** Measures it, in milliseconds of CPU. */
export async function idle({ operator }: RunningPorts): Promise<Sample> {
  await operator.settle();
  const before = exactCpuSeconds(operator.pid);
  await delay(IDLE_MS);
  return { idle: (exactCpuSeconds(operator.pid) - before) * 1000 };
}
