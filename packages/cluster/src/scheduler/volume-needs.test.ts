import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import type { StorageClass } from "@kubewright/api/storage/v1";
import type { StoredVolumes } from "./surroundings.ts";
import { placesOn, volumeFilter, volumeNeeds } from "./volume-needs.ts";

const pod: Pod = {
  metadata: { name: "user", namespace: "a" },
  spec: { containers: [], volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] },
};
const node: Node = { metadata: { name: "node-0", labels: { disk: "ssd" } } };
const late: StorageClass = {
  metadata: { name: "late" },
  provisioner: "example.com/disk",
  volumeBindingMode: "WaitForFirstConsumer",
};

function claim(metadata: object, more: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return { metadata: { name: "data", namespace: "a", ...metadata }, ...more };
}

function disk(name: string, storage: string): PersistentVolume {
  const spec = { accessModes: ["ReadWriteOnce"] as const, capacity: { storage }, storageClassName: "late" };
  return { metadata: { name }, spec, status: { phase: "Available" } };
}

function stored(
  claims: readonly PersistentVolumeClaim[],
  volumes: readonly PersistentVolume[] = [],
  storageClass = late,
): StoredVolumes {
  return {
    claim: ({ name }) => claims.find(({ metadata }) => metadata?.name === name),
    volume: (name) => volumes.find(({ metadata }) => metadata?.name === name),
    volumes: () => volumes,
    storageClass: () => storageClass,
  };
}

test("a pod without claims needs nothing and goes anywhere", () => {
  const plain: Pod = { metadata: pod.metadata ?? {}, spec: { containers: [] } };
  assert.deepEqual(volumeNeeds(plain, stored([])), { bound: [], late: [] });
  assert.equal(volumeFilter(plain, stored([]))(node), undefined);
});

test("a claim that is lost, or on its way out, keeps the pod from every node", () => {
  const lost = claim({}, { spec: { volumeName: "gone" }, status: { phase: "Lost" } });
  const problem = 'persistentvolumeclaim "data" bound to non-existent persistentvolume "gone"';
  assert.equal(volumeNeeds(pod, stored([lost])).problem, problem);
  const going = claim({ deletionTimestamp: "2026-01-01T00:00:00Z" });
  assert.equal(volumeNeeds(pod, stored([going])).problem, 'persistentvolumeclaim "data" is being deleted');
});

test("a bound claim whose volume is not there keeps nodes from taking the pod", () => {
  const bound = claim({ annotations: { "pv.kubernetes.io/bind-completed": "yes" } }, { spec: { volumeName: "gone" } });
  assert.deepEqual(volumeFilter(pod, stored([bound]))(node), {
    reasons: ["node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"],
    isResolvable: false,
  });
});

test("late claims get different volumes, then volumes are made where the class allows it", () => {
  const spec = { accessModes: ["ReadWriteOnce"] as const, storageClassName: "late" };
  const claims = ["a", "b", "c"].map((name) => claim({ name }, { spec }));
  const volumes = [disk("large", "9Gi"), disk("small", "1Gi")];
  const names = (places: ReturnType<typeof placesOn>) => places?.map(({ volume }) => volume?.metadata?.name);
  assert.deepEqual(names(placesOn(node, claims, stored(claims, volumes))), ["small", "large", undefined]);
  const allowedTopologies = [{ matchLabelExpressions: [{ key: "disk", values: ["hdd"] }] }];
  assert.equal(placesOn(node, claims, stored(claims, volumes, { ...late, allowedTopologies })), undefined);
});

test("a claim whose node was selected is for that node alone", () => {
  const selected = claim({ annotations: { "volume.kubernetes.io/selected-node": "node-1" } });
  const other = { metadata: { name: "node-1" } };
  assert.equal(placesOn(node, [{ ...selected, spec: { storageClassName: "late" } }], stored([])), undefined);
  assert.equal(placesOn(other, [{ ...selected, spec: { storageClassName: "late" } }], stored([]))?.length, 1);
});
