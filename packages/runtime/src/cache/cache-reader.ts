/**
 * Reading what is cached: by name, or those that are in a namespace, have labels, an owner or an entry in an index. cache.ts makes readers;
 * reconciles and mappers use them. What is read is shared and frozen; nothing is asked of the server.
 */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { AnyDefinition } from "../client/definitions.ts";
import { resolveTarget, type Target } from "../client/target.ts";
import type { Informer } from "./informer.ts";
import { formatKey } from "./object-key.ts";
import type { Store } from "./store.ts";

/** Which cached objects of a kind. */
export interface CacheListOptions {
  /** @default all that are cached */
  readonly namespace?: string | undefined;
  /** Only objects with all these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only objects that this one controls, or that nobody does; as fast as an index. */
  readonly controlledBy?: KubernetesObject | "nobody";
  /** Only objects that the index has under this value; much faster than going through all. */
  readonly index?: { readonly name: string; readonly value: string };
}

/** Reads cached objects. They are shared and deeply frozen. */
export interface CacheReader {
  /** The cached object, or undefined when there is none. */
  get<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>, target: Target): Kind | undefined;
  /** The cached objects. */
  list<Kind extends KubernetesObject>(
    what: ResourceDefinition<Kind, unknown>,
    options?: CacheListOptions,
  ): readonly Kind[];
}

/** Where a reader's names are, and whether they may lead elsewhere. */
export interface ReaderScope {
  readonly home: string;
  readonly isConfined: boolean;
}

/** A reader of the informers that `known` finds; it throws for kinds that are not cached. */
export function createReader(known: (what: AnyDefinition) => Informer, { home, isConfined }: ReaderScope): CacheReader {
  const check = (what: AnyDefinition, namespace = home): void => {
    if (isConfined && namespace !== home) throw new Error(`reading ${what.plural} of ${namespace} ${refusal(home)}`);
  };
  return {
    get: (what, target) => {
      const informer = known(what);
      const found = resolveTarget(what, target, home);
      check(what, found.namespace);
      return informer.store.get(formatKey(found)) as never;
    },
    list: (what, options = {}) => {
      check(what, options.namespace);
      return selectObjects(known(what), options) as never;
    },
  };
}

function refusal(home: string): string {
  return `was refused: it leaves namespace ${JSON.stringify(home)}; if that is meant, declare crossNamespace: true on the controller`;
}

function selectObjects({ store }: Informer, options: CacheListOptions): readonly KubernetesObject[] {
  const { namespace, labels } = options;
  const chosen: KubernetesObject[] = [];
  for (const object of candidates(store, options)) {
    if (namespace !== undefined && object.metadata?.namespace !== namespace) continue;
    if (labels !== undefined && !hasLabels(object, labels)) continue;
    chosen.push(object);
  }
  return chosen;
}

/** The fewest objects that are found at once. */
function candidates(store: Store, options: CacheListOptions): Iterable<KubernetesObject> {
  const { index, controlledBy, namespace } = options;
  if (index !== undefined) return store.byIndex(index.name, index.value);
  if (controlledBy === "nobody") return store.ownedByNobody();
  if (controlledBy !== undefined) return store.ownedBy(controlledBy.metadata?.uid ?? "");
  return namespace === undefined ? store.values() : store.inNamespace(namespace);
}

function hasLabels(object: KubernetesObject, labels: Readonly<Record<string, string>>): boolean {
  const own = object.metadata?.labels ?? {};
  return Object.entries(labels).every(([key, value]) => Object.hasOwn(own, key) && own[key] === value);
}
