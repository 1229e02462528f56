/**
 * Which objects belong to a controller object: those it controls, unless its selector no longer matches them
 * (released), and matching ones that nobody controls (adopted). Shared by all controllers of pods and ReplicaSets.
 */
import { getControllerOf, type KubernetesObject, type LabelSelector, selectorMatches } from "@kubewright/core/meta";

/** What `claim` found. */
export interface Claims<Item> {
  /** Controlled by the owner, or about to be. */
  readonly mine: readonly Item[];
  /** Those of `mine` that lack the owner reference. */
  readonly adopt: readonly Item[];
  /** Controlled by the owner, but its selector matches them no more. */
  readonly release: readonly Item[];
}

/** Sorts `items` of the owner's namespace into mine and not mine. An owner being deleted adopts nothing. */
export function claim<Item extends KubernetesObject>(
  owner: KubernetesObject,
  selector: LabelSelector,
  items: readonly Item[],
): Claims<Item> {
  const uid = owner.metadata?.uid;
  const adopts = owner.metadata?.deletionTimestamp === undefined;
  const matches = (item: Item): boolean => selectorMatches(selector, item.metadata?.labels);
  const controlled = items.filter((item) => getControllerOf(item)?.uid === uid);
  const adopt = items.filter(
    (item) =>
      adopts && getControllerOf(item) === undefined && item.metadata?.deletionTimestamp === undefined && matches(item),
  );
  return {
    mine: [...controlled.filter(matches), ...adopt],
    adopt,
    release: controlled.filter((item) => !matches(item)),
  };
}
