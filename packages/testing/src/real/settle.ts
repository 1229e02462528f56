/**
 * Waits until a namespace of a real cluster is at rest: the controllers under test have seen every object as it is and
 * have nothing to do, the built-in ones have done what the objects ask for (unrest.ts), and nothing changed for a while.
 */
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kubewright/api/apps/v1";
import { Job } from "@kubewright/api/batch/v1";
import { Pod, ResourceQuota, Service } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import { type Clock, sleep } from "@kubewright/core/ports";
import type { AnyController, AnyDefinition, Client, Manager } from "@kubewright/runtime";
import { findUnrest } from "./unrest.ts";

const POLL_MS = 50;
/** Without a change for so long all is quiet. A program that is no controller under test has so long to see a change. */
const QUIET_MS = 500;
/** What is not where it should be and does not change for so long is stuck, which is a kind of rest. */
const STUCK_MS = 8000;
const SETTLE_MS_MAX = 60_000;

/** Kinds that built-in controllers work on. */
const BUILT_IN: readonly AnyDefinition[] = [
  DaemonSet,
  Deployment,
  Event,
  Job,
  Pod,
  ReplicaSet,
  ResourceQuota,
  Service,
  StatefulSet,
];

/** What is watched for rest. */
export interface SettleOptions {
  /** Lists in the namespace of the test. */
  readonly client: Client;
  readonly namespace: string;
  readonly manager: Manager;
  readonly controllers: readonly AnyController[];
  /** Kinds beside those of the controllers. */
  readonly kinds: readonly AnyDefinition[];
  /** Whether a garbage collector runs, so that what lost its owner will go. */
  readonly collectsGarbage: boolean;
  readonly clock: Clock;
}

/** Resolves when the namespace is at rest; rejects with what is not when it takes too long. */
export async function settleReal(options: SettleOptions): Promise<void> {
  const { clock } = options;
  const startMs = clock.monotonic();
  let [before, quietSinceMs] = ["", startMs];
  for (;;) {
    const { versions, unrest } = await look(options);
    const nowMs = clock.monotonic();
    if (versions !== before) [before, quietSinceMs] = [versions, nowMs];
    if (nowMs - quietSinceMs >= (unrest === undefined ? QUIET_MS : STUCK_MS)) return;
    if (nowMs - startMs > SETTLE_MS_MAX) {
      throw new Error(`the cluster does not come to rest within ${SETTLE_MS_MAX / 1000} s: ${unrest ?? "it changes"}`);
    }
    await sleep(clock, POLL_MS);
  }
}

interface Look {
  /** Differs when anything differs. */
  readonly versions: string;
  readonly unrest: string | undefined;
}

async function look({ client, namespace, manager, controllers, kinds, collectsGarbage }: SettleOptions): Promise<Look> {
  const cached = new Set(controllers.flatMap(cachedKinds));
  const all = [...new Set([...BUILT_IN, ...kinds, ...cached])].filter(({ scope }) => scope === "Namespaced");
  const lists = await Promise.all(all.map(async (kind) => [kind, (await client.list(kind)).items] as const));
  const objects = lists.flatMap(([, items]) => items);
  const reader = manager.cache.reader(namespace);
  const isStale = lists.some(([kind, live]) => cached.has(kind) && differs(live, reader.list(kind, { namespace })));
  const isBusy = isStale || !manager.idle || isRetrying(manager);
  return {
    versions: objects.map(versionOf).sort().join(),
    unrest: isBusy ? "the controllers under test are at work" : findUnrest(objects, collectsGarbage ? all : []),
  };
}

/** Whether the last reconcile of any object is to be tried again. */
function isRetrying({ history }: Manager): boolean {
  const last = new Map(history.list().map(({ controller, key, result }) => [`${controller} ${key}`, result]));
  return last.values().some((result) => result === "retry");
}

function cachedKinds({ for: kind, owns = [], reads = [] }: AnyController): readonly AnyDefinition[] {
  return [kind, ...owns, ...reads];
}

/** Whether the cache lacks an object, has an older state of one, or one that is no more. */
function differs(live: readonly KubernetesObject[], cached: readonly KubernetesObject[]): boolean {
  const versions = new Set(live.map(versionOf));
  return cached.length !== versions.size || cached.some((object) => !versions.has(versionOf(object)));
}

function versionOf({ metadata }: KubernetesObject): string {
  return `${metadata?.uid}@${metadata?.resourceVersion}`;
}
