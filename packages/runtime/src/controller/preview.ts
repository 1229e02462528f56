/** What a `children` controller would change for an object, without changing it: for dry runs, tools and tests. */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Clock, Random } from "@kubewright/core/ports";
import type { Cache } from "../cache/cache.ts";
import type { ChildAction } from "./children-plan.ts";
import type { Controller } from "./define-controller.ts";
import { ChildrenView } from "./observed.ts";
import { SettledChildren } from "./settled-children.ts";
import { planFor } from "./survey.ts";

/** The actions that a reconcile of `object` would take now. */
export async function previewChildren<Kind extends KubernetesObject>(
  controller: Controller<Kind>,
  object: Kind,
  ports: { readonly cache: Cache; readonly clock: Clock; readonly random: Random },
): Promise<readonly ChildAction[]> {
  const wanted = (await controller.children?.(object, new ChildrenView(object, { ...ports, controller }))) ?? [];
  const memory = { settled: new SettledChildren(), keepsObservedGeneration: true };
  return planFor(object, wanted, { controller, cache: ports.cache, memory });
}
