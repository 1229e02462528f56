/** What the checks of the Pod Security Standards have in common. */
import type { Container, Pod, PodSpec, SecurityContext } from "@kubewright/api/core/v1";

/** One check. */
export interface Check {
  /** What a violation is called. */
  readonly reason: string;
  /** What is wrong with a pod, in words; undefined when nothing is. */
  readonly find: (pod: Pod) => string | undefined;
  /** The reason of the stricter check that takes its place in the level "restricted". @default none */
  readonly replacedBy?: string;
}

/** A container of any kind, as far as checks look at it. */
export type SecuredContainer = Pick<Container, "name" | "ports" | "securityContext">;

/** All containers of a pod: those that start it first. */
export function containersOf({
  initContainers,
  containers,
  ephemeralContainers,
}: PodSpec): readonly SecuredContainer[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

/** The pod and the containers whose security context is bad: `pod and container "a"`. Undefined when none is. */
export function settersOf(spec: PodSpec, isBad: (context: SecurityContext | undefined) => boolean): string | undefined {
  const names = containersOf(spec)
    .filter(({ securityContext }) => isBad(securityContext))
    .map(({ name }) => name);
  const ofPod = isBad(spec.securityContext as SecurityContext | undefined) ? ["pod"] : [];
  const setters = [...ofPod, ...(names.length === 0 ? [] : [`${plural("container", names)} ${joinQuoted(names)}`])];
  return setters.length === 0 ? undefined : setters.join(" and ");
}

/** The noun, in the plural unless there is one. */
export function plural(noun: string, items: readonly unknown[]): string {
  return items.length === 1 ? noun : `${noun}s`;
}

/** `"a", "b"`. */
export function joinQuoted(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(", ");
}
