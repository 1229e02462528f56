/**
 * A restart on many objects, all of which are as they should be. A Widget created when the process starts tells when it answers;
 * its CPU is counted until it is quiet, its memory is what it holds 5 s later. Nothing but the new Widget calls for a write.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Sample } from "../../benchmark.ts";
import { observe } from "../driver/observer.ts";
import { requestsBetween, totalWrites } from "../driver/request-counts.ts";
import { widget, widgetPath } from "../driver/widgets.ts";
import { type ScenarioPorts, TIMEOUT_MS } from "./scenario.ts";

const REST_MS = 5000;
/** The driver's own create, and the operator's create and status for it. */
const NEEDED_WRITES = 3;

/** Measures a restart on `count` converged Widgets, of which `filled` are there; `metric` begins the names. */
export async function bigCache(
  { plane, start }: ScenarioPorts,
  { metric, filled, count }: { readonly metric: string; readonly filled: number; readonly count: number },
): Promise<Sample> {
  await plane.fill(filled - 1, count, true);
  const requestsBefore = await plane.requests();
  const probe = `probe-${count}`;
  using observer = await observe(plane.api, { fresh: true });
  await using operator = start();
  await plane.api.call("POST", widgetPath(), { body: widget(probe) });
  await observer.until(() => observer.readyMs.has(probe), TIMEOUT_MS, `an answer with ${count} Widgets`);
  const answers = ((observer.readyMs.get(probe) ?? Number.NaN) - operator.startedMs) / 1000;
  await operator.settle();
  const cpu = operator.cpuSeconds();
  await delay(REST_MS);
  const writes = totalWrites(requestsBetween(requestsBefore, await plane.requests())) - NEEDED_WRITES;
  return {
    [`${metric} answers`]: answers,
    [`${metric} cpu`]: cpu,
    [`${metric} memory`]: operator.memoryMegabytes("VmRSS"),
    [`${metric} writes`]: writes,
  };
}
