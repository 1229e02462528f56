/** Writing a status computed by a pure function: only when it differs, and only over what it was computed from. */
import { deepEqual, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import type { Client } from "@kubewright/runtime";

/**
 * Writes `status` unless the object has it already; answers with the object as it is then. Fails with a conflict when the object has
 * changed meanwhile.
 */
export function writeStatus<Kind extends KubernetesObject & { readonly status?: object }>(
  client: Client,
  definition: ResourceDefinition<Kind, unknown>,
  object: Kind,
  status: object,
): Promise<Kind> {
  if (deepEqual(object.status ?? {}, status)) return Promise.resolve(object);
  return client.update(definition, { ...object, status }, { subresource: "status" });
}
