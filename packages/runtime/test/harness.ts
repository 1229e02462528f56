/**
 * The harness of the runtime's tests: an API server with the Widget kind, and managers on it. It is embedded and on virtual time, and
 * the transport can be wrapped to inject faults; the tests in the folder `anywhere` run on kube-apiserver and in real time as well.
 */
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { type ApiServer, createApiServer } from "@kubewright/apiserver";
import type { KubernetesObject, ObjectMeta, ObjectOf } from "@kubewright/core/meta";
import { type Random, seededRandom, type Transport } from "@kubewright/core/ports";
import { conditions, defineResource, toCrd } from "@kubewright/core/schema";
import { systemRandom } from "@kubewright/node";
import {
  type AnyController,
  type AnyDefinition,
  type Client,
  createClient,
  createManager,
  defineController,
  type Manager,
  type ManagerOptions,
  unstructured,
} from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import { z } from "zod";
import { isReal, openRealWorld, removeAll, type TestTime } from "./real-world.ts";

/** The kind that the tests' controllers keep. */
export const Widget = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  spec: z.object({ size: z.int32().default(1), message: z.string().default("hello") }),
  status: z.object({
    ready: z.boolean().optional(),
    observedGeneration: z.int().optional(),
    conditions: conditions(),
  }),
});

/** A Widget as it is stored. */
export type Widget = ObjectOf<typeof Widget>;

/** A ConfigMap per Widget, and a status that says so. */
export const widgetController = defineController({
  for: Widget,
  owns: [ConfigMap],
  children: (widget) => [configMapFor(widget)],
  status: (_widget, observed) => ({ ready: observed.list(ConfigMap).length === 1 }),
});

/** The child of a Widget. */
export function configMapFor(widget: Widget): ConfigMap {
  const { size, message } = widget.spec;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: widget.metadata.name ?? "", labels: { app: "bench" } },
    data: { message, size: String(size) },
  };
}

/** Creates the ConfigMap of each Widget that has none in the cache. */
export const creating = defineController({
  for: Widget,
  owns: [ConfigMap],
  async reconcile(widget, { client, cache, signal }) {
    const wanted = configMapFor(widget);
    const { name = "", uid = "" } = widget.metadata;
    const owner = { apiVersion: "example.com/v1", kind: "Widget", name, uid, controller: true };
    if (cache.get(ConfigMap, name) !== undefined) return;
    await client.create(
      ConfigMap,
      { ...wanted, metadata: { ...wanted.metadata, ownerReferences: [owner] } },
      { signal },
    );
  },
});

