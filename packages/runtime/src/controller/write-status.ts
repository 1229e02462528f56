/**
 * Writing a status: through the subresource, only when it differs, conditions with the times of their transitions. The runtime does
 * it for `children` controllers; a `reconcile` has `writeStatus`.
 */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock } from "@kubewright/core/ports";
import { isConflict } from "@kubewright/core/protocol";
import type { Client } from "../client/client.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { StatusInput } from "./define-controller.ts";
import { type StatusPatchInput, statusPatch } from "./status-patch.ts";

/** How often a status is made anew because somebody else wrote the object meanwhile; then the reconcile is tried again. */
const ATTEMPTS_MAX = 5;

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
  ports: StatusPorts,
): Promise<void> {
  const observedGeneration = keepsObservedGeneration(definition) ?? false;
  const { generation } = object.metadata ?? {};
  const stated = { wanted: status, nowMs: ports.clock.now(), observedGeneration, generation };
  await sendStatus(definition, object, { ports, stated });
}

/** What `sendStatus` sends, and how. */
interface StatusWrite {
  /** A context makes its client when it is first asked for. */
  readonly ports: Pick<StatusPorts, "client" | "signal">;
  /** What the status should be, whatever the state of the object is by then. */
  readonly stated: Omit<StatusPatchInput, "object">;
  /** The newest state that is known. @default the object */
  readonly known?: KubernetesObject;
  /** Whether that must be the object's state, whatever is changed: another leader may have written it. */
  readonly isFenced?: boolean;
}

/**
 * Sends the change of a status; answers with the object that was written. Merging replaces a list as a whole, so conditions that
 * somebody else wrote after the known state would be lost: the patch names the version that it was made for, and is made anew where
 * that is no longer the object's.
 */
export async function sendStatus(
  definition: AnyDefinition,
  object: KubernetesObject,
  { ports, stated, known = object, isFenced = false }: StatusWrite,
): Promise<KubernetesObject | undefined> {
  const { uid } = object.metadata ?? {};
  const cancel = ports.signal === undefined ? {} : { signal: ports.signal };
  let current = known;
  for (let attempt = 1; ; attempt += 1) {
    const status = statusPatch({ ...stated, object: current });
    if (status === undefined) return undefined;
    const replacesConditions = "conditions" in status;
    const version = replacesConditions || isFenced ? { resourceVersion: current.metadata?.resourceVersion } : {};
    const merge = { metadata: { uid, ...version }, status };
    const options = { subresource: "status", dropsManagedFields: true, ...cancel } as const;
    try {
      return await ports.client.patch(definition, object, { merge }, options);
    } catch (error) {
      if (!isConflict(error) || !replacesConditions || isFenced || attempt === ATTEMPTS_MAX) throw error;
      current = await ports.client.get(definition, object, cancel);
      if (current.metadata?.uid !== uid) throw error;
    }
  }
}

interface SchemaView {
  readonly properties?: Readonly<Record<string, SchemaView>>;
}

/** Whether the status of a kind has observedGeneration: its schema tells; undefined where there is none to ask. */
export function keepsObservedGeneration(definition: object): boolean | undefined {
  const { schema } = definition as { readonly schema?: SchemaView };
  return schema && schema.properties?.["status"]?.properties?.["observedGeneration"] !== undefined;
}
