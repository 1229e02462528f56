/** Plugins about storage: the default class of claims, protection while in use, and growing claims. */
import type { PersistentVolumeClaim } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { compareQuantities, parseQuantity } from "@kubewright/core/meta";
import { withMetadata } from "../../resource/object.ts";
import type { ObjectReader } from "../../resource/strategy.ts";
import type { AdmissionPlugin } from "../admission.ts";
import { refusal } from "../refusal.ts";
import { newestDefault } from "./default-class.ts";
import { withSpec } from "./pods.ts";

const CLAIMS = "persistentvolumeclaims";
const CLASSES = "storageclasses.storage.k8s.io";
const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** DefaultStorageClass: new claims without a class get the default one; "" means none. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  resources: new Set([CLAIMS]),
  mutate(object, { operation, subresource, reader }) {
    if (operation !== "CREATE" || subresource !== "") return object;
    const { spec, metadata } = object as unknown as PersistentVolumeClaim;
    if (spec?.storageClassName != null || Object.hasOwn(metadata?.annotations ?? {}, CLASS_ANNOTATION)) return object;
    const name = newestDefault(reader.list(CLASSES, ""), DEFAULT_ANNOTATIONS);
    return name === undefined ? object : withSpec(object, { storageClassName: name });
  },
};

const FINALIZERS: ReadonlyMap<string, string> = new Map([
  [CLAIMS, "kubernetes.io/pvc-protection"],
  ["persistentvolumes", "kubernetes.io/pv-protection"],
]);

/** StorageObjectInUseProtection: claims and volumes stay until nobody uses them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  resources: new Set(FINALIZERS.keys()),
  mutate(object, { operation, subresource, resource }) {
    const finalizer = FINALIZERS.get(resource.storageName);
    const { finalizers = [] } = object.metadata;
    if (operation !== "CREATE" || subresource !== "" || finalizer === undefined) return object;
    return finalizers.includes(finalizer) ? object : withMetadata(object, { finalizers: [...finalizers, finalizer] });
  },
};

/** PersistentVolumeClaimResize: claims grow only where their class allows it. */
export const claimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  resources: new Set([CLAIMS]),
  validate(request) {
    const { operation, subresource, object, oldObject, reader } = request;
    if (operation !== "UPDATE" || subresource !== "" || object === undefined || oldObject === undefined) return;
    const next = object as unknown as PersistentVolumeClaim;
    const before = oldObject as unknown as PersistentVolumeClaim;
    if (compareQuantities(sizeOf(next), sizeOf(before)) <= 0) return;
    if (before.status?.phase !== "Bound") throw refusal(request, "Only bound persistent volume claims can be expanded");
    if (allowsExpansion(before, reader)) return;
    const why =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw refusal(request, why);
  },
};

function sizeOf({ spec }: PersistentVolumeClaim): ReturnType<typeof parseQuantity> {
  return parseQuantity(String(spec?.resources?.requests?.["storage"] ?? "0"));
}

function allowsExpansion({ spec, metadata }: PersistentVolumeClaim, reader: ObjectReader): boolean {
  const name = metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
  const found = reader.get(CLASSES, "", name) as unknown as StorageClass | undefined;
  return found?.allowVolumeExpansion === true;
}
