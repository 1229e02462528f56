/** Cold start: from exec to the first ready Widget, which was there before. Median of three starts. */
import { setTimeout as delay } from "node:timers/promises";
import { median, type Sample } from "../../benchmark.ts";
import { observe } from "../driver/observer.ts";
import { configMapPath, widget, widgetName, widgetPath } from "../driver/widgets.ts";
import { type ScenarioPorts, TIMEOUT_MS } from "./scenario.ts";

const STARTS = 3;
const NUMBER = 900_000;
/** What an operator does behind its first answer ends before it is stopped. */
const REST_MS = 500;

/** Measures it. */
export async function coldStart(ports: ScenarioPorts): Promise<Sample> {
  const seconds: number[] = [];
  for (let start = 0; start < STARTS; start += 1) seconds.push(await startOnce(ports, widgetName(NUMBER + start)));
  return { "cold start": median(seconds) };
}

async function startOnce({ plane: { api }, start }: ScenarioPorts, name: string): Promise<number> {
  await api.call("POST", widgetPath(), { body: widget(name) });
  using observer = await observe(api);
  const operator = start();
  try {
    await observer.until(() => observer.readyMs.has(name), TIMEOUT_MS, "the first Widget ready");
    await delay(REST_MS);
  } finally {
    await operator[Symbol.asyncDispose]();
  }
  await removeWidget(api, name);
  return ((observer.readyMs.get(name) ?? Number.NaN) - operator.startedMs) / 1000;
}

/** Removes a Widget, whatever finalizers it got, and its ConfigMap, for which there is no garbage collector here. */
async function removeWidget(api: ScenarioPorts["plane"]["api"], name: string): Promise<void> {
  const contentType = "application/merge-patch+json";
  const body = { metadata: { finalizers: null } };
  await api.call("PATCH", widgetPath(name), { body, contentType });
  await api.callIfThere("DELETE", widgetPath(name));
  await api.callIfThere("DELETE", configMapPath(name));
}
