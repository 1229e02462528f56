/** Where pods go: near some pods, away from others, evenly. Every node is a domain of its own by its host name. */
import assert from "node:assert/strict";
import { Deployment } from "@kubewright/api/apps/v1";
import { Node, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { PriorityClass } from "@kubewright/api/scheduling/v1";
import { type Expectation, server, template, type World } from "./expectation.ts";

const HOST = "kubernetes.io/hostname";
const NOBODY = "No preemption victims found for incoming pod";
const USELESS = "Preemption is not helpful for scheduling";

/** What the scheduler does with pods that care about each other. */
export const placement: readonly Expectation[] = [
  {
    name: "pods that keep away from each other get a node each, and one too many waits until there is room",
    async run(world) {
      const nodes = await nodeCount(world);
      const podAntiAffinity = required("loner");
      await deploy(world, "loner", nodes + 1, { affinity: { podAntiAffinity } });
      await world.eventually(async () => {
        const { hosts, waiting } = await placed(world, "loner");
        assert.deepEqual([new Set(hosts).size, hosts.length, waiting.length], [nodes, nodes, 1]);
        assertUnschedulable(waiting[0], nodes, "node(s) didn't match pod anti-affinity rules", NOBODY);
      });
      await world.client.patch(Deployment, "loner", { merge: { spec: { replicas: nodes } } });
      await world.eventually(async () => {
        const { hosts, waiting } = await placed(world, "loner");
        assert.deepEqual([new Set(hosts).size, waiting.length], [nodes, 0]);
      });
    },
  },
  {
    name: "a pod that keeps others away keeps those away, too, that do not mind",
    async run(world) {
      const nodes = await nodeCount(world);
      await deploy(world, "guard", nodes, { affinity: { podAntiAffinity: required("guard", "guest") } });
      await world.eventually(async () => assert.equal((await placed(world, "guard")).hosts.length, nodes));
      await deploy(world, "guest", 1, {});
      await world.eventually(async () => {
        const { waiting } = await placed(world, "guest");
        const reason = "node(s) didn't satisfy existing pods anti-affinity rules";
        assertUnschedulable(waiting[0], nodes, reason, NOBODY);
      });
      await world.client.delete(Deployment, "guard");
      await world.eventually(async () => assert.equal((await placed(world, "guest")).hosts.length, 1));
    },
  },
  {
    name: "pods that want to be together are on one node, and wait for those they want to be with",
    async run(world) {
      const nodes = await nodeCount(world);
      await deploy(world, "herd", 4, { affinity: { podAffinity: required("herd") } });
      await world.eventually(async () => {
        const { hosts } = await placed(world, "herd");
        assert.deepEqual([hosts.length, new Set(hosts).size], [4, 1]);
      });
      await deploy(world, "friend", 1, { affinity: { podAffinity: required("absent") } });
      await world.eventually(async () => {
        const { waiting } = await placed(world, "friend");
        assertUnschedulable(waiting[0], nodes, "node(s) didn't match pod affinity rules", USELESS);
      });
      await deploy(world, "absent", 1, {});
      await world.eventually(async () => {
        const { hosts } = await placed(world, "friend");
        assert.deepEqual(hosts, (await placed(world, "absent")).hosts);
        assert.equal(hosts.length, 1);
      });
    },
  },
  {
    name: "pods are spread as evenly as their constraints demand, and nodes without the label take none",
    async run(world) {
      const nodes = await nodeCount(world);
      await deploy(world, "even", nodes * 2, { topologySpreadConstraints: [spread("even", HOST)] });
      await deploy(world, "lost", 1, { topologySpreadConstraints: [spread("lost", "example.com/nowhere")] });
      await world.eventually(async () => {
        const { hosts } = await placed(world, "even");
        const counts = [...new Set(hosts)].map((host) => hosts.filter((each) => each === host).length);
        assert.deepEqual(counts, Array(nodes).fill(2));
        const { waiting } = await placed(world, "lost");
        const reason = "node(s) didn't match pod topology spread constraints (missing required label)";
        assertUnschedulable(waiting[0], nodes, reason, USELESS);
      });
    },
  },
  {
    name: "a constraint that counts domains which are not there leaves pods waiting",
    async run(world) {
      const nodes = await nodeCount(world);
      const topologySpreadConstraints = [{ ...spread("few", HOST), minDomains: nodes + 1 }];
      await deploy(world, "few", nodes + 1, { topologySpreadConstraints });
      await world.eventually(async () => {
        const { hosts, waiting } = await placed(world, "few");
        assert.deepEqual([hosts.length, new Set(hosts).size, waiting.length], [nodes, nodes, 1]);
        const reason = "node(s) didn't match pod topology spread constraints";
        assertUnschedulable(waiting[0], nodes, reason, NOBODY);
      });
    },
  },
  {
    name: "a pod of higher priority takes the place of the least important pod",
    async run(world) {
      const nodes = await nodeCount(world);
      const low = await priorityClass(world, "low", 10);
      const middle = await priorityClass(world, "middle", 20);
      const high = await priorityClass(world, "high", 30);
      const affinity = { podAntiAffinity: required("low", "middle", "high") };
      await deploy(world, "low", 1, { affinity, priorityClassName: low });
      await world.eventually(async () => assert.equal((await placed(world, "low")).hosts.length, 1));
      const [host] = (await placed(world, "low")).hosts;
      await deploy(world, "middle", nodes - 1, { affinity, priorityClassName: middle });
      await world.eventually(async () => assert.equal((await placed(world, "middle")).hosts.length, nodes - 1));
      const [victim] = (await world.client.list(Pod, { labelSelector: { app: "low" } })).items;
      await deploy(world, "high", 1, { affinity, priorityClassName: high });
      await world.eventually(async () => {
        assert.deepEqual((await placed(world, "high")).hosts, [host]);
        assert.equal((await placed(world, "middle")).hosts.length, nodes - 1);
        assert.equal((await placed(world, "low")).waiting.length, 1);
        const events = (await world.client.list(Event)).items.filter(({ reason }) => reason === "Preempted");
        const [pod] = (await world.client.list(Pod, { labelSelector: { app: "high" } })).items;
        assert.deepEqual(
          events.map(({ regarding, note, type }) => [regarding?.name, note, type]),
          [[victim?.metadata?.name, `Preempted by pod ${pod?.metadata?.uid} on node ${host}`, "Normal"]],
        );
      });
    },
  },
  {
    name: "pods that want the same port of their node get a node each, and one too many waits until a port is free",
    async run(world) {
      const { client, eventually } = world;
      const nodes = await nodeCount(world);
      const wanting = (port: object) => ({
        containers: [{ ...server, ports: [{ containerPort: 80, hostPort: 18_080, ...port }] }],
      });
      await deploy(world, "taken", nodes, wanting({}));
      await eventually(async () => assert.equal((await placed(world, "taken")).hosts.length, nodes));
      assert.equal(new Set((await placed(world, "taken")).hosts).size, nodes);
      await deploy(world, "late", 1, wanting({ hostIP: "127.0.0.1" }));
      await deploy(world, "other", 1, wanting({ protocol: "UDP" }));
      await eventually(async () => {
        const { waiting } = await placed(world, "late");
        assertUnschedulable(waiting[0], nodes, "node(s) didn't have free ports for the requested pod ports", NOBODY);
        assert.equal((await placed(world, "other")).hosts.length, 1);
      });
      await client.patch(Deployment, "taken", { merge: { spec: { replicas: nodes - 1 } } });
      await eventually(async () => assert.equal((await placed(world, "late")).hosts.length, 1));
    },
  },
  {
    name: "everything that a node has too little of is told, and nobody goes for what no node could ever give",
    async run(world) {
      const nodes = await nodeCount(world);
      const resources = { requests: { cpu: "1000", memory: "1000Ti" } };
      await deploy(world, "huge", 1, { containers: [{ ...server, resources }] });
      await world.eventually(async () => {
        const { waiting } = await placed(world, "huge");
        assertUnschedulable(waiting[0], nodes, `Insufficient cpu, ${nodes} Insufficient memory`, USELESS);
      });
    },
  },
  {
    name: "a pod with gates is not looked at until the last one is gone, and one that fits nowhere is told of in an event",
    async run({ client, eventually }) {
      const metadata = (name: string) => ({ name, labels: { app: name } });
      const { spec } = template("gated");
      const schedulingGates = [{ name: "example.com/wait" }];
      await client.create(Pod, { metadata: metadata("gated"), spec: { ...spec, schedulingGates } });
      const nodeSelector = { "example.com/nowhere": "" };
      await client.create(Pod, { metadata: metadata("lost"), spec: { ...spec, nodeSelector } });
      await eventually(async () => {
        const events = (await client.list(Event)).items.filter(({ reason }) => reason === "FailedScheduling");
        assert.deepEqual(
          events.map(({ regarding, type, reportingController }) => [regarding?.name, type, reportingController]),
          [["lost", "Warning", "default-scheduler"]],
        );
        assert.match(events[0]?.note ?? "", /node\(s\) didn't match Pod's node affinity\/selector/);
        const [condition] = (await client.get(Pod, "gated")).status?.conditions ?? [];
        assert.deepEqual(
          [condition?.type, condition?.status, condition?.reason],
          ["PodScheduled", "False", "SchedulingGated"],
        );
      });
      await client.patch(Pod, "gated", { json: [{ op: "remove", path: "/spec/schedulingGates/0" }] });
      await eventually(async () => assert.ok((await client.get(Pod, "gated")).spec?.nodeName));
    },
  },
];

/** The name of a new priority class; they have no namespace, so it carries that of the expectation. */
async function priorityClass({ client, namespace }: World, level: string, value: number): Promise<string> {
  const name = `${namespace}-${level}`;
  await client.create(PriorityClass, { metadata: { name }, value });
  return name;
}

function required(...apps: readonly string[]) {
  const labelSelector = { matchExpressions: [{ key: "app", operator: "In", values: [...apps] }] };
  return { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector }] };
}

