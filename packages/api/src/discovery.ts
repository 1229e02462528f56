/**
 * `@kubewright/api/discovery`: what a Kubernetes 1.36 API server with default settings tells of its built-in
 * resources. The API server builds its discovery documents and its routes from it.
 */
import { groups } from "./tables/generated/discovery.ts";

/** A subresource such as "scale" of deployments. */
export interface BuiltinSubresource {
  /** The part behind the slash: "scale". */
  readonly name: string;
  readonly kind: string;
  /** Group of `kind`, where it is not that of the resource. */
  readonly group?: string;
  /** Version of `kind`, where it is not that of the resource. */
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A resource that the API server serves without any CRD. */
export interface BuiltinResource {
  /** Lower-case plural, as in request paths. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent for what is not stored, such as access reviews. */
  readonly storageVersionHash?: string;
  readonly subresources?: readonly BuiltinSubresource[];
}

/** One version of a group; versions and resources stand in the order of discovery documents. */
export interface BuiltinVersion {
  readonly version: string;
  readonly resources: readonly BuiltinResource[];
}

/** An API group; "" is the core group. */
export interface BuiltinGroup {
  readonly group: string;
  /** The preferred version first. */
  readonly versions: readonly BuiltinVersion[];
}

/** All groups that are on by default, by falling priority; the core group is the first. */
export const builtinGroups: readonly BuiltinGroup[] = groups;
