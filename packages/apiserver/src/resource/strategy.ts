/**
 * What is particular to one kind, as a value: everything a strategy leaves out is done the common way. The registry's
 * create, update and delete call it at fixed points; the built-in kinds' strategies stand in ../builtin, that of
 * custom resources in custom-resource-strategy.ts. Strategies are pure: they return new objects or the same one.
 */

import type { Random } from "@kubewright/core/ports";
import type { FieldError, PropagationPolicy } from "@kubewright/core/protocol";
import type { User } from "../request/user.ts";
import type { ApiObject } from "./object.ts";

/** Reads other objects during a request. */
export interface ObjectReader {
  /** One object by its resource ("nodes", "deployments.apps"), namespace ("" for cluster scope) and name. */
  get(resource: string, namespace: string, name: string): ApiObject | undefined;
  /** All objects of a resource, in one namespace or ("") in all. */
  list(resource: string, namespace: string): readonly ApiObject[];
}

/** What a strategy may know of the request it takes part in. */
export interface StrategyContext {
  readonly operation: "create" | "update" | "delete";
  /** "status", "scale" …; undefined on the main resource. */
  readonly subresource: string | undefined;
  readonly dryRun: boolean;
  readonly user: User;
  /** The time of the request, RFC 3339 in seconds. */
  readonly time: string;
  readonly random: Random;
  readonly reader: ObjectReader;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
}

/** What was taken for an object that is about to be stored. */
export interface Reservation {
  /** The object with what was taken written into it. */
  readonly object: ApiObject;
  /** Called when the write is over, done or not: from then on only what is stored is taken. */
  release(): void;
}

/** What is particular to one kind. Where there is a `known` object, which is stored, parts that are its own need no look. */
export interface Strategy {
  /** Loads what the other members need; awaited before any of them is called. @default nothing to load */
  readonly load?: () => Promise<void>;
  /** PUT without a resourceVersion overwrites whatever is there. @default true */
  readonly unconditionalUpdate?: boolean;
  /** PUT of a missing object creates it. @default false */
  readonly createOnUpdate?: boolean;
  /** metadata.generation counts changes outside metadata and status. @default false */
  readonly generation?: boolean;
  /** True when an update counts for metadata.generation. @default any change outside metadata and status */
  readonly changesGeneration?: (next: ApiObject, current: ApiObject) => boolean;
  /** DELETE answers with the deleted object instead of a Status. @default false */
  readonly returnsDeleted?: boolean;
  /** @default "Background" */
  readonly defaultPropagation?: PropagationPolicy;
  /** What to warn of when somebody deletes by the default policy without saying so. @default nothing */
  readonly defaultPropagationWarning?: string;
  /** Fields that field selectors may name beyond metadata.name and metadata.namespace. @default {} */
  readonly selectableFields?: Readonly<Record<string, (object: ApiObject) => string>>;
  /** Fields that nobody owns by writing to an endpoint, by subresource ("" for none). @default the status, or the spec */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Why `name` is no valid name (`isPrefix` when it is a generateName). @default the rules of DNS subdomains */
  readonly nameErrors?: (name: string, isPrefix: boolean) => readonly string[];

  /** Fills in what the client left out: after decoding, after each mutation, and after reading older objects. */
  readonly applyDefaults?: (object: ApiObject, known?: ApiObject) => ApiObject;
  /** Last changes before a new object is validated: what clients may not set is reset, what servers set is set. */
  readonly prepareForCreate?: (object: ApiObject, context: StrategyContext) => ApiObject;
  /** The same for an update. `next` has the current status (main resource) or the current rest (status) already. */
  readonly prepareForUpdate?: (next: ApiObject, current: ApiObject, context: StrategyContext) => ApiObject;
  /** What is wrong with an object; called on create, and on update with the current object. */
  readonly validate?: (
    object: ApiObject,
    current: ApiObject | undefined,
    context: StrategyContext,
  ) => readonly FieldError[];
  /**
   * Takes what the prepared object needs from a common stock (addresses, ports), before it is validated. Throws when
   * the stock refuses. @default nothing is taken
   */
  readonly reserve?: (next: ApiObject, current: ApiObject | undefined, context: StrategyContext) => Reservation;
  /** Metadata of a new object is looked at only when nothing else is wrong with it. @default false */
  readonly validatesMetadataLast?: boolean;
  /** Texts for Warning headers about an accepted object. */
  readonly warnings?: (object: ApiObject, current: ApiObject | undefined) => readonly string[];
  /**
   * Seconds the object stays after a DELETE that asked for `requestedSeconds`; undefined when the kind is deleted at
   * once. @default undefined
   */
  readonly gracePeriodSeconds?: (object: ApiObject, requestedSeconds: number | undefined) => number | undefined;
  /** Changes made when a deletion begins that has to wait (for finalizers or grace): a Terminating phase. */
  readonly prepareForDelete?: (object: ApiObject, context: StrategyContext) => ApiObject;
  /** True while something other than finalizers and grace keeps a deleted object: a namespace's spec.finalizers. */
  readonly holdsDeletion?: (object: ApiObject) => boolean;
}
