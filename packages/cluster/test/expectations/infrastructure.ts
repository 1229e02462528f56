/** Budgets, quotas, volumes and autoscalers. */
import assert from "node:assert/strict";
import { Deployment } from "@kubewright/api/apps/v1";
import { HorizontalPodAutoscaler } from "@kubewright/api/autoscaling/v2";
import {
  ConfigMap,
  Endpoints,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
} from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { PodDisruptionBudget } from "@kubewright/api/policy/v1";
import { type Expectation, server, template, type World } from "./expectation.ts";

const HOLD = "example.com/hold";

/** What the controllers beside those of workloads do. */
export const infrastructure: readonly Expectation[] = [
  {
    name: "a budget in percent follows the size of the Deployment it protects",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, 4);
      const selector = { matchLabels: { app: "web" } };
      await client.create(PodDisruptionBudget, {
        metadata: { name: "web" },
        spec: { selector, maxUnavailable: "25%" },
      });
      await eventually(async () => {
        const { status, metadata } = await client.get(PodDisruptionBudget, "web");
        const { conditions, ...counts } = status ?? {};
        const wanted = { currentHealthy: 4, desiredHealthy: 3, expectedPods: 4, disruptionsAllowed: 1 };
        assert.deepEqual(counts, { ...wanted, observedGeneration: metadata?.generation });
        const [{ lastTransitionTime: _, ...condition } = { lastTransitionTime: "" }] = conditions ?? [];
        assert.deepEqual(condition, {
          type: "DisruptionAllowed",
          status: "True",
          reason: "SufficientPods",
          message: "",
          observedGeneration: metadata?.generation,
        });
      });
    },
  },
  {
    name: "a budget over pods that nothing scales counts them itself, and refuses percentages of nothing",
    async run({ client, eventually }) {
      const selector = { matchLabels: { app: "alone" } };
      await client.create(Pod, {
        metadata: { name: "alone", labels: { app: "alone" } },
        spec: { containers: [server] },
      });
      await client.create(PodDisruptionBudget, { metadata: { name: "number" }, spec: { selector, minAvailable: 1 } });
      await client.create(PodDisruptionBudget, {
        metadata: { name: "share" },
        spec: { selector, minAvailable: "50%" },
      });
      await eventually(async () => {
        const number = (await client.get(PodDisruptionBudget, "number")).status;
        assert.deepEqual([number?.expectedPods, number?.currentHealthy, number?.disruptionsAllowed], [1, 1, 0]);
        const share = (await client.get(PodDisruptionBudget, "share")).status;
        assert.deepEqual([share?.expectedPods, share?.desiredHealthy, share?.disruptionsAllowed], [0, 0, 0]);
        assert.equal(share?.conditions?.[0]?.reason, "InsufficientPods");
      });
    },
  },
  {
    name: "a quota tells what its namespace uses",
    async run({ client, eventually }) {
      // Of these a new namespace has none. What is made while a quota begins to count, Kubernetes may count minutes later.
      const hard = { pods: "5", "requests.cpu": "2", "limits.memory": "1Gi", "count/secrets": "10", services: "3" };
      await client.create(ResourceQuota, { metadata: { name: "q" }, spec: { hard } });
      const used = async (): Promise<unknown> => (await client.get(ResourceQuota, "q")).status;
      const none = { pods: "0", "requests.cpu": "0", "limits.memory": "0", "count/secrets": "0", services: "0" };
      await eventually(async () => assert.deepEqual(await used(), { hard, used: none }));
      const resources = { requests: { cpu: "300m" }, limits: { memory: "64Mi", cpu: "1" } };
      const containers = [
        { ...server, resources },
        { ...server, name: "other", resources },
      ];
      await client.create(Pod, { metadata: { name: "a" }, spec: { containers } });
      await client.create(Service, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      await client.create(Secret, { metadata: { name: "a" } });
      const some = { pods: "1", "requests.cpu": "600m", "limits.memory": "128Mi", "count/secrets": "1", services: "1" };
      await eventually(async () => assert.deepEqual(await used(), { hard, used: some }));
      await client.delete(Pod, "a", { gracePeriodSeconds: 0 });
      await client.delete(Service, "a");
      await client.delete(Secret, "a");
      await eventually(async () => assert.deepEqual(await used(), { hard, used: none }));
    },
  },
  {
    name: "a claim is bound to the smallest volume that suits, which is kept when the claim goes",
    async run({ client, namespace, eventually }) {
      const storageClassName = namespace; // Volumes are shared by all namespaces: a class of its own keeps others away.
      for (const [name, storage] of [
        ["large", "9Gi"],
        ["small", "2Gi"],
        ["tiny", "500Mi"],
      ] as const) {
        await client.create(PersistentVolume, {
          metadata: { name: `${namespace}-${name}` },
          spec: {
            accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
            capacity: { storage },
            persistentVolumeReclaimPolicy: "Retain",
            hostPath: { path: `/tmp/${name}` },
            storageClassName,
          },
        });
      }
      await eventually(async () => {
        const { status, metadata } = await client.get(PersistentVolume, `${namespace}-small`);
        assert.equal(status?.phase, "Available");
        assert.deepEqual(metadata?.finalizers, ["kubernetes.io/pv-protection"]);
      });
      const resources = { requests: { storage: "1Gi" } };
      const spec = { accessModes: ["ReadWriteOnce"] as const, resources, storageClassName };
      const { metadata } = await client.create(PersistentVolumeClaim, { metadata: { name: "data" }, spec });
      await eventually(async () => {
        const claim = await client.get(PersistentVolumeClaim, "data");
        assert.equal(claim.spec?.volumeName, `${namespace}-small`);
        const { phase, accessModes, capacity } = claim.status ?? {};
        assert.deepEqual(
          [phase, accessModes, capacity?.["storage"]],
          ["Bound", ["ReadWriteOnce", "ReadOnlyMany"], "2Gi"],
        );
        assert.equal(claim.metadata?.annotations?.["pv.kubernetes.io/bind-completed"], "yes");
        assert.equal(claim.metadata?.annotations?.["pv.kubernetes.io/bound-by-controller"], "yes");
        const volume = await client.get(PersistentVolume, `${namespace}-small`);
        assert.equal(volume.status?.phase, "Bound");
        assert.equal(volume.spec?.claimRef?.uid, metadata?.uid);
        assert.equal(volume.metadata?.annotations?.["pv.kubernetes.io/bound-by-controller"], "yes");
      });
      await client.delete(PersistentVolumeClaim, "data");
      await eventually(async () => {
        assert.equal(await client.find(PersistentVolumeClaim, "data"), undefined);
        assert.equal((await client.get(PersistentVolume, `${namespace}-small`)).status?.phase, "Released");
      });
    },
  },
  {
    name: "deletion in the foreground waits for what blocks, from the leaves to the root",
    async run({ client, eventually }) {
      const root = await client.create(ConfigMap, { metadata: { name: "root" } });
      const middle = await owned({ client }, "middle", root);
      await owned({ client }, "leaf", middle, [HOLD]);
      await client.delete(ConfigMap, "root", { propagationPolicy: "Foreground" });
      await eventually(async () => {
        for (const name of ["root", "middle", "leaf"]) {
          assert.notEqual((await client.get(ConfigMap, name)).metadata?.deletionTimestamp, undefined, name);
        }
      });
      await client.patch(ConfigMap, "leaf", { merge: { metadata: { finalizers: null } } });
      await eventually(async () => {
        for (const name of ["root", "middle", "leaf"])
          assert.equal(await client.find(ConfigMap, name), undefined, name);
      });
    },
  },
  {
    name: "a service that selects nothing has one empty slice, and a headless one names its pods",
    async run({ client, eventually }) {
      const labels = { app: "web" };
      const ports = [{ port: 80, targetPort: "http" }];
      await client.create(Service, { metadata: { name: "web" }, spec: { selector: labels, clusterIP: "None", ports } });
      const slices = async (): Promise<readonly EndpointSlice[]> =>
        (await client.list(EndpointSlice, { labelSelector: "kubernetes.io/service-name=web" })).items;
      await eventually(async () => {
        const [slice, ...others] = await slices();
        assert.equal(others.length, 0);
        assert.deepEqual([slice?.endpoints ?? [], slice?.ports ?? []], [[], []]);
        assert.equal(slice?.metadata?.labels?.["service.kubernetes.io/headless"], "");
      });
      const containers = [{ ...server, ports: [{ name: "http", containerPort: 8080 }] }];
      const spec = { hostname: "a-0", subdomain: "web", containers };
      await client.create(Pod, { metadata: { name: "a", labels }, spec });
      await eventually(async () => {
        const [slice, ...others] = await slices();
        assert.equal(others.length, 0);
        assert.deepEqual(slice?.ports, [{ name: "", port: 8080, protocol: "TCP" }]);
        assert.equal(slice?.endpoints?.[0]?.hostname, "a-0");
        assert.deepEqual(slice?.endpoints?.[0]?.conditions, { ready: true, serving: true, terminating: false });
      });
    },
  },
  {
    name: "Endpoints that somebody wrote for a service without a selector are mirrored",
    async run({ client, eventually }) {
      await client.create(Service, { metadata: { name: "out" }, spec: { ports: [{ port: 80 }] } });
      await client.create(Endpoints, {
        metadata: { name: "out", labels: { team: "shop" } },
        subsets: [
          { addresses: [{ ip: "192.0.2.1" }], notReadyAddresses: [{ ip: "192.0.2.2" }], ports: [{ port: 80 }] },
        ],
      });
      const slices = async (): Promise<readonly EndpointSlice[]> =>
        (await client.list(EndpointSlice, { labelSelector: "kubernetes.io/service-name=out" })).items;
      await eventually(async () => {
        const [slice, ...others] = await slices();
        assert.equal(others.length, 0);
        assert.deepEqual(slice?.metadata?.labels, {
          team: "shop",
          "kubernetes.io/service-name": "out",
          "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
        });
        assert.deepEqual(slice?.ports, [{ name: "", port: 80, protocol: "TCP" }]);
        const told = (slice?.endpoints ?? []).map(({ addresses, conditions }) => [addresses[0], conditions?.ready]);
        assert.deepEqual(told.toSorted(), [
          ["192.0.2.1", true],
          ["192.0.2.2", false],
        ]);
      });
      await client.delete(Endpoints, "out");
      await eventually(async () => assert.deepEqual(await slices(), []));
    },
  },
  {
    name: "an autoscaler without measurements scales nothing and says so",
    async run(world) {
      const { client, eventually } = world;
      await deploy(world, 2);
      const target = { type: "Utilization", averageUtilization: 50 };
      await client.create(HorizontalPodAutoscaler, {
        metadata: { name: "web" },
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          maxReplicas: 5,
          metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
        },
      });
      await eventually(async () => {
        const conditions = (await client.get(HorizontalPodAutoscaler, "web")).status?.conditions ?? [];
        assert.deepEqual(
          conditions.map(({ type, status, reason }) => [type, status, reason]),
          [
            ["AbleToScale", "True", "SucceededGetScale"],
            ["ScalingActive", "False", "FailedGetResourceMetric"],
          ],
        );
      });
      assert.equal((await client.get(Deployment, "web")).spec?.replicas, 2);
    },
  },
];

async function deploy({ client, eventually }: World, replicas: number): Promise<void> {
  const spec = { replicas, selector: { matchLabels: { app: "web" } }, template: template("web") };
  await client.create(Deployment, { metadata: { name: "web" }, spec });
  await eventually(async () => assert.equal((await client.get(Deployment, "web")).status?.readyReplicas, replicas));
}

function owned(
  { client }: Pick<World, "client">,
  name: string,
  { metadata }: ConfigMap,
  finalizers: readonly string[] = [],
): Promise<ConfigMap> {
  const { name: owner = "", uid = "" } = metadata ?? {};
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: owner, uid, blockOwnerDeletion: true }];
  return client.create(ConfigMap, { metadata: { name, ownerReferences, finalizers: [...finalizers] } });
}
