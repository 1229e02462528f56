/** Rows of volumes, claims, storage classes and drivers. */
import { getKey } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { age, type KindPrinter, nameOf, printer } from "../columns.ts";
import { flagAt, listAt, textAt, textsAt, valueAt } from "../fields.ts";
import { isDefaultClass } from "./networking.ts";

const DEFAULT_CLASS_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** Printers by qualified resource name. */
export const storagePrinters: Readonly<Record<string, KindPrinter>> = {
  persistentvolumes: printer(
    "Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode*",
    (object, context) => [
      nameOf(object),
      textAt(object, "spec.capacity.storage", "0"),
      formatAccessModes(object, "spec.accessModes"),
      textAt(object, "spec.persistentVolumeReclaimPolicy"),
      phase(object),
      claimOf(object),
      storageClass(object),
      textAt(object, "spec.volumeAttributesClassName", "<unset>"),
      textAt(object, "status.reason"),
      age(object, context),
      textAt(object, "spec.volumeMode", "<unset>"),
    ],
  ),
  persistentvolumeclaims: printer(
    "Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode*",
    (object, context) => {
      const isBound = textAt(object, "spec.volumeName") !== "";
      return [
        nameOf(object),
        phase(object),
        textAt(object, "spec.volumeName"),
        isBound ? textAt(object, "status.capacity.storage", "0") : "",
        isBound ? formatAccessModes(object, "status.accessModes") : "",
        storageClass(object),
        textAt(object, "spec.volumeAttributesClassName", "<unset>"),
        age(object, context),
        textAt(object, "spec.volumeMode", "<unset>"),
      ];
    },
  ),
  "storageclasses.storage.k8s.io": printer(
    "Name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age",
    (object, context) => [
      isDefaultClass(object, DEFAULT_CLASS_ANNOTATIONS) ? `${nameOf(object)} (default)` : nameOf(object),
      textAt(object, "provisioner"),
      textAt(object, "reclaimPolicy", "Delete"),
      textAt(object, "volumeBindingMode", "Immediate"),
      flagAt(object, "allowVolumeExpansion"),
      age(object, context),
    ],
  ),
  "volumeattributesclasses.storage.k8s.io": printer("Name|DriverName|Age", (object, context) => [
    nameOf(object),
    textAt(object, "driverName"),
    age(object, context),
  ]),
  "volumeattachments.storage.k8s.io": printer(
    "Name|Attacher:string/name|PV|Node|Attached:boolean|Age",
    (object, context) => [
      nameOf(object),
      textAt(object, "spec.attacher"),
      textAt(object, "spec.source.persistentVolumeName"),
      textAt(object, "spec.nodeName"),
      flagAt(object, "status.attached"),
      age(object, context),
    ],
  ),
  "csinodes.storage.k8s.io": printer("Name|Drivers:integer|Age", (object, context) => [
    nameOf(object),
    listAt(object, "spec.drivers").length,
    age(object, context),
  ]),
  "csidrivers.storage.k8s.io": printer(
    "Name|AttachRequired:boolean|PodInfoOnMount:boolean|StorageCapacity:boolean|TokenRequests|RequiresRepublish:boolean|Modes|Age",
    (object, context) => [
      nameOf(object),
      flagAt(object, "spec.attachRequired", true),
      flagAt(object, "spec.podInfoOnMount"),
      flagAt(object, "spec.storageCapacity"),
      valueAt(object, "spec.tokenRequests") === undefined
        ? "<unset>"
        : listAt(object, "spec.tokenRequests")
            .map((request) => textAt(request, "audience"))
            .join(","),
      flagAt(object, "spec.requiresRepublish"),
      textsAt(object, "spec.volumeLifecycleModes").join(",") || "<none>",
      age(object, context),
    ],
  ),
};

function phase(object: ApiObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, "status.phase") : "Terminating";
}

function claimOf(volume: ApiObject): string {
  if (valueAt(volume, "spec.claimRef") === undefined) return "";
  return `${textAt(volume, "spec.claimRef.namespace")}/${textAt(volume, "spec.claimRef.name")}`;
}

/** The class of a volume or claim; an annotation of old wins. */
function storageClass(object: ApiObject): string {
  const annotated = getKey(object.metadata.annotations ?? {}, "volume.beta.kubernetes.io/storage-class");
  return typeof annotated === "string" ? annotated : textAt(object, "spec.storageClassName");
}

const ACCESS_MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function formatAccessModes(object: ApiObject, path: string): string {
  const modes = new Set(textsAt(object, path));
  return ACCESS_MODES.filter(([mode]) => modes.has(mode))
    .map(([, short]) => short)
    .join(",");
}
