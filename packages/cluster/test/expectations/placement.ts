/** Where pods go: near some pods, away from others, evenly. Every node is a domain of its own by its host name. */
import assert from "node:assert/strict";
import { Deployment } from "@kubewright/api/apps/v1";
import { Node, Pod } from "@kubewright/api/core/v1";
import { type Expectation, template, type World } from "./expectation.ts";

const HOST = "kubernetes.io/hostname";

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
        const why = `0/${nodes} nodes are available: ${nodes} node(s) didn't match pod anti-affinity rules.`;
        assertUnschedulable(waiting[0], why);
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
        assertUnschedulable(waiting[0], `0/${nodes} nodes are available: ${nodes} ${reason}.`);
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
        const why = `0/${nodes} nodes are available: ${nodes} node(s) didn't match pod affinity rules.`;
        assertUnschedulable(waiting[0], why);
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
        assertUnschedulable(waiting[0], `0/${nodes} nodes are available: ${nodes} ${reason}.`);
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
        assertUnschedulable(waiting[0], `0/${nodes} nodes are available: ${nodes} ${reason}.`);
      });
    },
  },
];

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

/** What follows in Kubernetes' own message is about preemption. */
function assertUnschedulable(pod: Pod | undefined, message: string): void {
  const condition = pod?.status?.conditions?.find(({ type }) => type === "PodScheduled");
  assert.deepEqual([condition?.status, condition?.reason], ["False", "Unschedulable"]);
  assert.equal(condition?.message?.slice(0, message.length), message);
}
