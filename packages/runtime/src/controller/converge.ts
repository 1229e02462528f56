/**
 * Carries out what a `children`/`status` controller says: plan, act on each child (child-actions.ts), then write the status if
 * it differs. Input: the object from the cache. Nothing is sent when nothing differs.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { type ChildPorts, performChildAction } from "./child-actions.ts";
import { type ChildAction, childName, planChildren } from "./children-plan.ts";
import { confinedReader } from "./confinement.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import type { ReconcileContext } from "./define-controller.ts";
import { type Observed, observe } from "./observed.ts";
import { backoff, isTerminal, type Outcome, terminal } from "./outcome.ts";
import { statusPatch } from "./status-patch.ts";

/** Makes an object's children and status what the controller says. */
export async function converge(
  object: KubernetesObject,
  context: ReconcileContext,
  ports: ConvergePorts,
): Promise<Outcome> {
  const observed = observe(object, { ...ports, clock: context.clock, random: context.random });
  const wanted = (await ports.controller.children?.(object, observed)) ?? [];
  const actions = planFor(object, wanted, ports);
  const problems = actions.length === 0 ? [] : await perform(actions, object, { context, ...ports });
  await writeStatus(object, { ...observed, problems }, { context, ...ports });
  if (ports.controller.recordsSynced === true && problems.length === 0 && actions.some(({ kind }) => kind !== "wait"))
    context.events.normal("Synced", `${ports.controller.for.kind} synced successfully`);
  return conclude(actions, problems);
}

/** Acts on one child after the other; what went wrong with them. */
async function perform(
  actions: readonly ChildAction[],
  object: KubernetesObject,
  { context, ...ports }: ConvergePorts & { readonly context: ReconcileContext },
): Promise<readonly Error[]> {
  const problems: Error[] = [];
  const childPorts = childPortsOf(context, ports);
  for (const action of actions) {
    try {
      await performChildAction(action, object, childPorts);
    } catch (error) {
      if (context.signal.aborted) throw error;
      problems.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return problems;
}

function childPortsOf(
  { client, events, signal }: ReconcileContext,
  { controller, memory, epoch }: ConvergePorts,
): ChildPorts {
  const { name, for: ownerDefinition } = controller;
  return {
    client,
    events,
    signal,
    controller: name,
    ownerDefinition,
    settled: memory.settled,
    fenced: epoch !== undefined,
  };
}

/** The plan for an object, from the caches. */
export function planFor(
  object: KubernetesObject,
  wanted: readonly KubernetesObject[],
  { controller, cache, memory, epoch }: ConvergePorts,
): readonly ChildAction[] {
  const reader = confinedReader(object.metadata?.namespace, { controller, cache });
  return planChildren({
    owner: object,
    ownerDefinition: controller.for,
    controller: controller.name,
    epoch,
    owns: controller.owns ?? [],
    wanted,
    find: (definition, child) => reader.get(definition, child),
    owned: (definition) => reader.list(definition, { controlledBy: object }),
    settled: (manifest, child) => memory.settled.has(manifest, child),
  });
}

async function writeStatus(
  object: KubernetesObject,
  observed: Observed,
  { controller, cache, memory, context, epoch }: ConvergePorts & { readonly context: ReconcileContext },
): Promise<void> {
  if (controller.status === undefined) return;
  // An own write in this very reconcile may have made a newer state known.
  const reader = confinedReader(object.metadata?.namespace, { controller, cache });
  const current = reader.get(controller.for, object) ?? object;
  const status = statusPatch({
    object: current,
    wanted: await controller.status(object, observed),
    nowMs: context.clock.now(),
    observedGeneration: memory.keepsObservedGeneration,
  });
  if (status === undefined) return;
  const version = epoch === undefined ? {} : { resourceVersion: current.metadata?.resourceVersion };
  const patch = { merge: { metadata: { uid: object.metadata?.uid, ...version }, status } };
  const options = { subresource: "status", signal: context.signal } as const;
  const written = await context.client.patch(controller.for, object, patch, options);
  if ("observedGeneration" in status && !keepsGeneration(written)) memory.keepsObservedGeneration = false;
}

function keepsGeneration(object: KubernetesObject): boolean {
  const { status } = object as { readonly status?: { readonly observedGeneration?: unknown } };
  return status?.observedGeneration !== undefined;
}

/** One problem is thrown as it is; several together; children on their way out are waited for. */
function conclude(actions: readonly ChildAction[], problems: readonly Error[]): Outcome {
  const [first] = problems;
  if (problems.length === 1) throw first;
  if (problems.length > 1) {
    const message = problems.map((problem) => problem.message).join("; ");
    const all = new AggregateError(problems, message);
    throw problems.every(isTerminal) ? terminal(all) : all;
  }
  const waits = actions.find((action) => action.kind === "wait");
  if (waits === undefined) return undefined;
  return backoff(`${childName(waits.manifest.definition, waits.manifest.object)}: ${waits.reason}`);
}
