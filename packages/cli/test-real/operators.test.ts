/**
 * Each operator through the life of its sample, on Kubernetes: applied, at rest, applied again, healed, changed, refused,
 * deleted. What needs virtual time, such as kills after every write, is in ../test/operators.test.ts.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { loadOperator, type OperatorProject } from "@kubewright/cli";
import { getControllerOf, type KubernetesObject } from "@kubewright/core/meta";
import { sleep } from "@kubewright/core/ports";
import { createManager } from "@kubewright/runtime";
import { MortalTransport, startCluster, type TestCluster } from "@kubewright/testing";
import { LIVES } from "../test/operator-lives.ts";
import { OPERATORS, PROJECTS } from "../test/operator-projects.ts";
import { applySamples, deleteSamples, kindsOf, sampleNow, standing, update } from "../test/sample-life.ts";

/** Without a request for so long an operator is at rest. */
const REST_MS = 3000;

// All kinds at once: the garbage collector of Kubernetes takes up to 30 s to see new ones.
before(async () => {
  const projects = await Promise.all(PROJECTS.map((folder) => loadOperator(join(OPERATORS, folder))));
  await using _ = await startCluster({
    provider: "envtest",
    resources: projects.flatMap(({ resources }) => resources),
  });
});

for (const folder of PROJECTS) {
  test(`${folder}: the life of its sample on Kubernetes`, async (context) => {
    const project = await loadOperator(join(OPERATORS, folder));
    const life = LIVES[folder];
    assert.ok(life, `operator-lives.ts tells what the sample of ${folder} lives through`);
    await using cluster = await startCluster({ provider: "envtest", resources: project.resources });
    const transport = new MortalTransport(cluster.transport);
    const { clock, namespace } = cluster;
    await using manager = createManager({ ...project.operator, transport, clock, client: { namespace } });
    await manager.start();
    const world = new SampleWorld(cluster, project);
    const before = await world.names();

    await context.test("it converges, and says so", async () => {
      await applySamples(project)(world);
      await world.untilReady();
    });
    await context.test("once converged it sends nothing", () => atRest(transport, cluster));
    await context.test("a second apply changes nothing", async () => {
      const applyAgain = async (): Promise<void> => {
        const states = await world.states();
        await applySamples(project)(world);
        await atRest(transport, cluster);
        assert.deepEqual(await world.states(), states);
      };
      await (folder === "scheduled-scaler" ? cluster.eventually(applyAgain) : applyAgain()); // Its sample ticks every minute.
    });
    await context.test("children that are deleted by hand come back", async () => {
      for (const child of await world.children()) await world.deleteAndExpect(child);
      await world.untilReady();
    });
    await context.test("a Deployment that is changed by hand is restored", async () => {
      for (const [, child] of await world.children())
        if (child.kind === "Deployment") await world.changeAndExpect(child);
      await world.untilReady();
    });
    await context.test("changes of the spec are followed", async () => {
      for (const spec of life.updates) {
        await update(project, spec)(world);
        await world.untilReady();
      }
    });
    await context.test("a spec that cannot be is refused, with the field and the reason", () =>
      assert.rejects(update(project, life.invalid.spec)(world), life.invalid.message),
    );
    await context.test("deletion leaves nothing", async () => {
      await deleteSamples(project)(world);
      await cluster.eventually(async () => assert.deepEqual(await world.names(), before));
    });
  });
}

/** Waits until the program sent nothing for a while. */
async function atRest(transport: MortalTransport, { clock, eventually }: TestCluster): Promise<void> {
  await eventually(async () => {
    transport.requests.splice(0);
    await sleep(clock, REST_MS);
    assert.deepEqual(transport.requests, []);
  });
}

/** The samples' part of a cluster. */
class SampleWorld {
  readonly cluster: TestCluster;
  readonly #project: OperatorProject;

  constructor(cluster: TestCluster, project: OperatorProject) {
    this.cluster = cluster;
    this.#project = project;
  }

  async untilReady(): Promise<void> {
    await this.cluster.eventually(async () => {
      const { Ready, Degraded } = await standing(this, this.#project);
      assert.deepEqual({ Ready, Degraded }, { Ready: "True", Degraded: "False" });
    });
  }

  /** The objects of the operator's kinds in the namespaces of the samples, whose kinds are told with them. */
  async #objects(): Promise<readonly (readonly [definition: ReturnType<typeof kindsOf>[number], KubernetesObject])[]> {
    const { client, namespace } = this.cluster;
    const samples = this.#project.samples as readonly KubernetesObject[];
    const namespaces = new Set(samples.map(({ metadata }) => metadata?.namespace ?? namespace));
    const lists = [...namespaces].flatMap((each) =>
      kindsOf(this.#project).map(async (kind) => {
        const { items } = await client.list<KubernetesObject>(kind, { namespace: each });
        return items.map((item) => [kind, item] as const);
      }),
    );
    return (await Promise.all(lists)).flat();
  }

  async names(): Promise<readonly string[]> {
    const objects = await this.#objects();
    return objects.map(([{ kind }, { metadata }]) => `${kind} ${metadata?.namespace}/${metadata?.name}`).sort();
  }

  /** What is wanted of each object; the status of some changes by itself. */
  async states(): Promise<readonly string[]> {
    const objects = await this.#objects();
    return objects.map(([{ kind }, { metadata }]) => `${kind} ${metadata?.uid} ${metadata?.generation ?? ""}`).sort();
  }

  /** What the sample controls. */
  async children() {
    const { metadata } = (await sampleNow(this, this.#project)) as KubernetesObject;
    return (await this.#objects()).filter(([, object]) => getControllerOf(object)?.uid === metadata?.uid);
  }

  async deleteAndExpect([definition, child]: Awaited<ReturnType<SampleWorld["children"]>>[number]): Promise<void> {
    const { name = "", namespace = "", uid } = child.metadata ?? {};
    await this.cluster.client.delete(definition, { name, namespace });
    await this.cluster.eventually(async () => {
      const again = await this.cluster.client.get<KubernetesObject>(definition, { name, namespace });
      assert.notEqual(again.metadata?.uid, uid);
    });
  }

  async changeAndExpect({ metadata }: KubernetesObject): Promise<void> {
    const { client, eventually } = this.cluster;
    const { name = "", namespace = "" } = metadata ?? {};
    const imageOf = ({ spec }: Deployment): string | undefined => spec?.template.spec?.containers[0]?.image;
    const wanted = imageOf(await client.get(Deployment, { name, namespace }));
    const json = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "by-hand:1" }] as const;
    assert.equal(imageOf(await client.patch(Deployment, { name, namespace }, { json })), "by-hand:1");
    await eventually(async () => assert.equal(imageOf(await client.get(Deployment, { name, namespace })), wanted));
  }
}
