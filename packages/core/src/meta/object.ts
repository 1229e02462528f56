/** The parts every Kubernetes object has. Types only; the generated kinds of `@kubewright/api` build on them. */

/** Who owns an object; see ownership.ts for the rules. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns, as server-side apply records it. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: object;
  readonly subresource?: string;
}

/** Metadata of a stored object. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Of the metadata, what tells an object apart, which state of it this is, and who owns it. */
export interface ObjectIdentity {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Any object of the Kubernetes API. Fields beyond these depend on the kind. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** A list of objects of one kind. */
export interface KubernetesList<Item extends KubernetesObject = KubernetesObject> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ListMeta;
  readonly items: readonly Item[];
}

/** One condition of a status. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}
