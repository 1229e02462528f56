/** Objects that go away with their CRD: who uninstalls should know, and those with finalizers need the operator to go. */

import { isNotFound } from "@kubewright/core/protocol";
import type { CustomResource } from "@kubewright/core/schema";
import type { Client } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";

const SHOWN_MAX = 10;

/** One object that would be lost. */
export interface ObjectAtRisk {
  readonly resource: CustomResource;
  readonly name: string;
  readonly namespace?: string;
  readonly finalizers: readonly string[];
}

/** All objects of these kinds. */
export async function objectsAtRisk(
  client: Client,
  resources: readonly CustomResource[],
  signal: AbortSignal,
): Promise<readonly ObjectAtRisk[]> {
  const found: ObjectAtRisk[] = [];
  for (const resource of new Map(resources.map((each) => [`${each.plural}.${each.group}`, each])).values()) {
    try {
      for await (const { metadata } of client.each(resource, { allNamespaces: true, signal })) {
        const { name = "", namespace, finalizers = [] } = metadata ?? {};
        found.push({ resource, name, ...(namespace === undefined ? {} : { namespace }), finalizers });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error; // The kind is not installed.
    }
  }
  return found;
}

/** Refuses to lose objects without being told to. */
export function refuseLoss(objects: readonly ObjectAtRisk[]): void {
  if (objects.length === 0) return;
  const shown = objects.slice(0, SHOWN_MAX).map((each) => `  ${describe(each)}`);
  const more = objects.length > SHOWN_MAX ? [`  and ${objects.length - SHOWN_MAX} more`] : [];
  throw new CommandError(
    [`${objects.length} objects would be deleted with their CRDs:`, ...shown, ...more].join("\n"),
    { remedy: "look at them, then repeat it with --force; while the operator runs, finalizers come off by themselves" },
  );
}

function describe({ resource, name, namespace, finalizers }: ObjectAtRisk): string {
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return `${resource.kind} ${place}${finalizers.length === 0 ? "" : ` (finalizers: ${finalizers.join(", ")})`}`;
}

/**
 * Deletes the objects, and waits until they are gone: their finalizers need the operator that still runs. Their children go
 * first, because a garbage collector that never saw the kind cannot tell, once its CRD is gone, that their owner is.
 */
export async function removeAtRisk(
  client: Client,
  objects: readonly ObjectAtRisk[],
  options: { readonly signal: AbortSignal; readonly expired: () => boolean },
): Promise<void> {
  const { isGone, waitFor } = await import("@kubewright/runtime");
  for (const { resource, name, namespace } of objects) {
    const target = { name, ...(namespace === undefined ? {} : { namespace }) };
    await client
      .delete(resource, target, { signal: options.signal, propagationPolicy: "Foreground" })
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
  }
  for (const object of objects) {
    const { resource, name, namespace } = object;
    const target = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await waitFor(client, resource, target, { condition: isGone, signal: options.signal });
    } catch (error) {
      if (!options.expired()) throw error;
      throw new CommandError(`${describe(object)} does not go away: something must remove its finalizers`, {
        remedy: `start the operator (kubewright run), or give them up: kubectl patch ${resource.plural}.${resource.group} ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`,
      });
    }
  }
}
