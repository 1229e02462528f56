/**
 * The last reconciles of a manager, with their causes and how they ended: what `kubewright why` shows. Workers note them
 * (run-controller.ts), the debug server tells them (../manager/debug-server.ts). A ring in memory: old ones make room for
 * new ones, and what it keeps and tells are names of objects and fields, never values.
 */
import type { Cause } from "../queue/schedule.ts";

/** Where the debug server tells them, as JSON: `{ "reconciles": [ … ] }`. */
export const RECONCILES_PATH = "/debug/reconciles";

/** How many reconciles are remembered, over all objects. */
export const RECORDS_MAX = 1000;

/** One reconcile that ended. */
export interface ReconcileRecord {
  readonly controller: string;
  /** "memcacheds.cache.example.com" */
  readonly resource: string;
  readonly kind: string;
  /** "default/a", or "a" for cluster-scoped kinds. */
  readonly key: string;
  /** When it began, in milliseconds since the epoch. */
  readonly startedMs: number;
  readonly durationMs: number;
  /** 1, or more after failures in a row. */
  readonly attempt: number;
  readonly causes: readonly Cause[];
  /** Requests that may have changed something. */
  readonly writes: number;
  /** "gone": the object was deleted meanwhile, so there was nothing to do. */
  readonly result: "done" | "gone" | "after" | "retry" | "terminal";
  /** Why it is tried again, or failed for good. */
  readonly reason?: string;
  /** When it looks again by itself. */
  readonly delayMs?: number;
}

/** The reconciles that are remembered. */
export class ReconcileHistory {
  /** Few ask, so that records are made when somebody does. */
  readonly #records: Array<() => ReconcileRecord> = [];
  /** Where the next one goes, once the ring is full. */
  #next = 0;

  /** Remembers one, in the place of the oldest where there is no room. */
  add(toRecord: () => ReconcileRecord): void {
    this.#records[this.#next] = toRecord;
    this.#next = (this.#next + 1) % RECORDS_MAX;
  }

  /** All of them, the oldest first. */
  list(): readonly ReconcileRecord[] {
    const inOrder = [...this.#records.slice(this.#next), ...this.#records.slice(0, this.#next)];
    return inOrder.map((toRecord) => toRecord());
  }
}
