/**
 * The namespace controller: empties namespaces that are being deleted, of every kind there is, then lets them go. plan.ts
 * decides the order and what the conditions say; the object feed tells when something in such a namespace is gone.
 */
import { Namespace } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import {
  after,
  type Client,
  type Controller,
  defineController,
  type ObjectKey,
  type Outcome,
} from "@kubewright/runtime";
import { feedSource } from "../feed/feed-source.ts";
import type { FeedEvent, ObjectFeed } from "../feed/object-feed.ts";
import { namespaceOf } from "./of-object.ts";
import { type DeletionOutcome, deletionConditions, kindsToEmpty, type NamespaceContent } from "./plan.ts";

const FINALIZER = "kubernetes";

/** Something may refuse to go without anybody telling: then it is asked again. */
const RETRY = "15s";

/** Keeps namespaces that are being deleted. */
export function createNamespaceController(feed: ObjectFeed): Controller<Namespace> {
  /** Those that are being deleted: what goes in others concerns nobody. */
  const emptying = new Set<string>();
  return defineController<Namespace>({
    name: "namespace-controller",
    for: Namespace,
    reconcilesDeleting: true,
    predicate: ({ type, key, object }) => {
      const isEmptying = type !== "deleted" && object.metadata?.deletionTimestamp !== undefined;
      if (isEmptying) emptying.add(key);
      else emptying.delete(key);
      return isEmptying;
    },
    sources: [feedSource(feed, "objects that are gone", (event) => namespaceThatLost(event, emptying))],
    async reconcile(namespace, { client, clock }): Promise<Outcome> {
      if (namespace.metadata?.deletionTimestamp === undefined) return undefined;
      if (!namespace.spec?.finalizers?.includes(FINALIZER)) return undefined;
      const name = namespace.metadata.name ?? "";
      const failures = await empty(client, name, kindsToEmpty(contentsOf(feed, name)));
      const remaining = contentsOf(feed, name).filter(({ objects }) => objects.length > 0);
      const current = await tell(client, namespace, { remaining, failures }, clock.now());
      if (remaining.length > 0) return after(RETRY);
      if (current !== undefined) await release(client, current);
      return undefined;
    },
  });
}

function namespaceThatLost(event: FeedEvent, emptying: ReadonlySet<string>): readonly ObjectKey[] {
  if (event.type !== "deleted" || emptying.size === 0) return [];
  const object = event.object();
  return emptying.has(object.metadata?.namespace ?? "") ? namespaceOf(object) : [];
}

function contentsOf(feed: ObjectFeed, namespace: string): readonly NamespaceContent[] {
  return feed.kinds
    .filter(({ definition }) => definition.scope === "Namespaced")
    .map((kind) => ({ kind, objects: feed.list(kind, namespace) }));
}

/** Asks for the deletion of all objects; answers with what went wrong. */
async function empty(
  client: Client,
  namespace: string,
  contents: readonly NamespaceContent[],
): Promise<readonly string[]> {
  const results = await Promise.allSettled(contents.map((content) => emptyKind(client, namespace, content)));
  return results.flatMap((result) => (result.status === "rejected" ? [messageOf(result.reason)] : []));
}

async function emptyKind(client: Client, namespace: string, { kind, objects }: NamespaceContent): Promise<void> {
  const { definition } = kind;
  const alive = objects.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (alive.length === 0) return;
  const propagationPolicy = "Background";
  if (kind.deletesCollections) return client.deleteCollection(definition, { namespace, propagationPolicy });
  await Promise.all(alive.map((object) => client.delete(definition, object, { propagationPolicy })));
}

/** Writes the conditions when they changed; answers with the namespace as it is now, undefined when it is gone. */
async function tell(
  client: Client,
  namespace: Namespace,
  outcome: DeletionOutcome,
  now: number,
): Promise<Namespace | undefined> {
  const before = namespace.status?.conditions ?? [];
  const conditions = deletionConditions(before, outcome, now);
  if (deepEqual(before, conditions)) return namespace;
  const status = { ...namespace.status, conditions };
  return unlessGone(client.update(Namespace, { ...namespace, status }, { subresource: "status" }));
}

async function release(client: Client, namespace: Namespace): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== FINALIZER);
  const body = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await unlessGone(client.subresource<Namespace>(Namespace, "finalize").update(namespace, body));
}

async function unlessGone<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
