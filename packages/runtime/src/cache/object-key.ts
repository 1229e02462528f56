/** Keys of objects within a kind: "namespace/name", or "name" for cluster-scoped kinds. */
import type { ObjectIdentity } from "@kubewright/core/meta";

/** Which object of a kind. */
export interface ObjectKey {
  readonly name: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
}

/** The key as text. */
export function formatKey({ name, namespace }: ObjectKey): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

/** The key from its text. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash === -1 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object, as text. */
export function keyOf({ metadata }: { readonly metadata?: Pick<ObjectIdentity, "name" | "namespace"> }): string {
  const { namespace = "", name = "" } = metadata ?? {};
  return namespace === "" ? name : `${namespace}/${name}`; // Written out: caches ask for it thousands of times in a row.
}
