/**
 * One reconcile: the object from the cache, its finalizer, then what the controller does. The worker in run-controller.ts calls
 * it with a key and acts on the outcome.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import { confinedReader } from "./confinement.ts";
import { converge } from "./converge.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import type { ReconcileContext } from "./define-controller.ts";
import { stampEpoch } from "./fence.ts";
import { finalizerName, finalizersPatch, hasFinalizer } from "./finalizer.ts";
import type { Outcome } from "./outcome.ts";
import { type Survey, type SurveyPorts, survey } from "./survey.ts";

/** Makes the world match one object, from what a look `found` where there was one. */
export async function reconcileObject(
  object: KubernetesObject,
  context: ReconcileContext,
  { ports, found }: { readonly ports: SurveyPorts; readonly found: Survey | undefined },
): Promise<Outcome> {
  if (isToFinalize(object, ports)) return finalizeObject(object, context, ports);
  if (found !== undefined) return converge(object, { ...ports, context, found });
  const isReady = ports.controller.finalize === undefined && ports.epoch === undefined;
  const current = isReady ? object : await prepared(object, context, ports);
  if (ports.controller.reconcile === undefined)
    return converge(current, { ...ports, context, found: survey(current, ports) });
  return (await ports.controller.reconcile(current, context)) ?? undefined;
}

/** Deleted objects are finalized; a controller that reconciles them, too, does so once its finalizer is gone. */
function isToFinalize(object: KubernetesObject, { controller }: ConvergePorts): boolean {
  if (object.metadata?.deletionTimestamp === undefined) return false;
  if (controller.reconcilesDeleting !== true) return true;
  return controller.finalize !== undefined && hasFinalizer(object, finalizerName(controller));
}

/** The object as the author's function gets it: with its finalizer, and with the leader's epoch where that is kept. */
async function prepared(
  object: KubernetesObject,
  context: ReconcileContext,
  ports: ConvergePorts,
): Promise<KubernetesObject> {
  const { epoch } = ports;
  const kept = ports.controller.finalize === undefined ? object : await withFinalizer(object, context, ports);
  return epoch === undefined ? kept : stampEpoch(kept, context, { ...ports, epoch });
}

/** The finalizer comes before the first effect, so that no effect is left behind. */
async function withFinalizer(
  object: KubernetesObject,
  context: ReconcileContext,
  { controller }: ConvergePorts,
): Promise<KubernetesObject> {
  const finalizer = finalizerName(controller);
  if (controller.finalize === undefined || hasFinalizer(object, finalizer)) return object;
  if (object.metadata?.deletionTimestamp !== undefined) return object; // Too late: the server takes none then.
  const finalizers = [...(object.metadata?.finalizers ?? []), finalizer];
  const { client, signal } = context; // Only now: a client is made when it is first asked for.
  return client.patch(controller.for, object, { merge: finalizersPatch(object, finalizers) }, { signal });
}

/** A deleted object is finalized once; when that is done the finalizer goes, and with it the object. */
async function finalizeObject(
  object: KubernetesObject,
  context: ReconcileContext,
  { controller, cache }: ConvergePorts,
): Promise<Outcome> {
  const finalizer = finalizerName(controller);
  if (!hasFinalizer(object, finalizer)) return undefined;
  const outcome = (await controller.finalize?.(object, context)) ?? undefined;
  if (outcome !== undefined) return outcome;
  // What was written of the object meanwhile, by `finalize` itself or by others, must not make it start over.
  const reader = confinedReader(object.metadata?.namespace, { controller, cache });
  const known: KubernetesObject = reader.get(controller.for, object) ?? object;
  const current = known.metadata?.uid === object.metadata?.uid ? known : object;
  const finalizers = (current.metadata?.finalizers ?? []).filter((name) => name !== finalizer);
  const patch = { merge: finalizersPatch(current, finalizers) };
  await context.client.patch(controller.for, object, patch, { signal: context.signal });
  return undefined;
}
