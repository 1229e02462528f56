/**
 * What a controller wrote of its own objects, so that it need not look at it again: for controllers that say `skipsOwnWrites`.
 * run-controller.ts tells of reconciles and their writes, listen.ts asks about changes. Always holds: a change that somebody else made
 * is kept back no longer than until the reconcile that runs meanwhile ends.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { InformerEvent } from "../cache/informer-options.ts";

interface Reconciled {
  /** The object as the reconcile saw it. */
  readonly seen: KubernetesObject;
  /** The versions that it wrote. */
  readonly versions: string[];
  /** Changes that came before it was known who made them. */
  readonly early: InformerEvent[];
  isOver: boolean;
}

/** The last reconcile of each object, and what it wrote. */
export class OwnWrites {
  readonly #last = new Map<string, Reconciled>();

  /** A reconcile begins. */
  begin(key: string, seen: KubernetesObject): void {
    this.#last.set(key, { seen, versions: [], early: [], isOver: false });
  }

  /** It wrote something; what is of another generation than it saw may hold a change of somebody else. */
  note(key: string, written: KubernetesObject): void {
    const last = this.#last.get(key);
    const { uid, generation, deletionTimestamp, resourceVersion = "" } = written.metadata ?? {};
    const seen = last?.seen.metadata;
    if (uid !== seen?.uid || generation !== seen?.generation || deletionTimestamp !== seen?.deletionTimestamp) return;
    last?.versions.push(resourceVersion);
  }

  /** It ended: the changes that came meanwhile and were not its own. */
  end(key: string): readonly InformerEvent[] {
    const last = this.#last.get(key);
    if (last === undefined) return [];
    last.isOver = true;
    return last.early.splice(0).filter((event) => !isAmong(last.versions, event));
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#last.delete(key);
  }

  /** True when a change need not be looked at now: it is the controller's own, or `end` will tell. */
  keepsBack(event: InformerEvent): boolean {
    if (event.type !== "updated") return false;
    const last = this.#last.get(event.key);
    if (last === undefined) return false;
    if (last.isOver) return isAmong(last.versions, event);
    last.early.push(event);
    return true;
  }
}

function isAmong(versions: readonly string[], { object }: InformerEvent): boolean {
  return versions.includes(object.metadata?.resourceVersion ?? "");
}
