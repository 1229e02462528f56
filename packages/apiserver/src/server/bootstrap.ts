/** What a cluster has from its first moment: the namespaces and objects that every client expects. */
import { bootstrapObjects } from "../builtin/bootstrap-objects.ts";
import type { Backend } from "../registry/backend.ts";
import { createObject } from "../registry/create.ts";
import { internalWrite } from "../registry/internal-write.ts";

/** Creates what is not there yet. */
export async function createBootstrapObjects(backend: Backend): Promise<void> {
  for (const { group, version, plural, object } of bootstrapObjects()) {
    const resource = backend.registry.find(group, version, plural);
    if (resource === undefined) continue;
    const { name = "", namespace = "" } = object.metadata;
    // Whatever is stored stays as it is, and keeps what it has taken: addresses, for one.
    if (backend.reader.get(resource.storageName, namespace, name) !== undefined) continue;
    await createObject(backend, await internalWrite(resource, { name, namespace }), object);
  }
}
