/**
 * Which objects belong to a controller object: those it controls, unless its selector no longer matches them
 * (released), and matching ones that nobody controls (adopted). Shared by all controllers of pods and ReplicaSets.
 */
import {
  getControllerOf,
  getKey,
  type KubernetesObject,
  type LabelSelector,
  type Labels,
  matchesLabels,
  toLabelRequirements,
} from "@kubewright/core/meta";

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
  const selects = matcherOf(selector);
  const [kept, adopt, release]: [Item[], Item[], Item[]] = [[], [], []];
  for (const item of items) {
    const controller = getControllerOf(item);
    const matches = selects(item.metadata?.labels ?? {});
    if (controller !== undefined && controller.uid === uid) (matches ? kept : release).push(item);
    else if (controller === undefined && adopts && matches && !isBeingDeleted(item)) adopt.push(item);
  }
  return { mine: [...kept, ...adopt], adopt, release };
}

/** Every look at an owner asks this, and nearly all selectors are plain labels, which the API server has checked. */
function matcherOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): (labels: Labels) => boolean {
  const wanted = Object.entries(matchLabels);
  const requirements = matchExpressions.length === 0 ? [] : toLabelRequirements({ matchExpressions });
  return (labels) =>
    wanted.every(([key, value]) => getKey(labels, key) === value) && matchesLabels(requirements, labels);
}

function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
