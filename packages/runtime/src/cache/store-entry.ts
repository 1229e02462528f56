/** What a store keeps of one object beside its state, and how handlers are told of it. store.ts has them by key. */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Arrival } from "./arrival.ts";
import { forget, type State } from "./decoded-states.ts";
import { LazyChange, type StoreChange } from "./store-change.ts";

/** One stored object. */
export interface Entry<Kind> {
  readonly state: State<Kind>;
  readonly version: string;
  /** The uid of its controlling owner. */
  readonly owner: string | undefined;
  /** What handlers last heard of: undefined means nothing yet, the same as `state` means they are up to date. */
  announced: State<Kind> | undefined;
  /** Deleted by ourselves, and the watch has yet to confirm it. */
  gone: boolean;
  /** The list that had it last. */
  list: number;
}

/** The newest state of an entry, which came with `arrival`, as handlers hear of it. */
export function announce<Kind extends KubernetesObject>(
  key: string,
  entry: Entry<Kind>,
  {
    arrival,
    initial,
    keepsOwner,
  }: Pick<StoreChange, "initial"> & { readonly arrival: Arrival<Kind>; readonly keepsOwner: boolean },
): StoreChange<Kind> {
  const { state, announced } = entry;
  const type = announced === undefined ? "added" : "updated";
  const change = new LazyChange({ type, key, initial, keepsOwner }, arrival, announced);
  if (announced !== undefined && announced !== state) forget(announced);
  entry.announced = state;
  return change;
}

/** True when handlers were told of the newest state. */
export function isTold<Kind>(entry: Entry<Kind> | undefined): boolean {
  return entry !== undefined && entry.announced === entry.state;
}
