/**
 * What a pod that is to be placed finds around it: other pods, their nodes, the labels of namespaces, claims and volumes.
 * scheduler.ts fills it in.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import type { ObjectKey } from "@kubewright/runtime";

/** A pod and the name of its node. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly node: string;
}

/** Where claims and volumes are looked up. */
export interface StoredVolumes {
  claim(key: ObjectKey): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumes(): readonly PersistentVolume[];
  storageClass(name: string): StorageClass | undefined;
}

/** The surroundings, each asked for only when a pod has something to say about it. */
export interface Surroundings extends StoredVolumes {
  /** The node that is kept for the pod: one that fits is taken before any other. */
  readonly nominated?: string | undefined;
  /** All pods on nodes that have not ended. */
  placed(): Iterable<PlacedPod>;
  /** Those of them that keep other pods away. */
  repelling(): Iterable<PlacedPod>;
  /** Those of them that would have other pods near, or rather not. */
  attracting(): Iterable<PlacedPod>;
  node(name: string): Node | undefined;
  namespaceLabels(namespace: string): Readonly<Record<string, string>> | undefined;
}
