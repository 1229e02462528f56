/** The StorageClass that a cluster begins with: claims that name none get a simulated volume at once. */
import { StorageClass } from "@kubewright/api/storage/v1";
import type { Client } from "@kubewright/runtime";
import { createUnlessThere } from "../workload/create-unless-there.ts";
import { DEFAULT_CLASS } from "./names.ts";

/** Creates the default class unless somebody made one of that name. */
export async function createDefaultClass(client: Client): Promise<void> {
  await createUnlessThere(client, StorageClass, {
    metadata: { name: "standard", annotations: { [DEFAULT_CLASS]: "true" } },
    provisioner: "kubewright/simulated",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
  });
}
