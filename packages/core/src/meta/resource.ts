/**
 * A resource definition: what a client, a cache or a controller must know of a kind, as a value. The built-in ones
 * are generated in `@kubewright/api`; those of custom resources come from `defineResource` in ../schema.
 */
import type { KubernetesObject } from "./object.ts";

/** Whether objects of a kind live in namespaces. */
export type Scope = "Namespaced" | "Cluster";

/** A kind of object and where its objects are found. */
export interface GroupVersionKind {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * A kind, with the names it goes by.
 * `Kind` is the type of a stored object; `Input` the type of one being written, where defaulted fields may be absent.
 */
export interface ResourceDefinition<Kind extends KubernetesObject = KubernetesObject, Input = Kind>
  extends GroupVersionKind {
  /** Lower-case plural, as in request paths: "deployments". */
  readonly plural: string;
  /** Lower-case singular: "deployment". */
  readonly singular: string;
  /** @default kind + "List" */
  readonly listKind?: string;
  readonly scope: Scope;
  /** @default [] */
  readonly shortNames?: readonly string[];
  /** @default [] */
  readonly categories?: readonly string[];
  /** Names of the subresources: "status", "scale". @default [] */
  readonly subresources?: readonly string[];
  /** Carries `Kind` and `Input` for inference; never set. */
  readonly "~types"?: { readonly kind: Kind; readonly input: Input };
}

/** The type of objects of a resource definition. */
export type ObjectOf<Definition extends ResourceDefinition> =
  Definition extends ResourceDefinition<infer Kind, infer _Input> ? Kind : never;

/** "v1" or "apps/v1". */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