function spread(app: string, topologyKey: string) {
  const labelSelector = { matchLabels: { app } };
  return { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule" as const, labelSelector };
}

async function nodeCount({ client }: World): Promise<number> {
  return (await client.list(Node)).items.length;
}

async function deploy({ client }: World, app: string, replicas: number, spec: object): Promise<void> {
  const pod = template(app);
  const all = { ...pod, spec: { ...pod.spec, ...spec } };
  const metadata = { name: app };
  await client.create(Deployment, {
    metadata,
    spec: { replicas, selector: { matchLabels: { app } }, template: all },
  });
}

/** The nodes of the pods of an app, one for each pod, and the pods without one. */
async function placed({ client }: World, app: string): Promise<{ hosts: string[]; waiting: Pod[] }> {
  const { items } = await client.list(Pod, { labelSelector: { app } });
  const hosts = items.map(({ spec }) => spec?.nodeName).filter((name) => name !== undefined);
  return { hosts, waiting: items.filter(({ spec }) => !spec?.nodeName) };
}

/** The whole message: why each node is no good, and why it would be of no use to send pods away. */
function assertUnschedulable(pod: Pod | undefined, nodes: number, reason: string, victims: string): void {
  const condition = pod?.status?.conditions?.find(({ type }) => type === "PodScheduled");
  assert.deepEqual([condition?.status, condition?.reason], ["False", "Unschedulable"]);
  const all = `0/${nodes} nodes are available: ${nodes}`;
  const message = `${all} ${reason}. no new claims to deallocate, preemption: ${all} ${victims}.`;
  assert.equal(condition?.message, message);
}
