/**
 * Keeps children one by one, by the rules of `children`: for programs and reconciles that go step by step. Reads the cache, sends nothing
 * when the child is as wanted, and refuses what somebody else owns.
 */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Cache } from "../cache/cache.ts";
import type { Client } from "../client/client.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import { type EventRecorder, eventsAbout } from "../events/recorder.ts";
import { performChildAction } from "./child-actions.ts";
import { toManifest } from "./child-manifest.ts";
import { childName, planChild } from "./children-plan.ts";
import { SettledChildren } from "./settled-children.ts";

/** What a keeper works with. */
export interface ChildKeeperOptions {
  /** The kind of the owners. */
  readonly for: AnyDefinition;
  /** Names the field manager. */
  readonly controller: string;
  /** Tells the cache of its writes: made with `...cache.observers`. */
  readonly client: Client;
  /** Has informers of the children's kinds. */
  readonly cache: Cache;
  readonly events: EventRecorder;
}

/** A child that is as it should be. */
export interface KeptChild<Kind> {
  readonly object: Kind;
  /** True when it took a request to make it so. */
  readonly written: boolean;
}

/** Keeps children. */
export interface ChildKeeper {
  /** Makes one child of `owner` what it should be; throws `ResourceExistsError` when its name is somebody else's. */
  keep<Kind extends KubernetesObject>(
    owner: KubernetesObject,
    definition: ResourceDefinition<Kind, unknown>,
    wanted: NoInfer<Kind>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<KeptChild<Kind>>;
}

/**
 * Makes a keeper of children.
 * @example const children = createChildKeeper({ for: App, controller: "app", client, cache, events });
 *          const { object } = await children.keep(app, Deployment, deploymentFor(app));
 */
export function createChildKeeper(options: ChildKeeperOptions): ChildKeeper {
  const { for: ownerDefinition, controller, client, cache, events } = options;
  const settled = new SettledChildren();
  return {
    async keep(owner, definition, wanted, { signal = new AbortController().signal } = {}) {
      const manifest = toManifest(wanted, definition, { owner, ownerDefinition, controller });
      const observed = cache.reader(owner.metadata?.namespace).get(definition as AnyDefinition, manifest.object);
      const action = planChild(manifest, observed, {
        owner,
        ownerDefinition,
        settled: (...child) => settled.has(...child),
      });
      // Nothing to be done means that it was found.
      if (action === undefined) return { object: observed as never, written: false };
      if (action.kind === "wait") throw new Error(`${childName(definition, manifest.object)}: ${action.reason}`);
      const { warning: warn } = eventsAbout(events, owner);
      const ports = { client, signal, warn, controller, ownerDefinition, settled };
      return { object: (await performChildAction(action, owner, ports)) as never, written: true };
    },
  };
}
