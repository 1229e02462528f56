/**
 * Writing a status in a `reconcile`, as the runtime does it for `children` controllers: through the subresource, only
 * when it differs, conditions with the times of their transitions.
 */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";
import type { StatusInput } from "./define-controller.ts";
import { statusPatch } from "./status-patch.ts";

/** What `writeStatus` works with: the context of a reconcile has it all. */
export interface StatusPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Makes the status of `object` what it should be; sends nothing when it is so already. Fields that `status` does not state are removed,
 * conditions that it does not state stay: others write theirs as well.
 * @example await writeStatus(Scaler, scaler, { conditions }, context);
 */
export async function writeStatus<Kind extends KubernetesObject>(
  definition: ResourceDefinition<Kind, unknown>,
  object: Kind,
  status: StatusInput<Kind>,
  { client, clock, signal }: StatusPorts,
): Promise<void> {
  const observedGeneration = keepsObservedGeneration(definition) ?? false;
  const changes = statusPatch({ object, wanted: status, nowMs: clock.now(), observedGeneration });
  if (changes === undefined) return;
  const merge = { metadata: { uid: object.metadata?.uid }, status: changes };
  await client.patch(
    definition,
    object,
    { merge },
    { subresource: "status", ...(signal === undefined ? {} : { signal }) },
  );
}

interface SchemaView {
  readonly properties?: Readonly<Record<string, SchemaView>>;
}

/** Whether the status of a kind has observedGeneration: its schema tells; undefined where there is none to ask. */
export function keepsObservedGeneration(definition: object): boolean | undefined {
  const { schema } = definition as { readonly schema?: SchemaView };
  return schema && schema.properties?.["status"]?.properties?.["observedGeneration"] !== undefined;
}
