/**
 * `defineController`: a controller as data. The manager runs it (run-controller.ts); `rbacRules` reads it. What should exist is
 * said by `children` (and `status`), or done step by step by `reconcile`; both are level-based and may run at any time.
 */
import type { ConditionUpdate, KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { CacheReader } from "../cache/cache-reader.ts";
import type { CachedKind } from "../cache/cached-kind.ts";
import type { InformerEvent } from "../cache/informer-options.ts";
import type { Client } from "../client/client.ts";
import type { AnyDefinition } from "../client/definitions.ts";
import type { Discovery } from "../client/discovery.ts";
import type { ObjectEvents } from "../events/recorder.ts";
import type { BackoffOptions } from "../queue/backoff.ts";
import type { Cause } from "../queue/schedule.ts";
import type { RateLimit } from "../queue/token-bucket.ts";
import type { DurationInput } from "./duration.ts";
import type { Observed } from "./observed.ts";
import type { Outcome } from "./outcome.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { Source } from "./source.ts";
import type { Watch } from "./watch.ts";

/** What a reconcile may use. Requests made after it ended are refused. */
export interface ReconcileContext {
  /** The API, live; names are in the object's namespace unless they say otherwise. */
  readonly client: Client;
  /** What `for`, `owns`, `watches` and `reads` keep locally, never older than this controller's own writes. */
  readonly cache: CacheReader;
  /** Kinds that are learned of at run time; what was found is kept for all reconciles. */
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly random: Random;
  /** Records events about the object. */
  readonly events: ObjectEvents;
  readonly log: Logger;
  /** Aborts when the time is up or the manager stops. */
  readonly signal: AbortSignal;
  /** Why this reconcile runs; for logs, not for decisions. */
  readonly causes: readonly Cause[];
  /** 1, or more after failures in a row. */
  readonly attempt: number;
}

/** A condition as a controller states it; the time of the last transition is kept by the runtime. */
export type ConditionInput = ConditionUpdate;

/** The status type of a kind. */
export type StatusOf<Kind> = Kind extends { readonly status?: infer Status } ? NonNullable<Status> : never;

/** A status as a controller states it: the whole of it, apart from conditions, of which those that are not stated stay. */
export type StatusInput<Kind> = {
  readonly [Field in keyof StatusOf<Kind>]: Field extends "conditions"
    ? readonly ConditionInput[]
    : StatusOf<Kind>[Field];
};

/** What every controller has. */
export interface ControllerBase<Kind extends KubernetesObject> {
  /** Names the controller in logs and metrics, and its field manager. @default the kind in lower case */
  readonly name?: string;
  /** Who its events say that they are from. @default the manager's name */
  readonly reportsAs?: string;
  /** The kind whose objects are kept. */
  readonly for: ResourceDefinition<Kind, unknown>;
  /** Kinds of objects that the controller makes; changes of them concern their owner. @default [] */
  readonly owns?: readonly AnyDefinition[];
  /** Other kinds whose changes concern objects of `for`. @default [] */
  readonly watches?: readonly Watch[];
  /** Kinds that are cached for reading only. @default [] */
  readonly reads?: readonly AnyDefinition[];
  /** How kinds are cached of which not all objects, or not all of them, are wanted, or that are found by indexes. @default [] */
  readonly caches?: readonly CachedKind[];
  /** Events from elsewhere: timers, queues, webhooks. @default [] */
  readonly sources?: readonly Source[];
  /** Which changes of `for` matter. @default all */
  readonly predicate?: (event: InformerEvent<Kind>) => boolean;
  /** Rights beyond those that `for`, `owns`, `watches` and `reads` call for. @default [] */
  readonly permissions?: readonly PolicyRule[];
  /** Objects reconciled at once. @default 16 */
  readonly concurrency?: number;
  /** The longest that one reconcile may take. @default "5m" */
  readonly timeout?: DurationInput;
  /** Every object is looked at again after this time, changed or not. @default never */
  readonly resync?: DurationInput;
  readonly backoff?: BackoffOptions;
  /** How many reconciles may begin, over all objects. @default no limit */
  readonly rateLimit?: RateLimit;
  /** Requests may leave the namespace of the object that is reconciled. @default false */
  readonly crossNamespace?: boolean;
  /** Runs while a standby waits for its turn, too: for controllers that only read. @default true */
  readonly needsLeader?: boolean;
  /**
   * Stamps each object with the leader's epoch before anything is done for it, and makes writes of the object and its children conditional
   * on the version that was read: what a former leader sent and the network still carries is refused. Costs one write for each object and
   * child when the leader changes. @default false
   */
  readonly fenced?: boolean;
  /**
   * Reconciles objects that are being deleted, too, after `finalize` where there is one: for controllers whose work is their end.
   * @default false
   */
  readonly reconcilesDeleting?: boolean;
  /** Slows an object down that every reconcile writes although its generation stays. @default true */
  readonly guardsHotLoops?: boolean;
  /**
   * A change of the object that its own reconcile made does not call for another. For controllers that do not go on from what they
   * wrote, as in a status that says which step comes next. @default false
   */
  readonly skipsOwnWrites?: boolean;
  /**
   * Waits with a key until everything else that can run now has run. Worth it for controllers that sum up many objects:
   * what comes at once is reconciled once. @default false
   */
  readonly gathers?: boolean;
  /** Undoes what garbage collection does not. Being there adds the finalizer; returning nothing removes it. */
  finalize?(object: Kind, context: ReconcileContext): Promise<Outcome> | Promise<void>;
}

/** Says what should exist. */
export interface ChildrenForm<Kind extends KubernetesObject> {
  /** The objects that should exist because of `object`. Makes no request. */
  children(object: Kind, observed: Observed): readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>;
  /**
   * What the status should be, given what is there. Makes no request. Fields that it does not state are removed, except for conditions:
   * others write theirs as well, so each that is stated takes the place of the one of its type, and the rest stay. One that has come to
   * an end is stated as "False".
   */
  status?(object: Kind, observed: Observed): StatusInput<Kind> | Promise<StatusInput<Kind>>;
  /** Records an event "Synced" whenever children were created, changed or deleted, and all went well. @default false */
  readonly recordsSynced?: boolean;
  readonly reconcile?: never;
}

/** Does it step by step. */
export interface ReconcileForm<Kind extends KubernetesObject> {
  /** Makes the world match the object, from whatever state it is in. */
  reconcile(object: Kind, context: ReconcileContext): Promise<Outcome> | Promise<void>;
  readonly children?: never;
  readonly status?: never;
  readonly recordsSynced?: never;
}

/** What `defineController` takes. */
export type ControllerOptions<Kind extends KubernetesObject> = ControllerBase<Kind> &
  (ChildrenForm<Kind> | ReconcileForm<Kind>);

/** A controller, as data. */
export type Controller<Kind extends KubernetesObject = KubernetesObject> = ControllerOptions<Kind> & {
  readonly name: string;
};

/** Field managers are named after controllers, with thirty characters more, and an API server takes 128. */
const NAME_LENGTH_MAX = 98;

/** A controller of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: a controller takes objects of its kind, so no kind stands for all
export type AnyController = Controller<any>;

/**
 * Declares a controller.
 * @example export const memcached = defineController({ for: Memcached, owns: [Deployment], children: (m) => [deploymentFor(m)] });
 */
export function defineController<Kind extends KubernetesObject>(options: ControllerOptions<Kind>): Controller<Kind> {
  if ((options.children === undefined) === (options.reconcile === undefined)) {
    throw new TypeError(`the controller of ${options.for.kind} needs either children or reconcile`);
  }
  const name = options.name ?? options.for.kind.toLowerCase();
  if (name.length > NAME_LENGTH_MAX) {
    throw new TypeError(
      `the controller's name ${JSON.stringify(name)} is longer than ${NAME_LENGTH_MAX} characters; shorten it`,
    );
  }
  return { ...options, name };
}
