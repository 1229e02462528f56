/**
 * Which object a call is about: a name, a name with its namespace, or the object itself. The client turns it into a
 * request path; giving the object itself lets destructive calls carry its uid.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { AnyDefinition } from "./definitions.ts";

/** One object by name, in the client's namespace unless another is given. */
export interface ObjectName {
  readonly name: string;
  /** @default the client's namespace */
  readonly namespace?: string | undefined;
}

/** An object by name, by name and namespace, or itself. */
export type Target = string | ObjectName | KubernetesObject;

/** A target with every part known. */
export interface ResolvedTarget {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** Known when the target was an object that has one. */
  readonly uid: string | undefined;
}

/** Fills in the namespace; a target without a name is a programmer's error. */
export function resolveTarget(definition: AnyDefinition, target: Target, defaultNamespace: string): ResolvedTarget {
  const named = nameOf(target);
  if (named.name === undefined || named.name === "") {
    throw new TypeError(`a ${definition.kind} without metadata.name was given; name the object to ask for`);
  }
  const namespace = definition.scope === "Cluster" ? undefined : (named.namespace ?? defaultNamespace);
  return { name: named.name, namespace, uid: named.uid };
}

function nameOf(target: Target): {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
} {
  if (typeof target === "string") return { name: target };
  if ("name" in target) return { name: target.name, namespace: target.namespace };
  return target.metadata ?? {};
}

/** The path parts of a target: its name and namespace. */
export function targetParts(
  definition: AnyDefinition,
  target: Target,
  settings: { readonly namespace?: string | undefined },
): { readonly name: string; readonly namespace: string | undefined } {
  const { name, namespace } = resolveTarget(definition, target, settings.namespace ?? "default");
  return { name, namespace };
}
