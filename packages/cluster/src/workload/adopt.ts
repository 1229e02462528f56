/** Carries out what claim.ts decided: orphans get an owner, strangers lose theirs. */
import {
  type KubernetesObject,
  type LabelSelector,
  type ResourceDefinition,
  removeOwner,
  setController,
} from "@kubewright/core/meta";
import type { CacheReader, Client } from "@kubewright/runtime";
import { claim } from "./claim.ts";

/** What `claimFromCache` works with. */
export interface ClaimPorts {
  readonly client: Client;
  readonly cache: CacheReader;
}

/** The objects of `definition` that belong to `owner`, after adopting and releasing what needs it. */
export async function claimFromCache<Item extends KubernetesObject>(
  owner: KubernetesObject & { readonly spec?: { readonly selector?: LabelSelector } },
  definition: ResourceDefinition<Item, unknown>,
  ports: ClaimPorts,
): Promise<readonly Item[]> {
  const { cache } = ports;
  const namespace = owner.metadata?.namespace;
  const controlled = cache.list(definition, { controlledBy: owner });
  if (owner.spec?.selector === undefined) return controlled;
  const candidates = [...controlled, ...cache.list(definition, { controlledBy: "nobody", namespace })];
  const { mine, adopt, release } = claim(owner, owner.spec.selector, candidates);
  if (adopt.length + release.length === 0) return mine;
  const { client } = ports; // Only now: a client is made when it is first asked for.
  await Promise.all([
    ...adopt.map((item) => writeOwners(client, definition, setController(item, owner))),
    ...release.map((item) => writeOwners(client, definition, removeOwner(item, owner))),
  ]);
  return mine;
}

/** Only the owners change, and only if it is still the same object. */
async function writeOwners<Item extends KubernetesObject>(
  client: Client,
  definition: ResourceDefinition<Item, unknown>,
  item: Item,
): Promise<void> {
  const { uid, ownerReferences = [] } = item.metadata ?? {};
  const body = { metadata: { uid, ownerReferences } };
  await client.patch(definition, item, { merge: body });
}
