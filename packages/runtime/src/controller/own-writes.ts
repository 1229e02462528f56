/**
 * What a controller's reconciles wrote and need not look at again when the watch brings it: their children where nothing that they made depends on
 * them (converge.ts says which), and the object itself for controllers that say `skipsOwnWrites`. attempts.ts tells of reconciles, listen.ts
 * asks about changes. Always holds: a change that somebody else made is kept back no longer than until the reconcile that runs meanwhile ends.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { InformerEvent } from "../cache/informer-options.ts";
import { type AnyDefinition, definitionKey } from "../client/definitions.ts";

/** How many writes may wait for their change at once. One whose change never comes by itself, as after a relist, is forgotten then. */
const AWAITED_MAX = 1024;

/** How many changes are kept back for one reconcile. Those that come then are queued as they come, and looked at when it has ended. */
const EARLY_MAX = 8;

/** A change, and the kind of what changed. */
export interface OwnedChange {
  readonly definition: AnyDefinition;
  readonly event: InformerEvent;
}

/** A reconcile that has not ended. */
interface Running {
  /** The object as the reconcile saw it. */
  readonly seen: KubernetesObject;
  /** Changes that came before it was known who made them. */
  readonly early: OwnedChange[];
  /** How many of its writes need not be looked at. */
  noted: number;
}

/** What the reconciles of a controller wrote; keys are those of the objects that they were for. */
export class OwnWrites {
  readonly #running = new Map<string, Running>();
  /** States that were written and that the watch has yet to bring. */
  readonly #awaited = new Set<string>();

  /** A reconcile begins. */
  begin(key: string, seen: KubernetesObject): void {
    this.#running.set(key, { seen, early: [], noted: 0 });
  }

  /** It wrote its own object; what is of another generation than it saw may hold a change of somebody else. */
  noteItself(key: string, definition: AnyDefinition, written: KubernetesObject): void {
    const seen = this.#running.get(key)?.seen.metadata;
    const { uid, generation, deletionTimestamp } = written.metadata ?? {};
    if (uid !== seen?.uid || generation !== seen?.generation || deletionTimestamp !== seen?.deletionTimestamp) return;
    this.note(key, definition, written);
  }

  /** It wrote something that it has nothing to learn from. */
  note(key: string, definition: AnyDefinition, { metadata }: KubernetesObject): void {
    const running = this.#running.get(key);
    if (running !== undefined) running.noted += 1;
    this.#awaited.add(stateKey(key, definition, metadata?.resourceVersion));
    if (this.#awaited.size <= AWAITED_MAX) return;
    const [oldest] = this.#awaited;
    if (oldest !== undefined) this.#awaited.delete(oldest);
  }

  /** How many of the writes of a reconcile that runs will not be looked at. */
  noted(key: string): number {
    return this.#running.get(key)?.noted ?? 0;
  }

  /** It ended: the changes that came meanwhile and were not its own. */
  end(key: string): readonly OwnedChange[] {
    const early = this.#running.get(key)?.early ?? [];
    this.#running.delete(key);
    return early.filter((change) => !this.#isOwn(key, change));
  }

  /** True when a change that concerns `key` need not be looked at now: it is the controller's own, or `end` will tell. */
  keepsBack(key: string, change: OwnedChange): boolean {
    const running = this.#running.get(key);
    if (running === undefined) return this.#isOwn(key, change);
    if (running.early.length >= EARLY_MAX) return false;
    running.early.push(change);
    return true;
  }

  /**
   * Asked once of each change and key. The end of an object that nobody saw go comes with its last state, which may be an own one; and what
   * others wrote before it was not told by itself where a list brings it.
   */
  #isOwn(key: string, { definition, event }: OwnedChange): boolean {
    if (this.#awaited.size === 0 || event.type === "deleted") return false;
    return this.#awaited.delete(stateKey(key, definition, event.identity.resourceVersion)) && event.listed !== true;
  }
}

/** Versions are those of a kind: kinds may be stored apart. What was written for one key may be news to others: a child of the controller's own kind. */
function stateKey(key: string, definition: AnyDefinition, resourceVersion = ""): string {
  return `${key} ${definitionKey(definition)} ${resourceVersion}`;
}
