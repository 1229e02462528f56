/** Deletes objects and waits until they are gone; what is not there is left out. */
import type { JsonObject } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import { type AnyDefinition, type Client, createDiscovery, isGone, waitFor } from "@kubewright/runtime";
import { locate, titleOf } from "./apply-objects.ts";

/** One object that was deleted. */
export interface RemovedObject {
  readonly object: string;
  readonly result: "deleted";
}

/** How objects are removed. */
export interface RemoveOptions {
  readonly client: Client;
  readonly dryRun: boolean;
  /** Whether to wait until they are gone. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  readonly onRemoved: (removed: RemovedObject) => void;
}

/** Deletes all, in their order. */
export async function removeObjects(
  objects: readonly JsonObject[],
  options: RemoveOptions,
): Promise<readonly RemovedObject[]> {
  const { client, dryRun, wait, signal } = options;
  const discovery = createDiscovery(client);
  const removed: RemovedObject[] = [];
  for (const object of objects) {
    const { definition, target } = await locate(object, discovery);
    if (!(await remove(client, definition, target, { dryRun, signal }))) continue;
    if (wait && !dryRun) await waitFor(client, definition, target, { condition: isGone, signal });
    const one: RemovedObject = { object: titleOf(definition, target.name), result: "deleted" };
    options.onRemoved(one);
    removed.push(one);
  }
  return removed;
}

async function remove(
  client: Client,
  definition: AnyDefinition,
  target: { readonly name: string; readonly namespace?: string },
  options: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    await client.delete(definition, target, { ...options, propagationPolicy: "Background" });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
