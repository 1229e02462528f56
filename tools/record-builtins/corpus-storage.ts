/** Claims, volumes and storage classes. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const claims = at("/api/v1/namespaces/default/persistentvolumeclaims");
const volumes = at("/api/v1/persistentvolumes");
const classes = at("/apis/storage.k8s.io/v1/storageclasses");
const claim = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const volume = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" }, ...spec },
});

/** Scenarios about storage. */
export const storageScenarios: readonly Scenario[] = [
  ...creates(claims, {
    "a claim": claim("minimal"),
    "a claim without modes": claim("x", { accessModes: [] }),
    "a claim without size": claim("x", { resources: {} }),
    "a claim of nothing": claim("x", { resources: { requests: { storage: "0" } } }),
    "a bad mode": claim("x", { accessModes: ["WriteOnly"] }),
    "an exclusive mode with another": claim("x", { accessModes: ["ReadWriteOnce", "ReadWriteOncePod"] }),
    "a bad class": claim("x", { storageClassName: "A_B" }),
  }),
  scenario(
    "what changes in a claim and what does not",
    claims.create(claim("changing")),
    claims.merge("changing", { spec: { volumeName: "v" } }),
    claims.merge("changing", { spec: { volumeName: "w" } }),
    claims.merge("changing", { spec: { storageClassName: "fast" } }),
    claims.merge("changing", { spec: { resources: { requests: { storage: "2Gi" } } } }),
    {
      method: "PATCH",
      path: "/api/v1/namespaces/default/persistentvolumeclaims/changing/status",
      contentType: "application/merge-patch+json",
      body: { status: { phase: "Bound", capacity: { storage: "1Gi" } } },
    },
    claims.merge("changing", { spec: { resources: { requests: { storage: "2Gi" } } } }),
    claims.merge("changing", { spec: { resources: { requests: { storage: "500Mi" } } } }),
    claims.remove("changing"),
  ),
  ...creates(volumes, {
    "a volume": volume("minimal"),
    "a volume without source": volume("x", { hostPath: undefined }),
    "a volume of two sources": volume("x", { nfs: { server: "a", path: "/b" } }),
    "a volume without capacity": volume("x", { capacity: undefined }),
    "a volume without modes": volume("x", { accessModes: [] }),
    "a local volume without node": volume("x", { hostPath: undefined, local: { path: "/a" } }),
    "a bad reclaim policy": volume("x", { persistentVolumeReclaimPolicy: "Burn" }),
  }),
  scenario(
    "what changes in a volume and what does not",
    volumes.create(volume("changing")),
    volumes.merge("changing", { spec: { capacity: { storage: "2Gi" } } }),
    volumes.merge("changing", { spec: { hostPath: { path: "/other" } } }),
    volumes.merge("changing", { spec: { claimRef: { namespace: "default", name: "c" } } }),
    volumes.remove("changing"),
  ),
  scenario(
    "storage classes",
    classes.create({ metadata: { name: "fast" }, provisioner: "example.com/p", parameters: { a: "b" } }),
    classes.merge("fast", { provisioner: "example.com/q" }),
    classes.merge("fast", { parameters: { a: "c" } }),
    classes.merge("fast", { reclaimPolicy: "Retain" }),
    classes.merge("fast", { volumeBindingMode: "WaitForFirstConsumer" }),
    classes.merge("fast", { allowVolumeExpansion: true }),
    classes.create({ metadata: { name: "x" } }),
    classes.create({ metadata: { name: "x" }, provisioner: "example.com/p", volumeBindingMode: "Later" }),
    classes.remove("fast"),
  ),
];
