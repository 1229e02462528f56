/**
 * Carries out what a `children`/`status` controller says: goes on from what a look found (survey.ts), acts on each child
 * (child-actions.ts), then writes the status if it differs. Nothing is sent when nothing differs.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { keyOf } from "../cache/object-key.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import { type ChildPorts, performChildAction } from "./child-actions.ts";
import { type ChildAction, childName } from "./children-plan.ts";
import { confinedReader } from "./confinement.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import type { ReconcileContext } from "./define-controller.ts";
import { backoff, isTerminal, type Outcome, terminal } from "./outcome.ts";
import { planFor, type Survey } from "./survey.ts";
import { sendStatus } from "./write-status.ts";

/** What converging goes on with. */
type Frame = ConvergePorts & { readonly context: ReconcileContext; readonly found: Survey };

/** Makes an object's children and status what the controller says. */
export async function converge(object: KubernetesObject, frame: Frame): Promise<Outcome> {
  const { context, controller, found } = frame;
  const actions = found.actions ?? planFor(object, await found.wanted, frame);
  const problems = actions.length === 0 ? [] : await perform(actions, object, frame);
  await writeStatus(object, problems, frame);
  if (controller.recordsSynced === true && problems.length === 0 && actions.some(({ kind }) => kind !== "wait"))
    context.events.normal("Synced", `${controller.for.kind} synced successfully`);
  return conclude(actions, problems);
}

/** Acts on one child after the other; what went wrong with them. */
async function perform(
  actions: readonly ChildAction[],
  object: KubernetesObject,
  frame: Frame,
): Promise<readonly Error[]> {
  const { context, ownWrites } = frame;
  const problems: Error[] = [];
  const childPorts = childPortsOf(frame);
  for (const action of actions) {
    try {
      const written = await performChildAction(action, object, childPorts);
      if (written !== undefined && "manifest" in action && saysAll(action.manifest.definition, written, frame))
        ownWrites?.note(keyOf(object), action.manifest.definition, written);
    } catch (error) {
      if (context.signal.aborted) throw error;
      problems.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return problems;
}

/**
 * True when a written child has nothing more to tell. Where `children` asked nothing of what is there, it says the same when this is there;
 * and the status, which is yet to be made, sees it, unless the cache waits for the watch: what fields select only the server knows.
 */
function saysAll(definition: AnyDefinition, written: KubernetesObject, { controller, cache, found }: Frame): boolean {
  if (found.observed.wasAsked) return false;
  const reader = confinedReader(written.metadata?.namespace, { controller, cache });
  return reader.get(definition, written)?.metadata?.resourceVersion === written.metadata?.resourceVersion;
}

function childPortsOf({ context, controller, memory, epoch }: Frame): ChildPorts {
  const { name, for: ownerDefinition } = controller;
  const { client, signal } = context;
  return {
    client,
    signal,
    warn: (reason, note) => context.events.warning(reason, note),
    controller: name,
    ownerDefinition,
    settled: memory.settled,
    fenced: epoch !== undefined,
  };
}

async function writeStatus(
  object: KubernetesObject,
  problems: readonly Error[],
  { controller, cache, memory, context, epoch, found }: Frame,
): Promise<void> {
  if (controller.status === undefined) return;
  // An own write in this very reconcile may have made a newer state known.
  const reader = confinedReader(object.metadata?.namespace, { controller, cache });
  const known = reader.get(controller.for, object) ?? object;
  const stated = {
    wanted: await (found.status ?? controller.status(object, found.observed.with(problems))),
    nowMs: context.clock.now(),
    observedGeneration: memory.keepsObservedGeneration,
    generation: object.metadata?.generation, // Not that of a change which came meanwhile: nothing was done for it yet.
  };
  const isFenced = epoch !== undefined;
  const written = await sendStatus(controller.for, object, { ports: context, stated, known, isFenced });
  const saysGeneration = stated.observedGeneration && stated.generation !== undefined;
  if (written !== undefined && saysGeneration && !keepsGeneration(written)) memory.keepsObservedGeneration = false;
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
