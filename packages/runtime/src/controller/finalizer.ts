/** Finalizers: added before the first effect, removed after the last, by patches that never touch those of others. */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { AnyController } from "./define-controller.ts";

/** The finalizer of a controller: "cache.example.com/memcached". */
export function finalizerName(controller: AnyController): string {
  return `${controller.for.group === "" ? "kubewright.dev" : controller.for.group}/${controller.name}`;
}

/** True when the object has the finalizer. */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) === true;
}

/** The merge patch that makes the object's finalizers `finalizers`, refused when the object changed meanwhile. */
export function finalizersPatch(object: KubernetesObject, finalizers: readonly string[]): object {
  const { uid, resourceVersion } = object.metadata ?? {};
  return { metadata: { finalizers, uid, resourceVersion } };
}
