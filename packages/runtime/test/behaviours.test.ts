/**
 * What an operator lives through, each behaviour in process and over TLS, in real time. Those that need hours or exact moments are in the
 * files beside this one, on virtual time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, ServiceAccount } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import { ClusterRoleBinding } from "@kubewright/api/rbac/v1";
import { type ApiListener, type ApiServer, createApiServer } from "@kubewright/apiserver";
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { type Logger, seededRandom, silentLogger, type Transport } from "@kubewright/core/ports";
import { toCrd } from "@kubewright/core/schema";
import { systemClock, systemRandom } from "@kubewright/node";
import {
  type AnyController,
  type Client,
  createClient,
  createHttpTransport,
  createManager,
  defineController,
  isGone,
  type Manager,
  unstructured,
  waitFor,
} from "@kubewright/runtime";
import { type FaultRates, FaultyTransport } from "./faults.ts";
import { Widget, widgetController } from "./harness.ts";

const CustomResourceDefinition = unstructured({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

/** A way from an operator to the server. */
interface Way {
  readonly transport: Transport;
  /** The server goes away, `meanwhile` happens, and it comes back. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const WAYS: Readonly<Record<string, (server: ApiServer) => Promise<Way>>> = {
  async "in process"(server) {
    const faults = new FaultyTransport(server.transport, seededRandom(1));
    return {
      transport: faults,
      async restart(meanwhile) {
        faults.rates = { refuse: 1, cut: 1 };
        await meanwhile();
        faults.rates = {};
      },
      close: async () => {},
    };
  },
  async "over TLS"(server) {
    let listener = await server.listen();
    const transport = createHttpTransport({ server: listener.url, tls: async () => clientTls(listener) });
    return {
      transport,
      async restart(meanwhile) {
        const { port } = listener;
        await listener.close();
        await meanwhile();
        listener = await server.listen({ port });
      },
      async close() {
        transport.close();
        await listener.close();
      },
    };
  },
};

function clientTls({ kubeconfig = "{}", certificateAuthority }: ApiListener) {
  const { users } = JSON.parse(kubeconfig);
  const pem = (name: string): string => Buffer.from(users[0].user[name], "base64").toString();
  return { ca: certificateAuthority, cert: pem("client-certificate-data"), key: pem("client-key-data") };
}

interface Managed {
  readonly manager: Manager;
  readonly started: Promise<void>;
  readonly warned: Promise<void>;
}

/** A server, one way to it with faults on it, and managers on that. */
class World implements AsyncDisposable {
  readonly client: Client;
  readonly #way: Way;
  readonly #faults: FaultyTransport;
  readonly #server: ApiServer;
  readonly #managers: Manager[] = [];

  private constructor(server: ApiServer, way: Way) {
    this.#server = server;
    this.#way = way;
    this.client = createClient({ transport: server.transport });
    this.#faults = new FaultyTransport(way.transport, seededRandom(2));
  }

  static async start(open: (server: ApiServer) => Promise<Way>): Promise<World> {
    const server = await createApiServer({ clock: systemClock, random: systemRandom });
    const world = new World(server, await open(server));
    return world;
  }

  async install(): Promise<void> {
    await this.client.create(CustomResourceDefinition, toCrd(Widget));
  }

