/** What pods would rather have, and the scheduler gives where it can. Nodes are chosen by their host names. */
import assert from "node:assert/strict";
import { Node, Pod } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { PriorityClass } from "@kubewright/api/scheduling/v1";
import { type Expectation, server, type World } from "./expectation.ts";

const HOST = "kubernetes.io/hostname";
/** The largest weight: what else the scheduler likes about nodes does not outweigh it. */
const WEIGHT = 100;

/** What becomes of preferences. */
export const preferences: readonly Expectation[] = [
  {
    name: "a pod goes to the node it prefers, and elsewhere rather than nowhere",
    async run(world) {
      const hosts = await hostNames(world);
      for (const [index, host] of hosts.entries()) {
        await create(world, `at-${index}`, { affinity: { nodeAffinity: prefers(host) } });
      }
      await create(world, "lost", { affinity: { nodeAffinity: prefers("nowhere") } });
      await world.eventually(async () => {
        for (const [index, host] of hosts.entries()) assert.equal(await hostOf(world, `at-${index}`), host);
        assert.ok(await hostOf(world, "lost"));
      });
    },
  },
  {
    name: "pods that would rather be together share a node, and those that would rather be apart do not",
    async run(world) {
      const hosts = await hostNames(world);
      await create(world, "first", { nodeName: hosts.at(-1) });
      await world.eventually(async () => assert.ok(await hostOf(world, "first")));
      for (const name of ["near-1", "near-2"]) {
        await create(world, name, { affinity: { podAffinity: ratherWith("first") } });
      }
      for (const name of ["far-1", "far-2"]) {
        await create(world, name, { affinity: { podAntiAffinity: ratherWith("first") } });
      }
      await world.eventually(async () => {
        assert.deepEqual([await hostOf(world, "near-1"), await hostOf(world, "near-2")], [hosts.at(-1), hosts.at(-1)]);
        for (const name of ["far-1", "far-2"]) {
          const host = await hostOf(world, name);
          assert.ok(host !== undefined && host !== hosts.at(-1));
        }
      });
    },
  },
  {
    name: "a constraint that may be broken spreads pods as long as it can be kept",
    async run(world) {
      const hosts = await hostNames(world);
      const constraint = { maxSkew: 1, topologyKey: HOST, whenUnsatisfiable: "ScheduleAnyway" as const };
      const topologySpreadConstraints = [{ ...constraint, labelSelector: { matchLabels: { app: "even" } } }];
      const names = [...hosts, "more"].map((_, index) => `even-${index}`);
      for (const name of names) await create(world, name, { topologySpreadConstraints }, "even");
      await world.eventually(async () => {
        const placed = await Promise.all(names.map((name) => hostOf(world, name)));
        assert.ok(placed.every((host) => host !== undefined));
        assert.equal(new Set(placed).size, hosts.length);
      });
    },
  },
  {
    name: "a pod of higher priority takes the room of one that asks for most of a node",
    async run(world) {
      const { client, eventually, namespace } = world;
      const hosts = await hostNames(world);
      const priorityClassName = `${namespace}-first`;
      await client.create(PriorityClass, { metadata: { name: priorityClassName }, value: 1000 });
      const resources = { requests: { "ephemeral-storage": "600Gi" } };
      const containers = [{ ...server, resources }];
      for (const [index] of hosts.entries()) await create(world, `low-${index}`, { containers });
      await eventually(async () => {
        const placed = await Promise.all(hosts.map((_, index) => hostOf(world, `low-${index}`)));
        assert.deepEqual(placed.toSorted(), hosts.toSorted());
      });
      await create(world, "late", { containers });
      await eventually(async () => {
        const condition = (await client.get(Pod, "late")).status?.conditions?.find(
          ({ type }) => type === "PodScheduled",
        );
        const all = `0/${hosts.length} nodes are available: ${hosts.length}`;
        const why = `${all} Insufficient ephemeral-storage. no new claims to deallocate, preemption: ${all}`;
        assert.equal(condition?.message, `${why} No preemption victims found for incoming pod.`);
      });
      await create(world, "high", { containers, priorityClassName });
      await eventually(async () => {
        assert.ok(await hostOf(world, "high"));
        const left = (await client.list(Pod)).items.filter(({ metadata }) => metadata?.name?.startsWith("low-"));
        assert.equal(left.length, hosts.length - 1);
        const events = (await client.list(Event)).items.filter(({ reason }) => reason === "Preempted");
        assert.deepEqual(
          events.map(({ reportingController }) => reportingController),
          ["default-scheduler"],
        );
      });
      assert.equal(await hostOf(world, "late"), undefined);
    },
  },
];

async function hostNames({ client }: World): Promise<string[]> {
  return (await client.list(Node)).items.map(({ metadata }) => metadata?.name ?? "").toSorted();
}

async function create({ client }: World, name: string, more: object, app: string = name): Promise<void> {
  await client.create(Pod, { metadata: { name, labels: { app } }, spec: { containers: [server], ...more } });
}

async function hostOf({ client }: World, name: string): Promise<string | undefined> {
  return (await client.get(Pod, name)).spec?.nodeName;
}

function prefers(host: string) {
  const preference = { matchExpressions: [{ key: HOST, operator: "In", values: [host] }] };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: WEIGHT, preference }] };
}

function ratherWith(app: string) {
  const podAffinityTerm = { topologyKey: HOST, labelSelector: { matchLabels: { app } } };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: WEIGHT, podAffinityTerm }] };
}
