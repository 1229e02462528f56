/**
 * Bulk: so many Widgets are there; from exec until all are ready and have their ConfigMaps. The end state is then checked object by
 * object, from a list, by code that knows nothing of the operator. The operator stays, for the scenarios that follow.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Sample } from "../../benchmark.ts";
import type { JsonObject } from "../driver/api.ts";
import type { BenchPlane } from "../driver/control-plane.ts";
import { observe } from "../driver/observer.ts";
import type { Operator } from "../driver/operator.ts";
import { requestsBetween, totalRequests } from "../driver/request-counts.ts";
import { configMapPath, endStateProblems, OWN_CONFIG_MAPS, widgetPath } from "../driver/widgets.ts";
import { type ScenarioPorts, TIMEOUT_MS } from "./scenario.ts";

/** Requests that trail behind the last ready Widget are counted, too. */
const TRAIL_MS = 2000;

/** What is measured, and the operator that did it. */
export interface Converged {
  readonly sample: Sample;
  readonly operator: Operator;
}

/** Measures the convergence of `count` Widgets. */
export async function converge({ plane, start }: ScenarioPorts, count: number): Promise<Converged> {
  await plane.fill(0, count, false);
  const [requestsBefore, serverBefore] = [await plane.requests(), plane.cpuSeconds()];
  using observer = await observe(plane.api);
  const operator = start();
  try {
    const done = (): boolean => observer.readyMs.size >= count && observer.configMapMs.size >= count;
    await observer.until(done, TIMEOUT_MS, `${count} Widgets ready`);
    const endMs = Math.max(...observer.readyMs.values(), ...observer.configMapMs.values());
    const [cpu, serverCpu, memory] = [
      operator.cpuSeconds(),
      plane.cpuSeconds() - serverBefore,
      operator.memoryMegabytes("VmHWM"),
    ];
    await delay(TRAIL_MS);
    const requests = totalRequests(requestsBetween(requestsBefore, await plane.requests()));
    await checkEndState(plane, count);
    const seconds = (endMs - operator.startedMs) / 1000;
    return {
      operator,
      sample: { converge: seconds, cpu, memory, requests: requests / count, "server cpu": serverCpu },
    };
  } catch (error) {
    await operator[Symbol.asyncDispose]();
    throw error;
  }
}

async function checkEndState({ api }: BenchPlane, count: number): Promise<void> {
  const items = async (path: string): Promise<readonly JsonObject[]> =>
    ((await api.call("GET", path))["items"] ?? []) as readonly JsonObject[];
  const [widgets, configMaps] = [await items(widgetPath()), await items(`${configMapPath()}?${OWN_CONFIG_MAPS}`)];
  const problems = endStateProblems(widgets, configMaps);
  if (widgets.length !== count || configMaps.length !== count) {
    throw new Error(`${widgets.length} Widgets and ${configMaps.length} ConfigMaps instead of ${count} each`);
  }
  if (problems.length > 0) throw new Error(`wrong end state, ${problems.length} times: ${problems[0]}`);
}
