/** What a cluster has from its first moment: the namespaces and objects that every client expects. */
import { isAlreadyExists } from "@kubewright/core/protocol";
import { bootstrapObjects } from "../builtin/bootstrap-objects.ts";
import type { Backend } from "../registry/backend.ts";
import { createObject } from "../registry/create.ts";
import { internalWrite } from "../registry/internal-write.ts";
import { updateObject } from "../registry/update.ts";
import { withFields } from "../resource/object.ts";

/** Creates what is not there yet. */
export async function createBootstrapObjects(backend: Backend): Promise<void> {
  for (const { group, version, plural, object, status } of bootstrapObjects()) {
    const resource = backend.registry.find(group, version, plural);
    if (resource === undefined) continue;
    const { name = "", namespace = "" } = object.metadata;
    try {
      await createObject(backend, await internalWrite(resource, { name, namespace }), object);
      if (status === undefined) continue;
      const write = await internalWrite(resource, { name, namespace, subresource: "status" });
      await updateObject(backend, write, (current) => withFields(current, { status }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
