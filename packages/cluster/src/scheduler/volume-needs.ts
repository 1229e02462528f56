/**
 * What the claims of a pod mean for its node: a volume may be reached from some nodes only, and a claim that waits for its
 * first consumer gets a volume where the pod goes. Pure; choose-node.ts filters by it, place-claims.ts carries it out.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { claimsOf, ephemeralClaims, whyNotFor } from "../storage/consumers.ts";
import { findVolume } from "../storage/match.ts";
import { BIND_COMPLETED, NO_PROVISIONER, SELECTED_NODE } from "../storage/names.ts";
import { matchesNodeSelector } from "./node-selection.ts";
import { final, type Refusal } from "./refusal.ts";
import type { StoredVolumes } from "./surroundings.ts";

/** The claims of a pod. */
export interface VolumeNeeds {
  /** Why no node can take the pod before something has become of its claims. */
  readonly problem?: string;
  readonly bound: readonly PersistentVolumeClaim[];
  /** Those that get a volume when the pod has a node. */
  readonly late: readonly PersistentVolumeClaim[];
}

/** What a claim gets on a node: a volume that is there, or one that is made for the node. */
export interface ClaimPlace {
  readonly claim: PersistentVolumeClaim;
  readonly volume?: PersistentVolume;
}

const nothing: VolumeNeeds = { bound: [], late: [] };

/** What `pod` needs. */
export function volumeNeeds(pod: Pod, stored: StoredVolumes): VolumeNeeds {
  const keys = claimsOf(pod);
  if (keys.length === 0) return nothing;
  const bound: PersistentVolumeClaim[] = [];
  const late: PersistentVolumeClaim[] = [];
  let isEarly = false;
  for (const key of keys) {
    const claim = stored.claim(key);
    const problem = claimProblem(pod, key.name, claim);
    if (claim === undefined || problem !== undefined) return { ...nothing, problem: problem ?? "" };
    if (isBound(claim)) bound.push(claim);
    else if (isLate(claim, stored)) late.push(claim);
    else isEarly = true;
  }
  return { bound, late, ...(isEarly ? { problem: "pod has unbound immediate PersistentVolumeClaims" } : {}) };
}

function claimProblem(pod: Pod, name: string, claim: PersistentVolumeClaim | undefined): string | undefined {
  const quoted = `persistentvolumeclaim ${JSON.stringify(name)}`;
  const isOwn = ephemeralClaims(pod).some((each) => each.name === name);
  if (claim === undefined) {
    return isOwn ? `waiting for ephemeral volume controller to create the ${quoted}` : `${quoted} not found`;
  }
  if (claim.status?.phase === "Lost") {
    return `${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? "")}`;
  }
  if (claim.metadata?.deletionTimestamp !== undefined) return `${quoted} is being deleted`;
  return isOwn ? whyNotFor(pod, claim) : undefined;
}

function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return Boolean(spec?.volumeName) && metadata?.annotations?.[BIND_COMPLETED] !== undefined;
}

/** A claim that names its volume is bound by the binder at once, whatever its class says. */
function isLate(claim: PersistentVolumeClaim, stored: StoredVolumes): boolean {
  return !claim.spec?.volumeName && classOf(claim, stored)?.volumeBindingMode === "WaitForFirstConsumer";
}

function classOf({ spec }: PersistentVolumeClaim, stored: StoredVolumes): StorageClass | undefined {
  return spec?.storageClassName ? stored.storageClass(spec.storageClassName) : undefined;
}

/** Whether the claims of `pod` can be had on a node. */
export function volumeFilter(pod: Pod, stored: StoredVolumes): (node: Node) => Refusal | undefined {
  const { bound, late } = volumeNeeds(pod, stored);
  if (bound.length + late.length === 0) return () => undefined;
  return (node) => {
    const volumes = bound.map(({ spec }) => stored.volume(spec?.volumeName ?? ""));
    const reasons = [
      ...(volumes.every((volume) => volume === undefined || isReachable(volume, node)) ? [] : [OUT_OF_REACH]),
      ...(placesOn(node, late, stored) === undefined ? [NOTHING_TO_BIND] : []),
      ...(volumes.includes(undefined) ? [VOLUME_GONE] : []),
    ];
    return reasons.length === 0 ? undefined : { ...final(""), reasons };
  };
}

const OUT_OF_REACH = "node(s) didn't match PersistentVolume's node affinity";
const NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
const VOLUME_GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

function isReachable({ spec }: PersistentVolume, node: Node): boolean {
  return matchesNodeSelector(spec?.nodeAffinity?.required, node);
}

/** What each of the claims gets on the node; undefined when one of them gets nothing there. */
export function placesOn(
  node: Node,
  claims: readonly PersistentVolumeClaim[],
  stored: StoredVolumes,
): readonly ClaimPlace[] | undefined {
  if (claims.length === 0) return [];
  const reachable = new Set(stored.volumes().filter((volume) => isReachable(volume, node)));
  const places: ClaimPlace[] = [];
  for (const claim of claims) {
    const selected = claim.metadata?.annotations?.[SELECTED_NODE];
    if (selected !== undefined && selected !== node.metadata?.name) return undefined;
    const volume = selected === undefined ? findVolume(claim, [...reachable]) : undefined;
    if (volume === undefined && !canBeMade(classOf(claim, stored), node)) return undefined;
    if (volume !== undefined) reachable.delete(volume);
    places.push({ claim, ...(volume === undefined ? {} : { volume }) });
  }
  return places;
}

function canBeMade(storageClass: StorageClass | undefined, { metadata }: Node): boolean {
  if (storageClass === undefined || storageClass.provisioner === NO_PROVISIONER) return false;
  const { allowedTopologies: terms = [] } = storageClass;
  const isMet = ({ key, values }: { readonly key: string; readonly values: readonly string[] }): boolean =>
    values.includes(metadata?.labels?.[key] ?? "");
  return terms.length === 0 || terms.some(({ matchLabelExpressions = [] }) => matchLabelExpressions.every(isMet));
}
