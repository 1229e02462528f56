/**
 * What happens to a claim next: bind it, make a volume for it, wait, or tell that its volume is lost. Pure; binder.ts
 * carries it out.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { findReserved, findVolume, isReservedFor } from "./match.ts";
import { BIND_COMPLETED, DEFAULT_CLASS, NO_PROVISIONER, SELECTED_NODE } from "./names.ts";

/** What there is. */
export interface ClaimInput {
  readonly claim: PersistentVolumeClaim;
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
  /** The names of pods that use the claim and have no node yet. */
  waitingPods(): readonly string[];
}

/** What to do about a claim. */
export type ClaimAction =
  /** Nothing to do. */
  | { readonly do: "nothing" }
  /** It names no class: it gets the default one. */
  | { readonly do: "set-class"; readonly name: string }
  /** Bind claim and volume to each other. */
  | { readonly do: "bind"; readonly volume: PersistentVolume }
  /** Make a volume for it. */
  | { readonly do: "provision"; readonly storageClass: StorageClass }
  /** Its volume is gone, and what was on it. */
  | { readonly do: "lose"; readonly reason: string; readonly message: string }
  /** Nothing suits; the event says why. */
  | { readonly do: "wait"; readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string };

/** The next action about the claim. */
export function planClaim(input: ClaimInput): ClaimAction {
  const { claim, volumes } = input;
  if (claim.metadata?.annotations?.[BIND_COMPLETED] !== undefined) return planBound(claim, volumes);
  const { volumeName } = claim.spec ?? {};
  if (volumeName) return planNamed(claim, volumes, volumeName);
  return planUnbound(input);
}

/** A claim that was bound stays with its volume, whatever becomes of that. */
function planBound(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): ClaimAction {
  const volume = volumes.find(({ metadata }) => metadata?.name === claim.spec?.volumeName);
  if (claim.status?.phase === "Lost") return { do: "nothing" };
  if (volume === undefined) {
    return {
      do: "lose",
      reason: "ClaimLost",
      message: "Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    };
  }
  if (!isReservedFor(volume, claim) && volume.spec?.claimRef !== undefined) {
    const message = "Two claims are bound to the same volume, this one is bound incorrectly";
    return { do: "lose", reason: "ClaimMisbound", message };
  }
  return claim.status?.phase === "Bound" && volume.spec?.claimRef?.uid === claim.metadata?.uid
    ? { do: "nothing" }
    : { do: "bind", volume };
}

/** A person named the volume: it is that one or none. */
function planNamed(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[], name: string): ClaimAction {
  const volume = volumes.find(({ metadata }) => metadata?.name === name);
  if (volume === undefined) return { do: "nothing" }; // It may come.
  const isFree = volume.spec?.claimRef === undefined || isReservedFor(volume, claim);
  if (isFree) return { do: "bind", volume };
  const message = `volume ${JSON.stringify(name)} already bound to a different claim.`;
  return { do: "wait", type: "Warning", reason: "FailedBinding", message };
}

function planUnbound({ claim, volumes, classes, waitingPods }: ClaimInput): ClaimAction {
  const className = claim.spec?.storageClassName;
  const fallback = className === undefined ? defaultClass(classes) : undefined;
  if (fallback !== undefined) return { do: "set-class", name: fallback.metadata?.name ?? "" };
  const storageClass = classes.find(({ metadata }) => metadata?.name === className);
  const isLate = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  // Where a pod decides, the scheduler knows it: it reserves a volume or selects the node that one is made for.
  const volume = isLate ? findReserved(claim, volumes) : findVolume(claim, volumes);
  if (volume !== undefined) return { do: "bind", volume };
  if (isLate && claim.metadata?.annotations?.[SELECTED_NODE] === undefined) return waitForPod(waitingPods());
  return planProvisioning(className ?? "", storageClass);
}

function waitForPod(names: readonly string[]): ClaimAction {
  const first = "waiting for first consumer to be created before binding";
  if (names.length === 0) return { do: "wait", type: "Normal", reason: "WaitForFirstConsumer", message: first };
  const message = `waiting for pod${names.length > 1 ? "s" : ""} ${names.join(",")} to be scheduled`;
  return { do: "wait", type: "Normal", reason: "WaitForPodScheduled", message };
}

function planProvisioning(className: string, storageClass: StorageClass | undefined): ClaimAction {
  if (className === "") {
    const message = "no persistent volumes available for this claim and no storage class is set";
    return { do: "wait", type: "Normal", reason: "FailedBinding", message };
  }
  if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io ${JSON.stringify(className)} not found`;
    return { do: "wait", type: "Warning", reason: "ProvisioningFailed", message };
  }
  if (storageClass.provisioner !== NO_PROVISIONER) return { do: "provision", storageClass };
  const message = "no persistent volumes available for this claim and no storage class is set";
  return { do: "wait", type: "Normal", reason: "FailedBinding", message };
}

/** Of several defaults the newest, then the first by name. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const [first] = classes
    .filter(({ metadata }) => metadata?.annotations?.[DEFAULT_CLASS] === "true")
    .toSorted(
      (left, right) =>
        Date.parse(right.metadata?.creationTimestamp ?? "") - Date.parse(left.metadata?.creationTimestamp ?? "") ||
        ((left.metadata?.name ?? "") < (right.metadata?.name ?? "") ? -1 : 1),
    );
  return first;
}
