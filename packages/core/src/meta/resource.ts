/**
 * A resource definition: what a client, a cache or a controller must know of a kind, as a value. The built-in ones
 * are generated in `@kubewright/api`; those of custom resources come from `defineResource` in ../schema.
 */
import { malformed } from "./malformed.ts";
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

/** A resource without its version: whatever has a group and a plural, such as a resource definition. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** "deployments.apps", or "pods" for the core group: the name of a resource in messages and CRDs. */
export function formatGroupResource({ group, plural }: GroupResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** The inverse of `formatGroupResource`. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf(".");
  return dot === -1 ? { group: "", plural: text } : { group: text.slice(dot + 1), plural: text.slice(0, dot) };
}

/** Group and version of "apps/v1" or "v1". Throws `MalformedError` with Kubernetes' text. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  if (slash === -1) return { group: "", version: apiVersion };
  if (apiVersion.includes("/", slash + 1)) throw malformed(`unexpected GroupVersion string: ${apiVersion}`);
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The group, version and kind that an object states. Throws `MalformedError` when it states none. */
export function groupVersionKindOf(object: KubernetesObject): GroupVersionKind {
  const { apiVersion = "", kind = "" } = object;
  if (apiVersion === "" || kind === "") {
    throw malformed(`object ${JSON.stringify(object.metadata?.name ?? "")} must state its apiVersion and kind`);
  }
  return { ...parseApiVersion(apiVersion), kind };
}

/** "apps/v1, Kind=Deployment": a kind in messages, as Kubernetes prints it. */
export function formatGroupVersionKind(kind: GroupVersionKind): string {
  return `${kind.group}/${kind.version}, Kind=${kind.kind}`;
}

/** True when two kinds are the same but perhaps for their version. */
export function isSameGroupKind(a: { group: string; kind: string }, b: { group: string; kind: string }): boolean {
  return a.group === b.group && a.kind === b.kind;
}

/** The plural that Kubernetes guesses for a kind: "NetworkPolicy" → "networkpolicies". */
export function pluralOfKind(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === "" || singular.endsWith("endpoints")) return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
