/**
 * The garbage collector: the object feed keeps its graph, changes put uids into its queue, and workers do what plan.ts
 * says through the API. No request is made to find out that nothing is to be done.
 */
import { apiVersionOf, deepEqual, type OwnerReference, parseApiVersion } from "@kubewright/core/meta";
import type { Cancel, Clock, Logger, Random } from "@kubewright/core/ports";
import { isConflict, isNotFound } from "@kubewright/core/protocol";
import { type Client, type EventRecorder, WorkQueue } from "@kubewright/runtime";
import type { FeedEvent, ObjectFeed } from "../feed/object-feed.ts";
import { awaitsDependents, awaitsOrphaning, type GraphNode, nodeOf, OwnershipGraph } from "./ownership-graph.ts";
import { perform } from "./perform.ts";
import { type CollectorView, isInReach, planCollection } from "./plan.ts";

/** The collector's name among the controllers of a cluster. */
export const GARBAGE_COLLECTOR = "garbage-collector-controller";

/** How many objects are worked on at once. */
const CONCURRENCY = 20;

/** How many uids of objects that are gone are remembered, for owners whose kind is gone as well. */
const GONE_MAX = 10_000;

/** What the collector works with. */
export interface CollectorPorts {
  readonly client: Client;
  readonly feed: ObjectFeed;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Deletes what has lost its owners. */
export class GarbageCollector implements CollectorView {
  readonly #ports: CollectorPorts;
  readonly #graph = new OwnershipGraph();
  readonly #queue: WorkQueue;
  readonly #gone = new Set<string>();
  /** Objects with an owner of a kind that is not served. */
  readonly #waiting = new Set<string>();
  /** How many changes of objects were seen. */
  #changes = 0;
  #unsubscribe: Cancel = () => {};
  #workers: readonly Promise<void>[] = [];

  constructor(ports: CollectorPorts) {
    this.#ports = ports;
    this.#queue = new WorkQueue(ports);
  }

  /** True when nothing is done and nothing could be done now. */
  get idle(): boolean {
    return this.#queue.idle;
  }

  /** Learns all objects, then begins to collect. */
  start(): void {
    this.#unsubscribe = this.#ports.feed.subscribe((event) => this.#observe(event));
    this.#workers = Array.from({ length: CONCURRENCY }, () => this.#work());
  }

  /** Ends it; what is being done is finished. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#queue.close();
    await Promise.all(this.#workers);
  }

  get(uid: string): GraphNode | undefined {
    return this.#graph.get(uid);
  }

  dependents(uid: string): readonly GraphNode[] {
    return this.#graph.dependents(uid);
  }

  isAbsent({ uid, apiVersion, kind }: OwnerReference): boolean {
    if (this.#gone.has(uid)) return true;
    const { group, version } = parseApiVersion(apiVersion);
    return this.#ports.feed.kinds.some(
      ({ definition, versions }) =>
        definition.kind === kind && definition.group === group && versions.includes(version),
    );
  }

  #observe(event: FeedEvent): void {
    if (event.kind.definition.kind === "Event") return; // Events end by themselves.
    this.#changes += 1;
    switch (event.type) {
      case "put":
        this.#notePut(nodeOf(event.kind.definition, event.object()));
        return;
      case "deleted":
        this.#noteDeleted(event.object().metadata?.uid ?? "");
        return;
      case "kind-served":
        for (const uid of this.#waiting) this.#queue.add(uid);
        this.#waiting.clear();
    }
  }

  #notePut(node: GraphNode): void {
    const before = this.#graph.put(node);
    if (isSettled(node, before)) return;
    // Nearly every object comes after its owners, and nothing is to be done about it.
    if (planCollection(node, this).do !== "nothing") this.#queue.add(node.uid);
    for (const { uid } of before?.owners ?? []) this.#visitIfWaiting(uid);
    // Dependents that do not block are not waited for, but go as well.
    if (awaitsDependents(node)) for (const { uid } of this.#graph.dependents(node.uid)) this.#queue.add(uid);
  }

  #noteDeleted(uid: string): void {
    const owners = this.#graph.get(uid)?.owners ?? [];
    this.#graph.remove(uid);
    this.#waiting.delete(uid);
    this.#rememberGone(uid);
    for (const dependent of this.#graph.dependents(uid)) this.#queue.add(dependent.uid);
    for (const owner of owners) this.#visitIfWaiting(owner.uid);
  }

  #rememberGone(uid: string): void {
    this.#gone.add(uid);
    if (this.#gone.size <= GONE_MAX) return;
    const [oldest] = this.#gone;
    if (oldest !== undefined) this.#gone.delete(oldest);
  }

  #visitIfWaiting(uid: string): void {
    const node = this.#graph.get(uid);
    if (node !== undefined && awaitsDependents(node)) this.#queue.add(uid);
  }

  async #work(): Promise<void> {
    for (let item = await this.#queue.take(); item !== undefined; item = await this.#queue.take()) {
      await this.#collect(item.key);
      this.#queue.done(item.key);
    }
  }

  async #collect(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    const changes = this.#changes;
    try {
      await this.#act(node);
      this.#queue.forget(uid);
    } catch (error) {
      if (isNotFound(error)) return; // The feed tells of it.
      // The graph is never behind: after a conflict it usually knows better by now.
      if (isConflict(error) && this.#changes > changes) this.#queue.add(uid);
      else this.#retry(node, error);
    }
  }

  #retry({ uid, name, namespace, definition }: GraphNode, error: unknown): void {
    const { kind } = definition;
    this.#ports.log.error("garbage collection failed; trying again", { kind, namespace, name, error });
    this.#queue.retry(uid, { reason: String(error) });
  }

  async #act(node: GraphNode): Promise<void> {
    const action = planCollection(node, this);
    if (action.do === "wait") this.#waiting.add(node.uid);
    else if (action.do === "visit") for (const { uid } of action.dependents) this.#queue.add(uid);
    else if (action.do !== "nothing") {
      this.#reportStrangers(node);
      await perform(this.#ports.client, node, action);
    }
  }

  /** An owner in another namespace counts as absent, which surprises whoever wrote the reference. */
  #reportStrangers(node: GraphNode): void {
    for (const reference of node.owners) {
      const owner = this.#graph.get(reference.uid);
      if (owner === undefined || isInReach(owner, node)) continue;
      this.#ports.events.record({
        type: "Warning",
        regarding: regarding(node),
        reason: "OwnerRefInvalidNamespace",
        note: `ownerRef ${describe(reference, node)} does not exist in namespace ${JSON.stringify(node.namespace ?? "")}`,
      });
    }
  }
}

/** True when nothing about the object can have changed what becomes of it. */
function isSettled(node: GraphNode, before: GraphNode | undefined): boolean {
  if (node.owners.length === 0 && !node.isBeingDeleted && (before?.owners.length ?? 0) === 0) return true;
  if (before === undefined) return false;
  return (
    deepEqual(node.owners, before.owners) &&
    awaitsDependents(node) === awaitsDependents(before) &&
    awaitsOrphaning(node) === awaitsOrphaning(before)
  );
}

function regarding(node: GraphNode): object {
  const { definition, name, namespace, uid } = node;
  return {
    apiVersion: apiVersionOf(definition),
    kind: definition.kind,
    metadata: { name, uid, ...(namespace === undefined ? {} : { namespace }) },
  };
}

function describe({ apiVersion, kind, name, uid }: OwnerReference, { namespace = "" }: GraphNode): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
