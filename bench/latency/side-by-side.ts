/** Measures operators that share a fresh control plane. latency.ts says which; the scenarios are those that each has alone (bench/peers). */
import type { Sample } from "../benchmark.ts";
import type { Api } from "../peers/driver/api.ts";
import { startBenchPlane } from "../peers/driver/control-plane.ts";
import { observe } from "../peers/driver/observer.ts";
import { type OperatorCommand, startOperator } from "../peers/driver/operator.ts";
import { widget, widgetName, widgetPath } from "../peers/driver/widgets.ts";
import { healings, reactions } from "../peers/scenarios/latency.ts";

/** Widgets that each operator converges before anything is measured, so that its code is as fast as it gets. */
const WARM_UP = 1000;
/** What each answers of a kind: enough for the slowest hundredth to be ten, for the machine's own hiccups are among them. */
const COUNT = 1000;
const AT_ONCE = 8;
const TIMEOUT_MS = 120_000;

/** Measures operators by name. */
export async function measureSideBySide(
  commands: ReadonlyMap<string, OperatorCommand>,
): Promise<ReadonlyMap<string, Sample>> {
  await using plane = await startBenchPlane();
  await using started = new AsyncDisposableStack();
  const namespaces = Array.from(commands.keys(), (name) => `of-${name}`);
  for (const name of namespaces) {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await plane.api.call("POST", "/api/v1/namespaces", { body: namespace });
  }
  const operators = Array.from(commands.values(), (command, index) => {
    const env = { ...command.env, WATCH_NAMESPACE: namespaces[index] ?? "" };
    return started.use(startOperator({ ...command, env }, plane.kubeconfig));
  });
  const settle = (): Promise<unknown> => Promise.all(operators.map((operator) => operator.settle()));
  for (const namespace of namespaces) await warmUp(plane.api, namespace);
  await settle();
  const reaction = await reactions(plane.api, { namespaces, count: COUNT });
  await settle();
  const healing = await healings(plane.api, { namespaces, count: COUNT });
  const samples = Array.from(
    commands.keys(),
    (name, index) => [name, { ...reaction[index], ...healing[index] }] as const,
  );
  return new Map(samples);
}

async function warmUp(api: Api, namespace: string): Promise<void> {
  using observer = await observe(api, { namespace });
  const names = Array.from({ length: WARM_UP }, (_, index) => widgetName(index));
  const rest = names.values();
  const work = async (): Promise<void> => {
    for (const name of rest)
      await api.call("POST", widgetPath(undefined, namespace), { body: widget(name, namespace) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await observer.until(() => names.every((name) => observer.readyMs.has(name)), TIMEOUT_MS, `all of ${namespace}`);
}
