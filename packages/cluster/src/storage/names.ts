/** The annotations, finalizers and labels by which claims and volumes find each other. */

/** On a claim: it was bound completely once, so a volume that is missing now is lost. */
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

/** On a claim or volume: the binding was chosen by the controller, not by a person. */
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

/** On a volume: who made it. */
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

/** On a claim: who shall make its volume. */
export const STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

/** The name that it had before, under which provisioners look for it, too. */
export const BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

/** On a claim: the node of its first consumer. */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";

/** On a StorageClass: claims that name no class get this one. */
export const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

/** Provisioner of classes whose volumes people make. */
export const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** Keeps a claim while a pod uses it. */
export const CLAIM_PROTECTION = "kubernetes.io/pvc-protection";

/** Keeps a volume while a claim is bound to it. */
export const VOLUME_PROTECTION = "kubernetes.io/pv-protection";
