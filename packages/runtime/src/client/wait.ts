/**
 * Waiting for an object to become something: `waitFor` with a condition of your own, or one of those below. It looks at the object
 * and follows it by a watch, so it neither polls nor misses anything.
 */
import { type Condition, isConditionTrue, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import { isExpired } from "@kubewright/core/protocol";
import type { Client } from "./client.ts";
import { resolveTarget, type Target } from "./target.ts";
import { isUnreachable } from "./unreachable-error.ts";

/** What to wait for; the object is undefined while it does not exist. */
export type WaitCondition<Kind> = (object: Kind | undefined) => boolean;

/** How to wait. */
export interface WaitOptions {
  /** Ends the waiting; without one it has no end. */
  readonly signal?: AbortSignal;
  /** @default "default" */
  readonly namespace?: string;
}

/**
 * Resolves with the object as soon as the condition holds.
 * @example await waitFor(client, Deployment, "web", { condition: hasCondition("Available"), signal });
 */
export async function waitFor<Kind extends KubernetesObject>(
  client: Client,
  definition: ResourceDefinition<Kind, unknown>,
  target: Target,
  { condition, signal, namespace = "default" }: WaitOptions & { readonly condition: WaitCondition<Kind> },
): Promise<Kind | undefined> {
  const { name, namespace: home } = resolveTarget(definition, target, namespace);
  const fieldSelector = { "metadata.name": name };
  const select = {
    ...(home === undefined ? {} : { namespace: home }),
    fieldSelector,
    ...(signal === undefined ? {} : { signal }),
  };
  for (;;) {
    const { items, metadata } = await client.list(definition, select);
    const [current] = items;
    if (condition(current)) return current;
    try {
      for await (const event of client.watch(definition, { ...select, resourceVersion: metadata.resourceVersion })) {
        if (event.type === "BOOKMARK") continue;
        const object = event.type === "DELETED" ? undefined : event.object;
        if (condition(object)) return object;
      }
    } catch (error) {
      if (!isExpired(error) && !isUnreachable(error)) throw error; // Otherwise it is looked at anew.
    }
  }
}

/** The object exists. */
export function exists<Kind>(object: Kind | undefined): boolean {
  return object !== undefined;
}

/** The object does not exist, or not any more. */
export function isGone<Kind>(object: Kind | undefined): boolean {
  return object === undefined;
}

/** The object has the condition `type` with status "True". */
export function hasCondition(type: string): WaitCondition<KubernetesObject> {
  return (object) => {
    const { status } = (object ?? {}) as { readonly status?: { readonly conditions?: readonly Condition[] } };
    return isConditionTrue(status?.conditions, type);
  };
}
