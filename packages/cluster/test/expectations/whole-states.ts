/** Whole states: everything that controllers write about what came to rest, field by field, and what they told on the way. */
import assert from "node:assert/strict";
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@kubewright/api/apps/v1";
import { Job } from "@kubewright/api/batch/v1";
import { ConfigMap, Endpoints, Node, Pod, ReplicationController, Service } from "@kubewright/api/core/v1";
import { EndpointSlice } from "@kubewright/api/discovery/v1";
import { Event } from "@kubewright/api/events/v1";
import { type Expectation, server, template, type World } from "./expectation.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

/** What is written where. */
export const wholeStates: readonly Expectation[] = [
  {
    name: "everything that a Deployment and its ReplicaSet say when all is well",
    async run(world) {
      const { client, eventually } = world;
      const annotations = { [LAST_APPLIED]: "{}", team: "a" };
      await client.create(Deployment, { metadata: { name: "web", annotations }, spec: specOf("web", { replicas: 2 }) });
      await eventually(async () => {
        const deployment = await client.get(Deployment, "web");
        const [set] = (await client.list(ReplicaSet)).items;
        const name = set?.metadata?.name ?? "";
        const revision = { "deployment.kubernetes.io/revision": "1" };
        assert.deepEqual(deployment.metadata?.annotations, { ...annotations, ...revision });
        const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2, terminatingReplicas: 0 };
        const { conditions = [], ...status } = deployment.status ?? {};
        assert.deepEqual(status, { ...counts, updatedReplicas: 2, observedGeneration: 1 });
        assert.deepEqual(
          conditions.map(({ lastUpdateTime, lastTransitionTime, ...condition }) => {
            assert.ok(Date.parse(lastUpdateTime ?? "") >= Date.parse(lastTransitionTime ?? ""));
            return condition;
          }),
          [
            {
              type: "Available",
              status: "True",
              reason: "MinimumReplicasAvailable",
              message: "Deployment has minimum availability.",
            },
            {
              type: "Progressing",
              status: "True",
              reason: "NewReplicaSetAvailable",
              message: `ReplicaSet "${name}" has successfully progressed.`,
            },
          ],
        );
        const hash = set?.metadata?.labels?.["pod-template-hash"] ?? "";
        assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]+$/);
        assert.equal(name, `web-${hash}`);
        const labels = { app: "web", "pod-template-hash": hash };
        assert.deepEqual(
          [set?.metadata?.labels, set?.spec?.selector, set?.spec?.template?.metadata],
          [labels, { matchLabels: labels }, { labels }],
        );
        assert.deepEqual(set?.metadata?.annotations, {
          team: "a",
          ...revision,
          "deployment.kubernetes.io/desired-replicas": "2",
          "deployment.kubernetes.io/max-replicas": "3",
        });
        const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: deployment.metadata?.uid };
        assert.deepEqual(set?.metadata?.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
        assert.deepEqual(set?.status, { ...counts, fullyLabeledReplicas: 2, observedGeneration: 1 });
        assert.deepEqual(await told(world, "web"), [`ScalingReplicaSet Scaled up replica set ${name} from 0 to 2`]);
        assert.deepEqual(await told(world, name), await createdPods(world));
        const [pod] = (await client.list(Pod)).items;
        const assigned = `Successfully assigned ${world.namespace}/${pod?.metadata?.name} to ${pod?.spec?.nodeName}`;
        assert.ok((await told(world, pod?.metadata?.name)).includes(`Scheduled ${assigned}`));
        assert.match(pod?.metadata?.name ?? "", new RegExp(`^${name}-[a-z0-9]{5}$`));
        assert.equal(pod?.metadata?.generateName, `${name}-`);
      });
    },
  },
  {
    name: "pods are available when they were ready for as long as the Deployment asks",
    async run(world) {
      const { client, eventually } = world;
      const spec = specOf("web", { replicas: 1, minReadySeconds: 3 });
      await client.create(Deployment, { metadata: { name: "web" }, spec });
      const status = async () => (await client.get(Deployment, "web")).status;
      const reasons = async () => (await status())?.conditions?.map(({ reason }) => reason).toSorted();
      await eventually(async () => {
        const { readyReplicas, availableReplicas = 0, unavailableReplicas } = (await status()) ?? {};
        assert.deepEqual([readyReplicas, availableReplicas, unavailableReplicas], [1, 0, 1]);
        assert.deepEqual(await reasons(), ["MinimumReplicasUnavailable", "ReplicaSetUpdated"]);
      });
      await eventually(async () => {
        const { availableReplicas, unavailableReplicas = 0 } = (await status()) ?? {};
        assert.deepEqual([availableReplicas, unavailableReplicas], [1, 0]);
        assert.deepEqual(await reasons(), ["MinimumReplicasAvailable", "NewReplicaSetAvailable"]);
      });
    },
  },
  {
    name: "a ReplicaSet that comes back has a new revision and remembers the old one, and each step is told",
    async run(world) {
      const { client, eventually } = world;
      await client.create(Deployment, { metadata: { name: "web" }, spec: specOf("web", { replicas: 1 }) });
      const roll = async (image: string, revision: string): Promise<void> => {
        const containers = [{ ...server, image }];
        await client.patch(Deployment, "web", { merge: { spec: { template: { spec: { containers } } } } });
        await eventually(async () => {
          const { metadata, status } = await client.get(Deployment, "web");
          assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision"], revision);
          assert.deepEqual([status?.observedGeneration, status?.updatedReplicas], [metadata?.generation, 1]);
          assert.deepEqual([status?.replicas, status?.availableReplicas], [1, 1]);
        });
      };
      await roll(server.image, "1");
      const [first] = (await client.list(ReplicaSet)).items;
      const name = first?.metadata?.name ?? "";
      await roll("registry.example/server:2", "2");
      await roll(server.image, "3");
      const { metadata } = await client.get(ReplicaSet, name);
      assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision"], "3");
      assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision-history"], "1");
      const other = (await client.list(ReplicaSet)).items.find((each) => each.metadata?.name !== name);
      await eventually(async () =>
        assert.deepEqual(
          (await told(world, "web")).toSorted(),
          [
            `ScalingReplicaSet Scaled up replica set ${name} from 0 to 1`,
            `ScalingReplicaSet Scaled up replica set ${other?.metadata?.name} from 0 to 1`,
            `ScalingReplicaSet Scaled down replica set ${name} from 1 to 0`,
            `ScalingReplicaSet Scaled down replica set ${other?.metadata?.name} from 1 to 0`,
          ].toSorted(),
        ),
      );
    },
  },
  {
    name: "everything that a ReplicationController says when all is well",
    async run(world) {
      const { client, eventually } = world;
      const spec = { replicas: 2, selector: { app: "elder" }, template: template("elder") };
      await client.create(ReplicationController, { metadata: { name: "elder" }, spec });
      await eventually(async () => {
        const counts = { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
        const { status } = await client.get(ReplicationController, "elder");
        assert.deepEqual(status, { ...counts, observedGeneration: 1 });
        assert.deepEqual(await told(world, "elder"), await createdPods(world));
      });
    },
  },
  {
    name: "everything that a StatefulSet and its revision say when all is well",
    async run(world) {
      const { client, eventually } = world;
      const spec = specOf("db", { replicas: 2, serviceName: "peers" });
      const set = await client.create(StatefulSet, { metadata: { name: "db" }, spec });
      await eventually(async () => {
        const [revision, ...others] = (await client.list(ControllerRevision)).items;
        assert.deepEqual(others, []);
        const name = revision?.metadata?.name ?? "";
        const hash = name.slice("db-".length);
        const labels = { app: "db", "controller.kubernetes.io/hash": hash };
        assert.deepEqual([revision?.metadata?.labels, revision?.revision], [labels, 1]);
        assert.deepEqual(Object.keys(revision?.data as object), ["spec"]);
        assert.deepEqual((await client.get(StatefulSet, "db")).status, {
          observedGeneration: 1,
          replicas: 2,
          readyReplicas: 2,
          currentReplicas: 2,
          updatedReplicas: 2,
          availableReplicas: 2,
          currentRevision: name,
          updateRevision: name,
          collisionCount: 0,
        });
        const { metadata, spec: made } = await client.get(Pod, "db-1");
        assert.deepEqual(metadata?.labels, {
          app: "db",
          "apps.kubernetes.io/pod-index": "1",
          "controller-revision-hash": name,
          "statefulset.kubernetes.io/pod-name": "db-1",
        });
        assert.deepEqual([made?.hostname, made?.subdomain, metadata?.generateName], ["db-1", "peers", "db-"]);
        const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: set.metadata?.uid };
        assert.deepEqual(metadata?.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
        assert.deepEqual(await told(world, "db"), [
          "SuccessfulCreate Create Pod db-0 in StatefulSet db successful",
          "SuccessfulCreate Create Pod db-1 in StatefulSet db successful",
        ]);
      });
    },
  },
  {
    name: "everything that a DaemonSet and its revision say when all is well",
    async run(world) {
      const { client, eventually } = world;
      const { metadata, spec } = template("agent");
      const selector = { matchLabels: { app: "agent" } };
      const onHost = { metadata, spec: { ...spec, hostNetwork: true } };
      await client.create(DaemonSet, { metadata: { name: "agent" }, spec: { selector, template: onHost } });
      const nodes = (await client.list(Node)).items.length;
      await eventually(async () => {
        assert.deepEqual((await client.get(DaemonSet, "agent")).status, {
          currentNumberScheduled: nodes,
          desiredNumberScheduled: nodes,
          numberMisscheduled: 0,
          numberReady: nodes,
          updatedNumberScheduled: nodes,
          numberAvailable: nodes,
          observedGeneration: 1,
        });
        const [revision, ...others] = (await client.list(ControllerRevision)).items;
        assert.deepEqual(others, []);
        const hash = revision?.metadata?.labels?.["controller-revision-hash"];
        assert.equal(revision?.metadata?.name, `agent-${hash}`);
        assert.equal(revision?.metadata?.annotations?.["deprecated.daemonset.template.generation"], "1");
        const [pod] = (await client.list(Pod)).items;
        const labels = { app: "agent", "controller-revision-hash": hash, "pod-template-generation": "1" };
        assert.deepEqual(pod?.metadata?.labels, labels);
        const tolerated = pod?.spec?.tolerations?.map(({ key }) => key);
        assert.equal(tolerated?.includes("node.kubernetes.io/network-unavailable"), true);
        assert.deepEqual(await told(world, "agent"), await createdPods(world));
      });
    },
  },
  {
    name: "everything that a Job says when it is complete",
    async run(world) {
      const { client, eventually } = world;
      const pod = { spec: { containers: [server], restartPolicy: "Never" as const } };
      const spec = { completions: 2, parallelism: 2, template: pod };
      const { metadata } = await client.create(Job, { metadata: { name: "work" }, spec });
      await eventually(async () => {
        const job = await client.get(Job, "work");
        const { conditions = [], startTime, completionTime, ...status } = job.status ?? {};
        assert.deepEqual(status, { succeeded: 2, terminating: 0, ready: 0, uncountedTerminatedPods: {} });
        assert.ok(Date.parse(completionTime ?? "") >= Date.parse(startTime ?? ""));
        const done = { status: "True", reason: "CompletionsReached" };
        const message = "Reached expected number of succeeded pods";
        assert.deepEqual(
          conditions.map(({ lastProbeTime: _probed, lastTransitionTime: _changed, ...condition }) => condition),
          ["SuccessCriteriaMet", "Complete"].map((type) => ({ type, ...done, message })),
        );
        const uid = metadata?.uid;
        const labels = {
          "batch.kubernetes.io/controller-uid": uid,
          "batch.kubernetes.io/job-name": "work",
          "controller-uid": uid,
          "job-name": "work",
        };
        const [made] = (await client.list(Pod)).items;
        assert.deepEqual(made?.metadata?.labels, labels);
        assert.match(made?.metadata?.name ?? "", /^work-[a-z0-9]{5}$/);
        assert.deepEqual(made?.metadata?.finalizers, undefined);
        const all = [...(await createdPods(world)), "Completed Job completed"];
        assert.deepEqual((await told(world, "work")).toSorted(), all.toSorted());
      });
    },
  },
  {
    name: "everything that slices and Endpoints of a service say",
    async run({ client, namespace, eventually }) {
      await client.create(Pod, { metadata: { name: "web", labels: { app: "web" } }, spec: { containers: [server] } });
      // First of all: a slice that is written again tells no longer when the change came that it was made for.
      await eventually(async () => {
        const { status } = await client.get(Pod, "web");
        assert.ok(status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"));
      });
      const service = await client.create(Service, {
        metadata: { name: "web", labels: { team: "a" } },
        spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80 }] },
      });
      await eventually(async () => {
        const pod = await client.get(Pod, "web");
        const labelSelector = "kubernetes.io/service-name=web";
        const [slice, ...others] = (await client.list(EndpointSlice, { labelSelector })).items;
        assert.deepEqual(others, []);
        const targetRef = { kind: "Pod", namespace, name: "web", uid: pod.metadata?.uid };
        assert.deepEqual(slice?.endpoints, [
          {
            addresses: [pod.status?.podIP],
            conditions: { ready: true, serving: true, terminating: false },
            targetRef,
            nodeName: pod.spec?.nodeName,
          },
        ]);
        assert.match(slice?.metadata?.name ?? "", /^web-[a-z0-9]{5}$/);
        assert.deepEqual([slice?.addressType, slice?.ports], ["IPv4", [{ name: "http", port: 80, protocol: "TCP" }]]);
        assert.deepEqual(slice?.metadata?.labels, {
          "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
          "kubernetes.io/service-name": "web",
          team: "a",
        });
        const owner = { apiVersion: "v1", kind: "Service", name: "web", uid: service.metadata?.uid };
        assert.deepEqual(slice?.metadata?.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
        const { metadata, subsets } = await client.get(Endpoints, "web");
        const addresses = [{ ip: pod.status?.podIP, nodeName: pod.spec?.nodeName, targetRef }];
        assert.deepEqual(subsets, [{ addresses, ports: [{ name: "http", port: 80, protocol: "TCP" }] }]);
        assert.deepEqual(metadata?.labels, {
          "endpoints.kubernetes.io/managed-by": "endpoint-controller",
          team: "a",
        });
        for (const annotations of [slice?.metadata?.annotations, metadata?.annotations]) {
          assert.deepEqual(Object.keys(annotations ?? {}), [TRIGGER_TIME]);
          assert.ok(Date.parse(annotations?.[TRIGGER_TIME] ?? "") > 0);
        }
      });
    },
  },
  {
    name: "the certificates of the API server say in each namespace what they are for",
    async run({ client, eventually }) {
      await eventually(async () => {
        const { metadata, data } = await client.get(ConfigMap, "kube-root-ca.crt");
        assert.deepEqual(Object.keys(data ?? {}), ["ca.crt"]);
        assert.match(
          metadata?.annotations?.["kubernetes.io/description"] ?? "",
          /^Contains a CA bundle that can be used/,
        );
      });
    },
  },
];

function specOf(app: string, more: object) {
  return { selector: { matchLabels: { app } }, template: template(app), ...more };
}

/** What was told about an object, each sentence once for each time. */
async function told({ client }: World, name: string | undefined): Promise<readonly string[]> {
  const events = (await client.list(Event)).items.filter(({ regarding }) => regarding?.name === name);
  return events.map(({ reason, note }) => `${reason} ${note}`).toSorted();
}

/** What their controller tells of the pods that it made. */
async function createdPods({ client }: World): Promise<readonly string[]> {
  return (await client.list(Pod)).items
    .map(({ metadata }) => `SuccessfulCreate Created pod: ${metadata?.name}`)
    .toSorted();
}
