/**
 * An informer: one kind followed by one reflector per namespace (or one for all), kept in a store, told to handlers. Made
 * by the cache (cache.ts), which shares one per kind; controllers subscribe. Handlers run one after the other, in the
 * order of changes per object, and see every object that exists when they subscribe.
 */
import {
  formatGroupResource,
  type KubernetesObject,
  leanObject,
  type ObjectMeta,
  type ResourceDefinition,
} from "@kubewright/core/meta";
import type { Cancel, Clock, Logger, Random } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";
import type { SelectOptions } from "../client/options.ts";
import type { Indexes } from "./index-table.ts";
import { keyOf } from "./object-key.ts";
import { type Arrival, type ReflectorSink, runReflector } from "./reflector.ts";
import { Store } from "./store.ts";
import type { StoreChange } from "./store-change.ts";
import { SyncGate } from "./sync-gate.ts";
import { WatchHealth } from "./watch-health.ts";

/** Stands for all namespaces. */
const ALL = "";

/** Waits until the namespaces are known; no namespace has such a name. */
const LATER = "*";

/** No list has this number: what was put outside of one has 0. */
const NO_LIST = -1;

/** Newer than every version. */
const NEWEST = "9".repeat(20);

/** One change, as handlers get it. */
export type InformerEvent<Kind extends KubernetesObject = KubernetesObject> = StoreChange<Kind>;

/** What an informer follows, and how. */
export interface InformerOptions<Kind extends KubernetesObject> {
  readonly client: Client;
  readonly definition: ResourceDefinition<Kind, unknown>;
  /** Namespaces to follow, each by a watch of its own; "later" for those given by `follow`. @default all, by one watch */
  readonly namespaces?: readonly string[] | "later" | undefined;
  readonly labelSelector?: SelectOptions["labelSelector"];
  readonly fieldSelector?: SelectOptions["fieldSelector"];
  /** Makes objects smaller before they are kept. managedFields are dropped in any case. */
  readonly transform?: ((object: Kind) => Kind) | undefined;
  readonly indexes?: Indexes<Kind> | undefined;
  /** Indexes whose functions look at nothing but the metadata, for which initial objects need not be decoded. */
  readonly metadataIndexes?: Indexes | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** How an informer is doing. */
export interface InformerHealth {
  readonly resource: string;
  /** All objects are known. */
  readonly synced: boolean;
  /** Everything up to this version is known. */
  readonly resourceVersion: string;
  /** How many objects are kept. */
  readonly objects: number;
  /** How many states could not be taken. */
  readonly leftOut: number;
  /** Why it is not following at the moment. */
  readonly problem: string | undefined;
}

/** A kind, followed. */
export class Informer<Kind extends KubernetesObject = KubernetesObject> {
  readonly definition: ResourceDefinition<Kind, unknown>;
  readonly store: Store<Kind>;
  readonly #options: InformerOptions<Kind>;
  readonly #handlers = new Set<(event: InformerEvent<Kind>) => void>();
  readonly #gate = new SyncGate();
  readonly #health: WatchHealth;
  readonly #follows = new Map<string, { readonly stop: AbortController; readonly run: Promise<void> }>();
  readonly #stop = new AbortController();
  #started = false;
  /** Lists that were begun. */
  #lists = 0;
  #leftOut = 0;

  constructor(options: InformerOptions<Kind>) {
    this.#options = options;
    this.definition = options.definition;
    this.store = new Store(options);
    this.#health = new WatchHealth(options.definition, options);
  }

  /** Begins to follow; calling it again does nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    const { namespaces } = this.#options;
    if (namespaces === undefined || this.definition.scope === "Cluster") this.follow(ALL);
    else if (namespaces === "later") this.#gate.await(LATER);
    else for (const namespace of namespaces) this.follow(namespace);
    this.#gate.begin();
  }

  /** Follows one more namespace. */
  follow(namespace: string): void {
    if (this.#follows.has(namespace) || this.#stop.signal.aborted) return;
    this.#gate.await(namespace);
    const stop = new AbortController();
    this.#follows.set(namespace, {
      stop,
      run: this.#run(namespace, AbortSignal.any([stop.signal, this.#stop.signal])),
    });
  }

  /** Follows a namespace no more; its objects are gone for readers and handlers. */
  async unfollow(namespace: string): Promise<void> {
    const followed = this.#follows.get(namespace);
    if (followed === undefined) return;
    this.#follows.delete(namespace);
    followed.stop.abort(new Error(`namespace ${namespace} is not followed any more`));
    await followed.run;
    this.#sweep(NO_LIST, NEWEST, namespace);
    this.#health.forget(namespace);
    this.#gate.settle(namespace);
  }

  /** True when its namespaces come and go. */
  get followsLater(): boolean {
    return this.#options.namespaces === "later" && this.definition.scope === "Namespaced";
  }

  /** All namespaces that were to be given later have been given. */
  namespacesKnown(): void {
    this.#gate.settle(LATER);
  }

  /** Ends it; resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error(`the informer of ${formatGroupResource(this.definition)} was stopped`));
    await Promise.all(Array.from(this.#follows.values(), ({ run }) => run));
  }

  /** How it is doing. */
  health(): InformerHealth {
    return {
      resource: formatGroupResource(this.definition),
      synced: this.synced,
      resourceVersion: this.#health.resourceVersion,
      objects: this.store.size,
      leftOut: this.#leftOut,
      problem: this.#health.problem,
    };
  }

  /** True when all objects are known. */
  get synced(): boolean {
    return this.#gate.open;
  }

