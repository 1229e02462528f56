/**
 * The look at an object that comes before anything is done for it: what `children` wants and what differs from that, as far as nothing has to be
 * waited for. Most looks find that all is as it should be, above all after a restart, and then nothing else is made for the reconcile.
 * run-controller.ts looks; converge.ts goes on from what was found.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Clock, Random } from "@kubewright/core/ports";
import { type ChildAction, planChildren } from "./children-plan.ts";
import { confinedReader } from "./confinement.ts";
import type { ConvergePorts } from "./converge-ports.ts";
import { finalizerName, hasFinalizer } from "./finalizer.ts";
import { ChildrenView } from "./observed.ts";
import { statusPatch } from "./status-patch.ts";

type Awaitable<Value> = Value | PromiseLike<Value>;

/** What a look found. */
export interface Survey {
  readonly observed: ChildrenView;
  readonly wanted: Awaitable<readonly KubernetesObject[]>;
  /** What is to be done; undefined where that is yet to be waited for. */
  readonly actions?: readonly ChildAction[];
  /** The status that it should have; undefined where something is to be done before. */
  readonly status?: Awaitable<Readonly<Record<string, unknown>>> | undefined;
}

/** What a look needs. */
export type SurveyPorts = ConvergePorts & { readonly clock: Clock; readonly random: Random };

/** Looks at an object. */
export function survey(object: KubernetesObject, ports: SurveyPorts): Survey {
  const { controller } = ports;
  const observed = new ChildrenView(object, ports);
  const wanted: Survey["wanted"] = controller.children?.(object, observed) ?? [];
  if (isPromise(wanted)) return { observed, wanted };
  const actions = planFor(object, wanted, ports);
  if (actions.length > 0) return { observed, wanted, actions };
  return { observed, wanted, actions, status: controller.status?.(object, observed) };
}

/** True when nothing is to be done. */
export function isSettled(
  { actions, status }: Survey,
  object: KubernetesObject,
  { clock, controller, memory }: SurveyPorts,
): boolean {
  if (actions?.length !== 0 || isPromise(status)) return false;
  if (controller.status === undefined || status === undefined) return true;
  const observedGeneration = memory.keepsObservedGeneration;
  return statusPatch({ object, wanted: status, nowMs: clock.now(), observedGeneration }) === undefined;
}

/** True when a look may come first: `children` says what to do, and nothing must be done to the object before. */
export function mayBeSurveyed({ metadata = {} }: KubernetesObject, { controller, epoch }: ConvergePorts): boolean {
  if (controller.reconcile !== undefined || epoch !== undefined) return false;
  if (metadata.deletionTimestamp !== undefined) return false;
  return controller.finalize === undefined || hasFinalizer({ metadata }, finalizerName(controller));
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

function isPromise<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
