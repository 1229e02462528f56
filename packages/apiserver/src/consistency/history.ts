/**
 * What clients of one server did and saw, for a check of its consistency: recorded by record-history.ts, judged by
 * check-history.ts. Times are places in one sequence of invocations and returns: only their order counts.
 */

/** One change of one object, as a watch from the start told it. */
export interface Change {
  readonly revision: number;
  readonly key: string;
  readonly type: "put" | "delete";
  /** What the object said; each write of a run says something else. */
  readonly value: string;
  readonly uid: string;
}

/** How a request ended for its client. */
export type Outcome =
  /** It saw the object at a revision. */
  | { readonly type: "read"; readonly revision: number; readonly value: string }
  /** It created the object. */
  | { readonly type: "created"; readonly revision: number; readonly value: string }
  /** It replaced what was at `expected`; at whatever revision, when `expected` is undefined. */
  | { readonly type: "replaced"; readonly revision: number; readonly value: string; readonly expected?: number }
  /** It deleted the object with this uid. */
  | { readonly type: "deleted"; readonly uid: string }
  /** There was no object. */
  | { readonly type: "absent" }
  /** There was one already. */
  | { readonly type: "exists" }
  /** The object was not at `expected`. */
  | { readonly type: "conflict"; readonly expected: number }
  /** It saw all objects at once. */
  | { readonly type: "listed"; readonly revision: number; readonly revisions: ReadonlyMap<string, number> }
  /** The connection broke: it may have happened or not. */
  | { readonly type: "unknown" };

/** One request. */
export interface Operation {
  readonly client: number;
  /** "" for lists. */
  readonly key: string;
  readonly invoked: number;
  /** Infinity when no answer came. */
  readonly returned: number;
  readonly outcome: Outcome;
}

/** What a watcher saw, over all its connections. */
export interface Watched {
  /** Only changes after this revision. */
  readonly after: number;
  readonly revisions: readonly number[];
}

/** A whole run. */
export interface History {
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
  readonly watches: readonly Watched[];
}
