/** What a pod that is to be placed finds around it: other pods, their nodes, the labels of namespaces. scheduler.ts fills it in. */
import type { Node, Pod } from "@kubewright/api/core/v1";

/** A pod and the name of its node. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly node: string;
}

/** The surroundings, each asked for only when a pod has something to say about it. */
export interface Surroundings {
  /** All pods on nodes that have not ended. */
  placed(): Iterable<PlacedPod>;
  /** Those of them that keep other pods away. */
  repelling(): Iterable<PlacedPod>;
  /** Those of them that would have other pods near, or rather not. */
  attracting(): Iterable<PlacedPod>;
  node(name: string): Node | undefined;
  namespaceLabels(namespace: string): Readonly<Record<string, string>> | undefined;
}
