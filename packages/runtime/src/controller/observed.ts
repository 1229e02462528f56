/** What `children` and `status` see of the world: the object's own children and the caches, never the network. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Random } from "@kubewright/core/ports";
import type { CacheReader } from "../cache/cache-reader.ts";
import { confinedReader, type ReadingPorts } from "./confinement.ts";

/** The world as `children` and `status` see it. */
export interface Observed {
  /** The children of that kind, in no particular order. */
  list<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>): readonly Kind[];
  /** The child of that kind and name. */
  get<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>, name: string): Kind | undefined;
  /** What went wrong with the children in this reconcile, for `status` to show; it is retried. Empty in `children`. */
  readonly problems: readonly Error[];
  /** Everything else that is cached. */
  readonly cache: CacheReader;
  readonly clock: Clock;
  readonly random: Random;
}

/** The view of one object's children. */
export function observe(
  owner: KubernetesObject,
  ports: ReadingPorts & { readonly clock: Clock; readonly random: Random },
): Observed {
  const cache = confinedReader(owner.metadata?.namespace, ports);
  const list: Observed["list"] = (what) => cache.list(what, { controlledBy: owner });
  return {
    list,
    get: (what, name) => list(what).find((child) => child.metadata?.name === name),
    problems: [],
    cache,
    clock: ports.clock,
    random: ports.random,
  };
}
