/** What a store keeps of one object beside its state, and how handlers are told of it. store.ts has them by key. */
import type { KubernetesObject } from "@kubewright/core/meta";
import { type Arrival, identityOf } from "./arrival.ts";
import { forget, type State } from "./decoded-states.ts";
import { compareVersions } from "./resource-version.ts";
import { LazyChange, type StoreChange } from "./store-change.ts";

/** One stored object. */
export interface Entry<Kind> {
  readonly state: State<Kind>;
  readonly version: string;
  /** The uid of its controlling owner. */
  readonly owner: string | undefined;
  /** What handlers last heard of: undefined means nothing yet, the same as `state` means they are up to date. */
  announced: State<Kind> | undefined;
  /** The newest version that handlers heard of; "" when there is none. */
  told: string;
  /** Deleted by ourselves, and the watch has yet to confirm it. */
  gone: boolean;
  /** The list that had it last. */
  list: number;
}

/** What is told of a state, beside the state. */
type Telling<Kind extends KubernetesObject> = Pick<Required<StoreChange>, "initial" | "listed" | "keepsOwner"> & {
  readonly arrival: Arrival<Kind>;
};

/** The newest state of an entry, which came with `arrival`, as handlers hear of it. */
export function announce<Kind extends KubernetesObject>(
  key: string,
  entry: Entry<Kind>,
  { arrival, initial, listed, keepsOwner }: Telling<Kind>,
): StoreChange<Kind> {
  const { state, announced } = entry;
  const type = announced === undefined ? "added" : "updated";
  const change = new LazyChange({ type, key, initial, listed, keepsOwner }, arrival, announced);
  if (announced !== undefined && announced !== state) forget(announced);
  entry.announced = state;
  entry.told = entry.version;
  return change;
}

/**
 * A state that an own write overtook, as handlers hear of it: it may hold a change of somebody else, and who skips own writes would never
 * hear of that. Readers have the newer state, which is told when it comes. Undefined when there is nothing new to be told.
 */
export function announceOvertaken<Kind extends KubernetesObject>(
  key: string,
  entry: Entry<Kind>,
  { arrival, initial, listed, keepsOwner }: Telling<Kind>,
): StoreChange<Kind> | undefined {
  const { resourceVersion = "" } = identityOf(arrival);
  const { announced, told, gone } = entry;
  if (announced === undefined || gone || compareVersions(resourceVersion, told) <= 0) return undefined;
  entry.told = resourceVersion;
  return new LazyChange({ type: "updated", key, initial, listed, keepsOwner }, arrival, announced);
}

/** True when handlers were told of the newest state. */
export function isTold<Kind>(entry: Entry<Kind> | undefined): boolean {
  return entry !== undefined && entry.announced === entry.state;
}
