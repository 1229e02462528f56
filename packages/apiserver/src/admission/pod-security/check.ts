/** What the checks of the Pod Security Standards have in common. */
import type { Container, Pod, SecurityContext } from "@kubewright/api/core/v1";

/** What is wrong with a pod. */
export interface Violation {
  /** Its name, for lists of them. */
  readonly reason: string;
  /** Where it is, in words. */
  readonly detail: string;
}

/** One check, as it was from one version of Kubernetes on. */
export interface CheckVersion {
  /** The minor version of Kubernetes 1.x. */
  readonly since: number;
  readonly find: (pod: Pod) => Violation | undefined;
}

/** One check. */
export interface Check {
  /** Checks of a level are told in the order of their ids. */
  readonly id: string;
  /** The oldest first. */
  readonly versions: readonly CheckVersion[];
  /** The id of the check of the level "baseline" that this one of "restricted" takes the place of. @default none */
  readonly replaces?: string;
}

/** A container of any kind, as far as checks look at it. */
export type SecuredContainer = Pick<
  Container,
  "name" | "ports" | "securityContext" | "livenessProbe" | "readinessProbe" | "startupProbe" | "lifecycle"
>;

/** All containers of a pod: those that start it first. */
export function containersOf({ spec }: Pod): readonly SecuredContainer[] {
  const { initContainers, containers, ephemeralContainers } = spec ?? { containers: [] };
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

/** The security contexts of a pod and of its containers that are there. */
export function contextsOf(pod: Pod): readonly SecurityContext[] {
  const ofPod = pod.spec?.securityContext as SecurityContext | undefined;
  return [ofPod, ...containersOf(pod).map(({ securityContext }) => securityContext)].filter(
    (context) => context != null,
  );
}

/** The pod and the containers whose security context is bad: `pod and container "a"`. Undefined when none is. */
export function settersOf(pod: Pod, isBad: (context: SecurityContext | undefined) => boolean): string | undefined {
  const names = namesOf(pod, ({ securityContext }) => isBad(securityContext ?? undefined));
  const ofPod = isBad(pod.spec?.securityContext as SecurityContext | undefined) ? ["pod"] : [];
  const setters = [...ofPod, ...(names.length === 0 ? [] : [named(names)])];
  return setters.length === 0 ? undefined : setters.join(" and ");
}

/** The names of the containers that are bad. */
export function namesOf(pod: Pod, isBad: (container: SecuredContainer) => boolean): readonly string[] {
  return containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
}

/** `containers "a", "b"`. */
export function named(names: readonly string[]): string {
  return `${plural("container", names)} ${joinQuoted(names)}`;
}

/** True for pods in a user namespace of their own, whose root is nobody outside. */
export function hasOwnUsers({ spec }: Pod): boolean {
  return spec?.hostUsers === false;
}

/** Each value once, in order. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** The noun, in the plural unless there is one. */
export function plural(noun: string, items: readonly unknown[]): string {
  return items.length === 1 ? noun : `${noun}s`;
}

/** `"a", "b"`. */
export function joinQuoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}
