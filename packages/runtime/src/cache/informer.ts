/**
 * An informer: one kind followed by one reflector per namespace (or one for all), kept in a store, told to handlers
 * (intake.ts). Made by the cache (cache.ts), which shares one per kind; controllers subscribe. Handlers run one after the other, in the
 * order of changes per object, and see every object that exists when they subscribe.
 */
import {
  formatGroupResource,
  type KubernetesObject,
  type LabelRequirements,
  matchesLabels,
  parseLabelSelector,
  type ResourceDefinition,
} from "@kubewright/core/meta";
import type { Cancel } from "@kubewright/core/ports";
import { labelSelectorText } from "../client/selectors.ts";
import type { InformerEvent, InformerHealth, InformerOptions, SubscribeOptions } from "./informer-options.ts";
import { Intake, NO_LIST } from "./intake.ts";
import { keyOf } from "./object-key.ts";
import { type ReflectorSink, runReflector } from "./reflector.ts";
import type { Store } from "./store.ts";
import { SyncGate } from "./sync-gate.ts";
import { WatchHealth } from "./watch-health.ts";

/** Stands for all namespaces. */
const ALL = "";

/** Waits until the namespaces are known; no namespace has such a name. */
const LATER = "*";

/** One namespace, or all of them, followed. */
interface Followed {
  readonly stop: AbortController;
  run: Promise<void>;
  /** Everything up to this version was taken; "" while that is not known of any. */
  version: string;
  /** Nothing of it counts any more. */
  isLeft: boolean;
}

/** A kind, followed. */
export class Informer<Kind extends KubernetesObject = KubernetesObject> {
  readonly definition: ResourceDefinition<Kind, unknown>;
  readonly store: Store<Kind>;
  readonly #options: InformerOptions<Kind>;
  readonly #intake: Intake<Kind>;
  readonly #gate = new SyncGate();
  readonly #health: WatchHealth;
  readonly #follows = new Map<string, Followed>();
  readonly #stop = new AbortController();
  /** What the label selector says, once it was asked for. */
  #labels: LabelRequirements | undefined;
  #started = false;
  /** Lists that were begun. */
  #lists = 0;

  constructor(options: InformerOptions<Kind>) {
    this.#options = options;
    this.definition = options.definition;
    this.#intake = new Intake(options);
    this.store = this.#intake.store;
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
    const followed: Followed = { stop, run: Promise.resolve(), version: "", isLeft: false };
    this.#follows.set(namespace, followed);
    followed.run = this.#run(namespace, followed);
  }

  /** Follows a namespace no more; its objects are gone for readers and handlers. */
  async unfollow(namespace: string): Promise<void> {
    const followed = this.#follows.get(namespace);
    if (followed === undefined) return;
    // At once: it may be followed again before what runs has ended.
    this.#follows.delete(namespace);
    followed.isLeft = true;
    followed.stop.abort(new Error(`namespace ${namespace} is not followed any more`));
    this.#intake.sweep(NO_LIST, undefined, prefixOf(namespace));
    this.#health.forget(namespace);
    this.#gate.settle(namespace);
    await followed.run;
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
      leftOut: this.#intake.leftOut,
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

  /** Tells `handler` of all objects, unless it knows what is there, then of each change, until cancelled. */
  subscribe(handler: (event: InformerEvent<Kind>) => void, options?: SubscribeOptions): Cancel {
    return this.#intake.subscribe(handler, options);
  }

  /** Calls `listener` each time the server answers a watch after one failed, until cancelled. */
  onRecovery(listener: () => void): Cancel {
    return this.#health.onRecovery(listener);
  }

  /** Takes the answer to an own write: readers see it at once, handlers when the watch brings it. */
  observeWritten(object: KubernetesObject): void {
    const followed = this.#follows.get(ALL) ?? this.#follows.get(object.metadata?.namespace ?? "");
    if (followed === undefined || !this.#isSelected(object)) return;
    this.#intake.putOwn(object, followed.version);
  }

  /** Whether the watch tells of an object, or has told of it: when it no longer does, it says so. What fields select only the server knows. */
  #isSelected(object: KubernetesObject): boolean {
    const { labelSelector, fieldSelector } = this.#options;
    if (labelSelector === undefined && fieldSelector === undefined) return true;
    if (this.store.has(keyOf(object))) return true;
    if (fieldSelector !== undefined) return false;
    this.#labels ??= parseLabelSelector(labelSelectorText(labelSelector) ?? "");
    return matchesLabels(this.#labels, object.metadata?.labels);
  }

  async #run(namespace: string, followed: Followed): Promise<void> {
    const { client, labelSelector, fieldSelector, clock, random } = this.#options;
    const scope = namespace === ALL ? { allNamespaces: true } : { namespace };
    const select = { ...scope, labelSelector, fieldSelector };
    const sink = this.#sink(namespace, followed);
    const signal = AbortSignal.any([followed.stop.signal, this.#stop.signal]);
    await runReflector<Kind>({ client, definition: this.definition, select, sink, clock, random, signal });
  }

  #sink(namespace: string, followed: Followed): ReflectorSink<Kind> {
    const intake = this.#intake;
    let list: number | undefined;
    return {
      listing: () => {
        this.#lists += 1;
        list = this.#lists;
      },
      // What a later list brings was missed when it happened: it is a change like any other.
      put: (arrival) => {
        if (!followed.isLeft) intake.put(arrival, this.#gate.isPending(namespace), list);
      },
      remove: (last) => {
        if (!followed.isLeft) intake.remove(last, list);
      },
      listed: (version) => {
        if (followed.isLeft) return;
        followed.version = version;
        intake.sweep(list ?? NO_LIST, version, prefixOf(namespace));
        list = undefined;
        this.#health.progressed(namespace, version);
        this.#gate.settle(namespace);
      },
      progress: (version) => {
        if (list === undefined) followed.version = version;
        this.#health.progressed(namespace, version);
      },
      answered: () => this.#health.answered(namespace),
      failed: (error) => this.#health.failed(namespace, error),
    };
  }
}

/** What the keys of a namespace begin with. */
function prefixOf(namespace: string): string {
  return namespace === ALL ? "" : `${namespace}/`;
}
