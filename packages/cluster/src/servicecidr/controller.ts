/**
 * The controller of ServiceCIDRs: each is ready, and stays while addresses of Services depend on it. ranges.ts says whether they do. That
 * addresses went is heard from the object feed, and only while a range waits for it.
 */
import { IPAddress, ServiceCIDR } from "@kubewright/api/networking/v1";
import { type ConditionUpdate, setCondition } from "@kubewright/core/meta";
import { after, type Client, type Controller, defineController } from "@kubewright/runtime";
import { feedSource } from "../feed/feed-source.ts";
import type { FeedEvent, ObjectFeed } from "../feed/object-feed.ts";
import { protect } from "../storage/protection.ts";
import { isDispensable } from "./ranges.ts";

const FINALIZER = "networking.k8s.io/service-cidr-finalizer";
/** Until then whoever hands out addresses has heard that the range goes. */
const GRACE_MS = 10_000;

const READY = { type: "Ready", status: "True", reason: "", message: "Kubernetes Service CIDR is ready" } as const;
const HELD = {
  type: "Ready",
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
} as const;

/** Keeps ServiceCIDRs. */
export function createServiceRangeController(feed: ObjectFeed): Controller<ServiceCIDR> {
  /** The names of ranges that are held by addresses. */
  const held = new Set<string>();
  const freeing = (event: FeedEvent) => (frees(event) ? Array.from(held, (name) => ({ name })) : []);
  return defineController<ServiceCIDR>({
    name: "service-cidr-controller",
    for: ServiceCIDR,
    reconcilesDeleting: true,
    skipsOwnWrites: true,
    sources: [feedSource(feed, "addresses that are gone", freeing)],
    async reconcile(range, { client, cache, clock }) {
      const { name = "", deletionTimestamp } = range.metadata ?? {};
      held.delete(name);
      if (deletionTimestamp === undefined) {
        await protect(client, ServiceCIDR, range, { finalizer: FINALIZER, isUsed: true });
        await tell(client, range, READY, clock.now());
        return undefined;
      }
      const addresses = (await client.list(IPAddress)).items;
      if (!isDispensable(range, { ranges: cache.list(ServiceCIDR), addresses })) {
        held.add(name);
        await tell(client, range, HELD, clock.now());
        return undefined;
      }
      const waitMs = Date.parse(deletionTimestamp) + GRACE_MS - clock.now();
      if (waitMs > 0) return after(waitMs);
      await protect(client, ServiceCIDR, range, { finalizer: FINALIZER, isUsed: false });
      return undefined;
    },
  });
}

/** Addresses that go, and ranges that come, may let a range go. */
function frees({ type, kind: { resource } }: FeedEvent): boolean {
  if (type === "deleted") return resource === "ipaddresses.networking.k8s.io";
  return type === "put" && resource === "servicecidrs.networking.k8s.io";
}

async function tell(client: Client, range: ServiceCIDR, condition: ConditionUpdate, now: number): Promise<void> {
  const { conditions = [] } = range.status ?? {};
  const next = setCondition(conditions, condition, now);
  if (next === conditions) return;
  const { uid, resourceVersion } = range.metadata ?? {}; // What somebody wrote meanwhile is not to be replaced.
  const merge = { metadata: { uid, resourceVersion }, status: { conditions: next } };
  await client.patch(ServiceCIDR, range, { merge }, { subresource: "status" });
}
