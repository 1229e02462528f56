/**
 * The demo behind `npm start`: an embedded cluster, every operator project of a folder running on it, their samples
 * applied, and a table of what came of them. It shows what users get with `kubewright dev`, for many projects at once.
 */
import { createCluster } from "@kubewright/cluster";
import { findCondition, type JsonObject, type KubernetesObject } from "@kubewright/core/meta";
import { type Clock, type Files, sleep } from "@kubewright/core/ports";
import { type Client, createManager } from "@kubewright/runtime";
import { applyObject, installCrds } from "../cluster/install.ts";
import { formatTable } from "../output/table.ts";
import type { OperatorProject } from "../project/load-operator.ts";

const POLL_MS = 50;

/** What the demo works with. */
export interface DemoPorts {
  readonly clock: Clock;
  readonly files: Files;
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Ends the demo. */
  readonly signal: AbortSignal;
}

/** What to run. */
export interface DemoOptions {
  readonly projects: readonly OperatorProject[];
  /** Where the kubeconfig is written. */
  readonly kubeconfig: string;
  /** Ends when everything is ready instead of staying. */
  readonly once: boolean;
  /** How long samples may take to be ready. */
  readonly timeoutMs: number;
}

/** One applied sample, and what became of it. */
interface Sample {
  readonly project: OperatorProject;
  readonly applied: Awaited<ReturnType<typeof applyObject>>;
}

/** Runs the demo; resolves when it is done or the signal ends it, throws when a sample does not become ready. */
export async function runDemo(options: DemoOptions, ports: DemoPorts): Promise<void> {
  const { print, clock, signal } = ports;
  const started = clock.monotonic();
  await using cluster = await createCluster({ clock, nodes: 3 });
  const listener = await cluster.apiServer.listen();
  await ports.files.write(options.kubeconfig, listener.kubeconfig ?? "", { mode: 0o600 });
  print(`embedded cluster at ${listener.url}, ready after ${elapsed(started, clock)}`);
  await using stack = new AsyncDisposableStack();
  const samples: Sample[] = [];
  for (const project of options.projects) {
    await installCrds(cluster.client, project.resources, signal);
    const manager = stack.use(createManager({ ...project.operator, transport: cluster.transport, clock }));
    await manager.start(signal);
    for (const sample of project.samples) {
      const applied = await applyObject(cluster.client, sample);
      // What a sample works on, such as a Deployment to scale, is not the operator's to make ready.
      if (project.resources.some(({ group, kind }) => isOfKind(applied.definition, group, kind)))
        samples.push({ project, applied });
    }
  }
  print(`${options.projects.length} operators run, ${samples.length} samples applied`);
  await untilReady(cluster.client, samples, options.timeoutMs, ports);
  print(`everything is ready after ${elapsed(started, clock)}\n`);
  print(formatTable(["KIND", "NAME", "READY", "CHILDREN"], await rowsOf(cluster.client, samples)));
  print(`\nLook around:  kubectl --kubeconfig ${options.kubeconfig} get all`);
  if (options.once) return;
  print("Ctrl-C ends it.");
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function untilReady(
  client: Client,
  samples: readonly Sample[],
  timeoutMs: number,
  ports: DemoPorts,
): Promise<void> {
  const { clock, signal } = ports;
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    const waiting = await notReady(client, samples);
    if (waiting.length === 0) return;
    if (clock.monotonic() > deadline) {
      throw new Error(`not ready after ${timeoutMs / 1000} s:\n  ${waiting.join("\n  ")}`);
    }
    await sleep(clock, POLL_MS, signal);
  }
}

/** The samples that are not ready, each with what its condition says. */
async function notReady(client: Client, samples: readonly Sample[]): Promise<string[]> {
  const lines = await Promise.all(
    samples.map(async ({ applied }) => {
      const object = await client.find(applied.definition, applied.object);
      const ready = readyCondition(object);
      if (ready?.status === "True") return undefined;
      return `${applied.definition.kind} ${applied.object.metadata?.name}: ${ready?.message ?? "no Ready condition"}`;
    }),
  );
  return lines.filter((line) => line !== undefined);
}

async function rowsOf(client: Client, samples: readonly Sample[]): Promise<string[][]> {
  return Promise.all(
    samples.map(async ({ applied, project }) => {
      const object = await client.find(applied.definition, applied.object);
      const children = await childrenOf(client, project, applied.object);
      const { name = "" } = applied.object.metadata ?? {};
      return [applied.definition.kind, name, readyCondition(object)?.status ?? "Unknown", children.join(", ")];
    }),
  );
}

/** "Deployment/a" for each object that the sample controls, among the kinds that the operator makes. */
async function childrenOf(client: Client, project: OperatorProject, owner: KubernetesObject): Promise<string[]> {
  const kinds = project.operator.controllers.flatMap((controller) => controller.owns ?? []);
  const lists = await Promise.all(
    [...new Set(kinds)].map(async (kind) => {
      const { items } = await client.list(kind, { allNamespaces: true });
      const owned = items.filter((item) =>
        item.metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata?.uid),
      );
      return owned.map((item) => `${kind.kind}/${item.metadata?.name}`);
    }),
  );
  return lists.flat();
}

function readyCondition(object: KubernetesObject | undefined): { status: string; message: string } | undefined {
  const { status } = (object ?? {}) as { readonly status?: JsonObject };
  return findCondition(status?.["conditions"] as never, "Ready");
}

function isOfKind(definition: { readonly group: string; readonly kind: string }, group: string, kind: string): boolean {
  return definition.group === group && definition.kind === kind;
}

function elapsed(started: number, clock: Clock): string {
  return `${((clock.monotonic() - started) / 1000).toFixed(1)} s`;
}
