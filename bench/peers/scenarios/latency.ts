/**
 * Reaction: a Widget is created every 50 ms; from the answer to that until the ConfigMap is seen. Healing: a ConfigMap is
 * deleted every 50 ms; from the answer until it is seen again. On an operator that has nothing else to do, 200 of each. Operators that
 * share a server, each with a namespace of its own, have theirs in turn, and as many as the benchmark says.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Sample } from "../../benchmark.ts";
import type { Api } from "../driver/api.ts";
import { observe } from "../driver/observer.ts";
import { configMapPath, NAMESPACE, widget, widgetName, widgetPath } from "../driver/widgets.ts";
import type { RunningPorts } from "./scenario.ts";

const COUNT = 200;
const INTERVAL_MS = 50;
const REACTION_NUMBER = 800_000;
const TIMEOUT_MS = 60_000;

/** Measures how fast new Widgets get their ConfigMap. */
export async function reaction({ plane: { api }, operator }: RunningPorts): Promise<Sample> {
  await operator.settle();
  const [sample = {}] = await reactions(api, { namespaces: [NAMESPACE], count: COUNT });
  return sample;
}

/** Measures how fast ConfigMaps that somebody deleted come back. */
export async function healing({ plane: { api }, operator }: RunningPorts): Promise<Sample> {
  await operator.settle();
  const [sample = {}] = await healings(api, { namespaces: [NAMESPACE], count: COUNT });
  return sample;
}

/** Where something is to be answered, and how often in each of these namespaces. */
interface Turns {
  readonly namespaces: readonly string[];
  readonly count: number;
}

/** Creates Widgets in each of the namespaces, in turn. */
export async function reactions(api: Api, turns: Turns): Promise<readonly Sample[]> {
  const act: Act = async (name, namespace) => {
    await api.call("POST", widgetPath(undefined, namespace), { body: widget(name, namespace) });
  };
  const all = await latencies(api, { ...turns, from: REACTION_NUMBER, act });
  return all.map((values) => percentiles("reaction", values));
}

/** Deletes the ConfigMaps of the first Widgets in each of the namespaces, in turn. */
export async function healings(api: Api, turns: Turns): Promise<readonly Sample[]> {
  const act: Act = async (name, namespace) => {
    await api.call("DELETE", configMapPath(name, namespace));
  };
  const all = await latencies(api, { ...turns, from: 0, act });
  return all.map((values) => percentiles("healing", values));
}

/** What an operator is to answer. */
type Act = (name: string, namespace: string) => Promise<void>;

interface Disturbance extends Turns {
  /** The number of the first Widget. */
  readonly from: number;
  readonly act: Act;
}

async function latencies(
  api: Api,
  { namespaces, count, from, act }: Disturbance,
): Promise<readonly (readonly number[])[]> {
  const names = Array.from({ length: count }, (_, index) => widgetName(from + index));
  return Promise.all(
    namespaces.map(async (namespace, place) => {
      using observer = await observe(api, { fresh: true, namespace });
      await delay(INTERVAL_MS * (1 + place / namespaces.length));
      const answeredMs = new Map<string, number>();
      const acts = names.map(async (name, index) => {
        await delay(index * INTERVAL_MS);
        await act(name, namespace);
        answeredMs.set(name, performance.now());
      });
      await Promise.all(acts);
      await observer.until(() => names.every((name) => observer.configMapMs.has(name)), TIMEOUT_MS, "every ConfigMap");
      return names.map((name) => (observer.configMapMs.get(name) ?? Number.NaN) - (answeredMs.get(name) ?? Number.NaN));
    }),
  );
}

/** The middle and the slow end; an operator may be seen before the one who caused it has its answer, which counts as 0. */
function percentiles(metric: string, values: readonly number[]): Sample {
  const sorted = values.map((value) => Math.max(0, value)).toSorted((left, right) => left - right);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { [`${metric} p50`]: at(0.5), [`${metric} p99`]: at(0.99) };
}
