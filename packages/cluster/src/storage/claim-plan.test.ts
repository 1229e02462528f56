import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersistentVolume, PersistentVolumeClaim } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import { type ClaimAction, type ClaimInput, planClaim } from "./claim-plan.ts";

function claim(
  spec: PersistentVolumeClaim["spec"] = {},
  more: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim {
  return {
    metadata: { name: "data", namespace: "shop", uid: "c", ...more.metadata },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
      storageClassName: "",
      ...spec,
    },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

function volume(name: string, storage: string, spec: PersistentVolume["spec"] = {}): PersistentVolume {
  return {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage }, ...spec },
    status: { phase: "Available" },
  };
}

const standard: StorageClass = {
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "simulated",
};

function plan(of: PersistentVolumeClaim, input: Partial<ClaimInput> = {}): ClaimAction {
  return planClaim({ claim: of, volumes: [], classes: [standard], waitingPods: () => [], ...input });
}

function chosen(of: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): string | undefined {
  const action = plan(of, { volumes });
  return action.do === "bind" ? action.volume.metadata?.name : undefined;
}

test("the smallest volume that suits is chosen", () => {
  assert.equal(chosen(claim(), [volume("a", "100Gi"), volume("b", "5Gi"), volume("c", "1Gi")]), "b");
});

test("class, access mode, volume mode and labels must fit", () => {
  assert.equal(chosen(claim(), [volume("a", "5Gi", { storageClassName: "fast" })]), undefined);
  assert.equal(chosen(claim({ accessModes: ["ReadWriteMany"] }), [volume("a", "5Gi")]), undefined);
  assert.equal(chosen(claim({ volumeMode: "Block" }), [volume("a", "5Gi")]), undefined);
  assert.equal(chosen(claim({ selector: { matchLabels: { disk: "ssd" } } }), [volume("a", "5Gi")]), undefined);
});

test("a volume that is reserved for the claim goes before smaller ones", () => {
  const reserved = volume("a", "9Gi", { claimRef: { name: "data", namespace: "shop" } });
  assert.equal(chosen(claim(), [reserved, volume("b", "5Gi")]), "a");
  const taken = volume("a", "9Gi", { claimRef: { name: "data", namespace: "shop", uid: "other" } });
  assert.equal(chosen(claim(), [taken, volume("b", "5Gi")]), "b");
});

test("a claim without a class gets the default one, then a volume is made", () => {
  const { storageClassName: _, ...spec } = claim().spec ?? {};
  assert.deepEqual(plan({ ...claim(), spec }), { do: "set-class", name: "standard" });
  assert.deepEqual(plan(claim({ storageClassName: "standard" })), { do: "provision", storageClass: standard });
});

test("a claim that wants no class waits for somebody to make a volume", () => {
  assert.deepEqual(plan(claim()), {
    do: "wait",
    type: "Normal",
    reason: "FailedBinding",
    message: "no persistent volumes available for this claim and no storage class is set",
  });
  const unknown = plan(claim({ storageClassName: "fast" }));
  assert.equal(unknown.do === "wait" && unknown.message, 'storageclass.storage.k8s.io "fast" not found');
});

test("a class may wait for the first consumer, which the scheduler decides about", () => {
  const classes = [{ ...standard, volumeBindingMode: "WaitForFirstConsumer" as const }];
  const of = claim({ storageClassName: "standard" });
  const free = volume("free", "9Gi", { storageClassName: "standard" });
  const waiting = plan(of, { classes, volumes: [free] });
  assert.equal(waiting.do === "wait" && waiting.reason, "WaitForFirstConsumer");
  const words = (names: readonly string[]): unknown => {
    const action = plan(of, { classes, waitingPods: () => names });
    return action.do === "wait" && [action.reason, action.message];
  };
  assert.deepEqual(words(["a"]), ["WaitForPodScheduled", "waiting for pod a to be scheduled"]);
  assert.deepEqual(words(["a", "b"]), ["WaitForPodScheduled", "waiting for pods a,b to be scheduled"]);
  const annotations = { "volume.kubernetes.io/selected-node": "node-0" };
  const selected = { ...of, metadata: { ...of.metadata, annotations } };
  assert.equal(plan(selected, { classes, volumes: [free] }).do, "provision");
  const reserved = volume("a", "9Gi", { claimRef: { name: "data", namespace: "shop" } });
  assert.deepEqual(plan(of, { classes, volumes: [free, reserved] }), { do: "bind", volume: reserved });
});

test("a bound claim whose volume is gone has lost it", () => {
  const metadata = {
    name: "data",
    namespace: "shop",
    uid: "c",
    annotations: { "pv.kubernetes.io/bind-completed": "yes" },
  };
  const bound = claim({ volumeName: "a" }, { metadata, status: { phase: "Bound" } });
  const lost = plan(bound);
  assert.equal(lost.do === "lose" && lost.reason, "ClaimLost");
  const mine = volume("a", "5Gi", { claimRef: { name: "data", namespace: "shop", uid: "c" } });
  assert.deepEqual(plan(bound, { volumes: [mine] }), { do: "nothing" });
});