  /** Resolves when all objects are known; rejects with the signal's reason, or when the informer is stopped. */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#gate.whenOpen(signal === undefined ? [this.#stop.signal] : [signal, this.#stop.signal]);
  }

  /** Tells `handler` of all objects, then of each change, until cancelled. */
  subscribe(handler: (event: InformerEvent<Kind>) => void): Cancel {
    for (const change of this.store.replay()) this.#tell(handler, change);
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Calls `listener` each time the server answers a watch after one failed, until cancelled. */
  onRecovery(listener: () => void): Cancel {
    return this.#health.onRecovery(listener);
  }

  /** Takes the answer to an own write: readers see it at once, handlers when the watch brings it. */
  observeWritten(object: KubernetesObject): void {
    if (!this.#isFollowed(object)) return;
    // The server answered with an object of this kind: the definition that was written with says so.
    this.store.putOwn(this.#prepare(object as Kind));
  }

  #isFollowed(object: KubernetesObject): boolean {
    const { labelSelector, fieldSelector } = this.#options;
    if (labelSelector !== undefined || fieldSelector !== undefined) return this.store.get(keyOf(object)) !== undefined;
    return this.#follows.has(ALL) || this.#follows.has(object.metadata?.namespace ?? "");
  }

  async #run(namespace: string, signal: AbortSignal): Promise<void> {
    const { client, labelSelector, fieldSelector, clock, random } = this.#options;
    const scope = namespace === ALL ? { allNamespaces: true } : { namespace };
    const select = { ...scope, labelSelector, fieldSelector };
    const sink = this.#sink(namespace);
    await runReflector<Kind>({ client, definition: this.definition, select, sink, clock, random, signal });
  }

  #sink(namespace: string): ReflectorSink<Kind> {
    let list: number | undefined;
    return {
      listing: () => {
        this.#lists += 1;
        list = this.#lists;
      },
      put: (arrival) => {
        const key = keyOf(arrival.metadata === undefined ? arrival.object : arrival);
        // What a later list brings was missed when it happened: it is a change like any other.
        const initial = this.#gate.isPending(namespace);
        this.#change(key, () => (initial ? this.#putInitial(arrival) : this.#put(arrival)));
        if (list !== undefined) this.store.markListed(key, list);
      },
      remove: (object) => {
        const key = keyOf(object);
        const version = object.metadata?.resourceVersion ?? "";
        this.#change(key, () => this.store.remove(key, version, this.#prepareLast(object)));
        if (list !== undefined) this.store.markListed(key, NO_LIST);
      },
      listed: (version) => {
        this.#sweep(list ?? NO_LIST, version, namespace);
        list = undefined;
        this.#health.progressed(namespace, version);
        this.#gate.settle(namespace);
      },
      progress: (version) => this.#health.progressed(namespace, version),
      answered: () => this.#health.answered(namespace),
      failed: (error) => this.#health.failed(namespace, error),
    };
  }

  /** Removes what a complete list does not contain. */
  #sweep(list: number, version: string, namespace: string): void {
    for (const key of this.store.unlistedKeys(namespace === ALL ? "" : `${namespace}/`, list)) {
      const change = this.store.remove(key, version);
      if (change !== undefined) this.#tellAll(change);
    }
  }

  /** Takes one object; one that cannot be taken is reported and left out, the others go on. */
  #change(key: string, apply: () => StoreChange<Kind> | undefined): void {
    try {
      const change = apply();
      if (change !== undefined) this.#tellAll(change);
    } catch (error) {
      this.#leftOut += 1;
      const resource = formatGroupResource(this.definition);
      this.#options.log.error("an object could not be taken into the cache and is left out", { resource, key, error });
    }
  }

  #put({ object, text }: Arrival<Kind>, initial = false): StoreChange<Kind> | undefined {
    const kept = this.#prepare(object);
    return this.store.put(kept, { text: kept === object ? text : undefined, initial });
  }

  #putInitial(arrival: Arrival<Kind>): StoreChange<Kind> | undefined {
    const { metadata, text } = arrival;
    const isText = text !== undefined && metadata?.name !== undefined && metadata.managedFields === undefined;
    if (!isText || this.#options.transform !== undefined) return this.#put(arrival, true);
    return this.store.putText(arrival as Required<Arrival<Kind>>);
  }

  #prepare(object: Kind): Kind {
    const lean = leanObject(object) ?? object;
    const metadata = lean.metadata;
    if (metadata?.name === undefined) throw new TypeError("the object has no metadata.name");
    const slim = metadata.managedFields === undefined ? lean : withoutManagedFields(lean, metadata);
    return this.#options.transform === undefined ? slim : this.#options.transform(slim);
  }

  /** The last state of an object; undefined when it cannot be taken, which must not keep its end from being known. */
  #prepareLast(object: Kind): Kind | undefined {
    try {
      return this.#prepare(object);
    } catch {
      return undefined;
    }
  }

  #tellAll(event: InformerEvent<Kind>): void {
    for (const handler of this.#handlers) this.#tell(handler, event);
  }

  #tell(handler: (event: InformerEvent<Kind>) => void, event: InformerEvent<Kind>): void {
    try {
      handler(event);
    } catch (error) {
      this.#options.log.error("a handler of the cache failed", { key: event.key, error });
    }
  }
}

function withoutManagedFields<Kind extends KubernetesObject>(object: Kind, metadata: ObjectMeta): Kind {
  const { managedFields: _dropped, ...kept } = metadata;
  return { ...object, metadata: kept };
}
