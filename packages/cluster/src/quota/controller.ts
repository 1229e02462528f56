/** The quota controller: counts anew what a namespace uses when something in it comes, goes or ends. usage.ts counts. */
import { type Pod, ResourceQuota } from "@kubewright/api/core/v1";
import { type Controller, defineController, type ObjectKey } from "@kubewright/runtime";
import { feedSource } from "../feed/feed-source.ts";
import type { FeedEvent, ObjectFeed } from "../feed/object-feed.ts";
import { isPodFinished } from "../workload/pod-state.ts";
import { writeStatus } from "../workload/write-status.ts";
import { quotaUsage } from "./usage.ts";

/** Objects of these kinds use more or less when they change. */
const elastic = new Set(["services", "persistentvolumeclaims"]);

/** Keeps the status of ResourceQuotas. */
export function createQuotaController(feed: ObjectFeed): Controller<ResourceQuota> {
  /** The quotas of each namespace that has any. One that comes counts all there is when it comes. */
  const quotas = new Map<string, Map<string, ObjectKey>>();
  return defineController<ResourceQuota>({
    name: "resourcequota-controller",
    for: ResourceQuota,
    predicate: ({ type, key, identity: { name = "", namespace = "" } }) => {
      const here = quotas.get(namespace) ?? new Map<string, ObjectKey>();
      if (type === "deleted") here.delete(key);
      else here.set(key, { name, namespace });
      if (here.size === 0) quotas.delete(namespace);
      else quotas.set(namespace, here);
      return true;
    },
    sources: [feedSource(feed, "objects that count", (event) => quotasConcerned(quotas, event))],
    async reconcile(quota, { client, clock }) {
      const namespace = quota.metadata?.namespace ?? "";
      const hard = quota.spec?.hard ?? {};
      const objectsOf = (resource: string): ReturnType<ObjectFeed["list"]> => {
        const kind = feed.kind(resource);
        return kind === undefined ? [] : feed.list(kind, namespace);
      };
      await writeStatus(client, ResourceQuota, quota, { hard, used: quotaUsage(quota, objectsOf, clock.now()) });
    },
  });
}

function quotasConcerned(
  quotas: ReadonlyMap<string, ReadonlyMap<string, ObjectKey>>,
  event: FeedEvent,
): readonly ObjectKey[] {
  if (event.type === "kind-served" || quotas.size === 0) return [];
  const here = quotas.get(event.object().metadata?.namespace ?? "");
  return here === undefined || !changesUsage(event) ? [] : [...here.values()];
}

function changesUsage(event: Exclude<FeedEvent, { readonly type: "kind-served" }>): boolean {
  if (event.type === "deleted" || event.isNew) return true;
  const { resource } = event.kind;
  return elastic.has(resource) || (resource === "pods" && isPodFinished(event.object() as Pod));
}