const CustomResourceDefinition = unstructured({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

/** What a harness stands on: whatever the server is, tests may pass time and wait until all is quiet. */
interface AnyWorld {
  readonly clock: TestTime;
  readonly server: Pick<ApiServer, "transport" | "close">;
}

interface EmbeddedWorld extends AnyWorld {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
}

/** A harness on any server. */
export type AnyHarness = Harness<AnyWorld>;

/** A server, a clock, and clients of them. */
export class Harness<World extends AnyWorld = EmbeddedWorld> implements AsyncDisposable {
  readonly clock: World["clock"];
  readonly random: Random;
  readonly server: World["server"];
  /** A client beside every fault. */
  readonly client: Client;
  /** Every request that managers sent: "GET /api/v1/…". */
  readonly requests: string[] = [];
  readonly #managers: Manager[] = [];

  private constructor({ clock, server }: World, random: Random) {
    this.clock = clock;
    this.random = random;
    this.server = server;
    this.client = createClient({ transport: server.transport });
  }

  /** An embedded server with the Widget kind installed. */
  static async start(seed = 1): Promise<Harness> {
    const clock = new VirtualClock();
    const random = seededRandom(seed);
    const harness = new Harness({ clock, server: await createApiServer({ clock, random }) }, random);
    await harness.installWidgets();
    return harness;
  }

  /** An embedded server, or kube-apiserver when it is named in the environment, with the Widget kind installed. */
  static async anywhere(): Promise<AnyHarness> {
    if (!isReal()) return Harness.start();
    const harness: AnyHarness = new Harness<AnyWorld>(await openRealWorld(), systemRandom);
    await harness.installWidgets();
    return harness;
  }

  /** Installs the Widget kind. */
  async installWidgets(): Promise<void> {
    await this.installResource(Widget);
  }

  /** Installs a kind without much of a schema. */
  async install({ group, kind }: { readonly group: string; readonly kind: string }): Promise<void> {
    await this.installResource(defineResource({ group, version: "v1", kind, spec: z.object({}) }));
  }

  /** Installs a kind. */
  async installResource(definition: Exclude<Parameters<typeof toCrd>[0], readonly unknown[]>): Promise<void> {
    await this.client.apply(CustomResourceDefinition, { ...toCrd(definition) }, { force: true });
    do await this.clock.settle();
    while (!(await this.#isServed(definition)));
    if (isReal()) await removeAll(this.client, definition);
  }

  async #isServed(definition: AnyDefinition): Promise<boolean> {
    const found = await this.client.list(definition).catch(() => undefined);
    return found !== undefined;
  }

  /** Creates a namespace, or takes one that is there. */
  async createNamespace(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.client.apply(Namespace, { metadata: { name, labels } }, { force: true });
  }

  /** Creates a Widget with the default spec. */
  async createWidget(metadata: ObjectMeta & { readonly name: string }): Promise<void> {
    await this.client.create(Widget, { metadata, spec: {} });
  }

  /** A manager on this server, started. */
  async manage(
    controllers: readonly AnyController[],
    options: Partial<ManagerOptions> & { readonly wrap?: (transport: Transport) => Transport } = {},
  ): Promise<Manager> {
    const { wrap = (transport) => transport, ...rest } = options;
    const manager = createManager({
      transport: this.#recorded(wrap(this.server.transport)),
      controllers,
      clock: this.clock,
      random: this.random,
      ...rest,
    });
    this.#managers.push(manager);
    await this.#passUntil(manager.start());
    return manager;
  }

  /** Stops a manager; answers with the milliseconds that it took. */
  async stop(manager: Manager): Promise<number> {
    const startedMs = this.clock.monotonic();
    await this.#passUntil(manager.stop());
    return this.clock.monotonic() - startedMs;
  }

  /** Lets time pass until something is done. */
  async #passUntil(work: Promise<void>): Promise<void> {
    let isDone = false;
    const done = work.then(() => {
      isDone = true;
    });
    await this.clock.advanceUntil(() => isDone);
    await done;
  }

  /** Resolves when no controller has anything to do now. */
  async settled(manager: Manager): Promise<void> {
    do
      await this.clock.advance(0); // What is due now runs, too: long queues make pauses.
    while (!manager.idle || (await this.#isBehind(manager)));
  }

  /** Whether a cache of the manager has an object of another state than the server. */
  async #isBehind({ cache }: Manager): Promise<boolean> {
    if (!isReal()) return false; // In process every event has arrived.
    for (const kind of CACHED) {
      if (!cache.health().some(({ resource }) => resource.startsWith(kind.plural))) continue;
      const live = new Set((await this.client.list(kind, { allNamespaces: true })).items.map(versionOf));
      if (
        cache
          .reader()
          .list<KubernetesObject>(kind)
          .some((object) => !live.has(versionOf(object)))
      )
        return true;
    }
    return false;
  }

  /** The requests that change something, since the last call. */
  takeWrites(): readonly string[] {
    return this.requests.splice(0).filter((request) => !request.startsWith("GET "));
  }

  #recorded(transport: Transport): Transport {
    return {
      send: (request) => {
        this.requests.push(`${request.method} ${request.path}`);
        return transport.send(request);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const manager of this.#managers) await manager.stop();
    await this.server.close();
  }
}

const CACHED: readonly AnyDefinition[] = [Widget, ConfigMap];

function versionOf({ metadata }: KubernetesObject): string {
  return `${metadata?.uid}@${metadata?.resourceVersion}`;
}
