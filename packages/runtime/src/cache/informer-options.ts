/** What an informer is told and what it tells: what it follows and how, one change, how it is doing. informer.ts is the informer. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";
import type { SelectOptions } from "../client/options.ts";
import type { Indexes } from "./index-table.ts";
import type { StoreChange } from "./store-change.ts";

/** One change, as handlers get it. */
export type InformerEvent<Kind extends KubernetesObject = KubernetesObject> = StoreChange<Kind>;

/** What a handler is told. */
export interface SubscribeOptions {
  /** It has looked at what is there by itself, and is told of changes only. @default false */
  readonly knowsAll?: boolean;
}

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