  /** A manager; `started` and `warned` (something cannot be followed) tell how far it is. */
  manage(...controllers: readonly AnyController[]): Managed {
    const { promise: warned, resolve: warn } = Promise.withResolvers<void>();
    const log: Logger = { ...silentLogger, warn: () => warn(), with: () => log };
    const manager = createManager({ transport: this.#faults, controllers, log });
    this.#managers.push(manager);
    return { manager, warned, started: manager.start().catch(() => {}) };
  }

  async createWidget(name: string): Promise<void> {
    await this.client.create(Widget, { metadata: { name }, spec: {} });
  }

  set faults(rates: FaultRates) {
    this.#faults.rates = rates;
  }

  restart(meanwhile: () => Promise<void>): Promise<void> {
    return this.#way.restart(meanwhile);
  }

  /** Resolves as soon as the objects of a kind are as they should be. */
  async until<Kind extends KubernetesObject>(
    definition: ResourceDefinition<Kind, unknown>,
    holds: (objects: readonly Kind[]) => boolean,
  ): Promise<void> {
    for (;;) {
      const { items, metadata } = await this.client.list(definition);
      if (holds(items)) return;
      for await (const _event of this.client.watch(definition, { resourceVersion: metadata.resourceVersion })) break;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const manager of this.#managers) await manager.stop();
    await this.#way.close();
    await this.#server.close();
  }
}

const sized =
  (count: number, size: string) =>
  (maps: readonly ConfigMap[]): boolean =>
    maps.filter(({ data }) => data?.["size"] === size).length === count;

for (const [name, open] of Object.entries(WAYS)) {
  const behaves = (what: string, work: (world: World) => Promise<void>): void => {
    test(`${name}: ${what}`, { timeout: 60_000 }, async () => {
      await using world = await World.start(open);
      await work(world);
    });
  };

  behaves("a version that expires in the middle of a storm of changes loses none of them", async (world) => {
    await world.install();
    await world.manage(widgetController).started;
    const names = Array.from({ length: 40 }, (_, index) => `w${index}`);
    for (const each of names) await world.createWidget(each);
    world.faults = { expire: 0.05, cut: 0.05 };
    for (let size = 2; size <= 5; size++) {
      await Promise.all(names.map((each) => world.client.patch(Widget, each, { merge: { spec: { size } } })));
    }
    world.faults = {};
    await world.until(ConfigMap, sized(40, "5"));
  });

  behaves("a server that goes away and comes back is followed on, what happened meanwhile included", async (world) => {
    await world.install();
    await world.manage(widgetController).started;
    await world.createWidget("before");
    await world.until(ConfigMap, sized(1, "1"));
    await world.restart(async () => {
      await world.createWidget("meanwhile");
      await world.client.delete(ConfigMap, "before");
    });
    await world.until(ConfigMap, sized(2, "1"));
    await world.createWidget("after");
    await world.until(ConfigMap, sized(3, "1"));
  });

  behaves("in a storm of conflicts nobody's change is lost", async (world) => {
    await world.install();
    const touching = defineController({
      for: Widget,
      async reconcile(widget, { client, signal }) {
        const wanted = String(widget.spec.size);
        if (widget.metadata.annotations?.["seen"] === wanted) return;
        const annotations = { ...widget.metadata.annotations, seen: wanted };
        await client.update(Widget, { ...widget, metadata: { ...widget.metadata, annotations } }, { signal });
      },
    });
    await world.manage(touching).started;
    await world.createWidget("a");
    const grow = async (): Promise<void> => {
      for (let count = 0; count < 5; count++) {
        await world.client.modify(Widget, "a", (found) => ({
          ...found,
          spec: { ...found.spec, size: found.spec.size + 1 },
        }));
      }
    };
    await Promise.all([grow(), grow(), grow(), grow()]);
    await world.until(Widget, ([found]) => found?.spec.size === 21 && found.metadata.annotations?.["seen"] === "21");
  });

  behaves("a kind that is installed late is followed as soon as it is there", async (world) => {
    const { manager, warned } = world.manage(widgetController);
    await warned;
    assert.match(manager.problems().join(), /widgets\.example\.com: .*could not find/);
    await world.install();
    await world.createWidget("a");
    await world.until(ConfigMap, sized(1, "1"));
  });

  behaves("a child's name that a stranger has is left alone, with an event", async (world) => {
    await world.install();
    await world.client.create(ConfigMap, { metadata: { name: "a" }, data: { mine: "yes" } });
    await world.manage(widgetController).started;
    await world.createWidget("a");
    await world.until(Event, ([event]) => event?.reason === "ErrResourceExists");
    assert.deepEqual((await world.client.get(ConfigMap, "a")).data, { mine: "yes" });
  });

  behaves(
    "a finalizer that throws is tried again until it succeeds, and an object deleted while queued is not reconciled",
    async (world) => {
      await world.install();
      const seen: string[] = [];
      let failures = 3;
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const finalizing = defineController({
        for: Widget,
        concurrency: 1,
        async reconcile(widget) {
          seen.push(widget.metadata.name ?? "");
          if (widget.metadata.name !== "first") return;
          begin();
          await released;
        },
        async finalize() {
          failures -= 1;
          if (failures >= 0) throw new Error("not yet");
        },
      });
      await world.manage(finalizing).started;
      await world.createWidget("first");
      await begun;
      await world.createWidget("queued");
      await world.client.delete(Widget, "queued");
      await world.client.delete(Widget, "first");
      release();
      await waitFor(world.client, Widget, "first", { condition: isGone });
      assert.deepEqual([seen.includes("queued"), failures], [false, -1]);
    },
  );

  behaves("stopping during a reconcile lets it finish", async (world) => {
    await world.install();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = defineController({
      for: Widget,
      async reconcile(widget, { client, signal }) {
        begin();
        await released;
        await client.create(
          ConfigMap,
          { metadata: { name: widget.metadata.name ?? "" }, data: { size: "1" } },
          { signal },
        );
      },
    });
    const { manager, started } = world.manage(slow);
    await started;
    await world.createWidget("a");
    await begun;
    const stopped = manager.stop();
    release();
    await stopped;
    assert.equal((await world.client.get(ConfigMap, "a")).data?.["size"], "1");
  });
}

test("R37 over TLS: a rotated token is used for the requests and watches that follow, without a restart", async () => {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  const listener = await server.listen();
  const client = createClient({ transport: server.transport });
  await client.create(CustomResourceDefinition, toCrd(Widget));
  const role = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
  const subject = { kind: "ServiceAccount", name: "operator", namespace: "default" };
  await client.create(ClusterRoleBinding, { metadata: { name: "operator" }, roleRef: role, subjects: [subject] });
  const issue = async (): Promise<string> => {
    await client.create(ServiceAccount, { metadata: { name: "operator" } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const answer = await client
      .subresource<{ status: { token: string } }>(ServiceAccount, "token")
      .create("operator", request);
    return answer.status.token;
  };
  let token = await issue();
  {
    using transport = createHttpTransport({
      server: listener.url,
      tls: async () => ({ ca: listener.certificateAuthority }),
      headers: async () => ({ authorization: `Bearer ${token}` }),
    });
    await using manager = createManager({ transport, controllers: [widgetController] });
    await manager.start();
    await client.create(Widget, { metadata: { name: "a" }, spec: {} });
    await waitFor(client, ConfigMap, "a", { condition: (found) => found !== undefined });
    await client.delete(ServiceAccount, "operator"); // The old token is worth nothing from now on.
    token = await issue();
    await client.create(Widget, { metadata: { name: "b" }, spec: {} });
    await waitFor(client, ConfigMap, "b", { condition: (found) => found !== undefined });
  }
  await listener.close();
});
