/**
 * A served resource: one version of a kind at its place in the API, with everything endpoints need to serve it.
 * Built-in ones are made at the start (builtin-resources.ts), those of CRDs when the CRD is stored
 * (custom-resources.ts); the registry finds them by request path.
 */
import type { ResourceDefinition } from "@kubewright/core/meta";
import type { CrdScale, PrinterColumn, StructuralSchema } from "@kubewright/core/schema";
import type { ApiObject } from "./object.ts";
import type { Strategy } from "./strategy.ts";

/** What clients can do with a resource. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** All verbs, sorted. */
export const VERBS_ALL: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** One subresource of a resource. */
export interface ServedSubresource {
  readonly name: string;
  /** The kind of its bodies; when absent, that of the resource itself. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
  /** For the scale of custom resources: where it finds its numbers. */
  readonly scale?: CrdScale;
}

/** One version of a kind that the server serves. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly ServedSubresource[];
  /** How the text of each of its objects starts; see `objectStart`. */
  readonly textStart: string;
  /** The storage's name for it, the same for all versions of the kind: "configmaps", "deployments.apps". */
  readonly storageName: string;
  /** True for resources of CRDs: their items carry apiVersion and kind in lists, and unknown fields are pruned. */
  readonly custom: boolean;
  readonly strategy: Strategy;
  /** The schema of the kind; loaded when first needed. @default unknown: every field is accepted */
  readonly schema?: () => StructuralSchema | Promise<StructuralSchema>;
  /** Schemas of the kind's other served versions, by apiVersion. @default none */
  readonly otherSchemas?: ReadonlyMap<string, StructuralSchema>;
  /** The apiVersion that objects are stored in. */
  readonly storageApiVersion: string;
  /** Brings objects of this kind into another of its versions, all at once. @default only apiVersion changes */
  readonly convert?: (objects: readonly ApiObject[], apiVersion: string) => Promise<readonly ApiObject[]>;
  /** What `convert` makes of a stored object has its defaults. @default false: they are filled in afterwards */
  readonly convertsDefaults?: boolean;
  /** Versions differ in the names of fields alone, so what was written is what would be read back. @default false */
  readonly isRenamed?: boolean;
  /** Objects stored at or before this revision may lack later defaults: they get them when read. @default 0 */
  readonly schemaRevision?: number;
  /** The columns that a CRD asks for when its objects are printed. @default name and age */
  readonly columns?: readonly PrinterColumn[];
  /** What every request about it is warned of: that its version should not be used any more. @default nothing */
  readonly deprecation?: string;
  /** True once the CRD is being deleted: nothing new may be created. @default false */
  readonly terminating?: boolean;
}

/** The key of an object in storage. */
export function storageKey(resource: ServedResource, namespace: string, name: string): string {
  if (resource.definition.scope !== "Namespaced") return name;
  if (namespace !== latest.namespace || name !== latest.name) latest = { namespace, name, key: `${namespace}/${name}` };
  return latest.key;
}

/** A write asks several times for one key, and a text that is put together anew has to be hashed anew. */
let latest = { namespace: "", name: "", key: "/" };

/** Where kube-apiserver keeps resources that it does not keep under their name. */
const REGISTRY_NAMES: ReadonlyMap<string, string> = new Map([
  ["apiservices.apiregistration.k8s.io", "apiregistration.k8s.io/apiservices"],
  ["customresourcedefinitions.apiextensions.k8s.io", "apiextensions.k8s.io/customresourcedefinitions"],
  ["endpoints", "services/endpoints"],
  ["ingresses.networking.k8s.io", "ingress"],
  ["nodes", "minions"],
  ["replicationcontrollers", "controllers"],
  ["services", "services/specs"],
]);

/** The key that kube-apiserver has in etcd for an object; some of its refusals name it. */
export function registryPath({ storageName, custom, definition }: ServedResource, key: string): string {
  const { group, plural } = definition;
  return `/registry/${REGISTRY_NAMES.get(storageName) ?? (custom ? `${group}/${plural}` : plural)}/${key}`;
}
