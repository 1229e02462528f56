/** Options of the client's calls. Every call takes a signal; aborting it ends the request. */
import type { SelectorInput } from "./selectors.ts";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of `get` and `find`. */
export interface GetOptions extends CallOptions {
  /** "0" allows an answer from the server's cache. @default the newest state */
  readonly resourceVersion?: string;
}

/** Options of subresources that are streams. */
export interface StreamOptions extends CallOptions {
  /** Query parameters. @default {} */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
}

/** Which objects of a kind. */
export interface SelectOptions {
  /** @default the client's namespace */
  readonly namespace?: string | undefined;
  /** Over all namespaces, whatever `namespace` says. @default false */
  readonly allNamespaces?: boolean;
  readonly labelSelector?: SelectorInput | undefined;
  readonly fieldSelector?: SelectorInput | undefined;
}

/** Options of `list`. */
export interface ListOptions extends SelectOptions, CallOptions {
  /** The most items to return; the list's `metadata.continue` leads on. @default no limit */
  readonly limit?: number;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

/** Options of `each`. */
export interface EachOptions extends SelectOptions, CallOptions {
  /** Items per request. @default 500 */
  readonly pageSize?: number;
}

/** Options of `watch`. */
export interface WatchOptions extends SelectOptions, CallOptions {
  /** Changes after this version; absent: everything there is, then its changes. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: "NotOlderThan";
  /** @default false */
  readonly allowBookmarks?: boolean;
  /** Begin with all objects and a bookmark that ends them. @default false */
  readonly sendInitialEvents?: boolean;
  /** How long the server keeps the watch open. @default the server's choice */
  readonly timeoutSeconds?: number;
  /** Called when the server has begun to answer. */
  readonly onOpen?: () => void;
  /** Called for every piece of the stream that arrives, so that silence can be told from quiet. */
  readonly onActivity?: () => void;
  /** Leaves managedFields out where that saves decoding them; they may be there all the same. @default false */
  readonly dropsManagedFields?: boolean;
}

/** Options of calls that write. Those of the client itself are the defaults. */
export interface WriteOptions extends CallOptions {
  /** Checks and answers as if, and stores nothing. @default the client's */
  readonly dryRun?: boolean;
  /** Who the changed fields belong to. @default the client's */
  readonly fieldManager?: string;
  /** What happens to unknown or doubled fields. @default the client's, which is the server's: "Warn" */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** The answer comes without managedFields where that saves making or decoding them. @default the client's */
  readonly dropsManagedFields?: boolean;
}

/** Options of `create`. */
export interface CreateOptions extends WriteOptions {
  /** @default the object's own, then the client's */
  readonly namespace?: string;
}

/** Options of `update`, `patch` and `modify`. */
export interface UpdateOptions extends WriteOptions {
  /** Only status is written, through its own path. */
  readonly subresource?: "status";
  /** Overwrite whatever is there: `update` then takes objects without a resourceVersion. @default false */
  readonly unconditional?: boolean;
}

/** Options of `apply`. */
export interface ApplyOptions extends WriteOptions {
  readonly subresource?: "status";
  /** Take fields that others own. @default false */
  readonly force?: boolean;
}

/** Options of `delete`. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  /** Refuse unless the object has this uid; false gives up the check. @default the uid of the object given as target */
  readonly uid?: string | false;
  /** Refuse unless the object has this version. */
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

/** Options of `deleteCollection`. */
export interface DeleteCollectionOptions extends SelectOptions, CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
}
