/** Creating what somebody else may just have created, or where nothing can be created any more. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { isAlreadyExists, isForbidden, isNotFound } from "@kubewright/core/protocol";
import type { Client } from "@kubewright/runtime";

/** Creates the object; an object that is there already, or a namespace that goes away, is no failure. */
export async function createUnlessThere<Kind extends KubernetesObject, Input>(
  client: Client,
  definition: ResourceDefinition<Kind, Input>,
  object: NoInfer<Input>,
): Promise<void> {
  try {
    await client.create(definition, object);
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error) && !isForbidden(error)) throw error;
  }
}
