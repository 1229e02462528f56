/**
 * The harness of the runtime's tests: an embedded API server with the Widget kind, on virtual time, and a manager on it. The
 * transport can be wrapped to inject faults.
 */
import { ConfigMap } from "@kubewright/api/core/v1";
import { type ApiServer, createApiServer } from "@kubewright/apiserver";
import type { ObjectMeta, ObjectOf } from "@kubewright/core/meta";
import { type Random, seededRandom, type Transport } from "@kubewright/core/ports";
import { conditions, defineResource, toCrd } from "@kubewright/core/schema";
import {
  type AnyController,
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

const CustomResourceDefinition = unstructured({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

/** A server, a clock, and clients of them. */
export class Harness implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly server: ApiServer;
  /** A client beside every fault. */
  readonly client: Client;
  /** Every request that managers sent: "GET /api/v1/…". */
  readonly requests: string[] = [];
  readonly #managers: Manager[] = [];

  private constructor(clock: VirtualClock, random: Random, server: ApiServer) {
    this.clock = clock;
    this.random = random;
    this.server = server;
    this.client = createClient({ transport: server.transport });
  }

  /** A server with the Widget kind installed. */
  static async start(seed = 1): Promise<Harness> {
    const clock = new VirtualClock();
    const random = seededRandom(seed);
    const harness = new Harness(clock, random, await createApiServer({ clock, random }));
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
  async installResource(definition: Parameters<typeof toCrd>[0]): Promise<void> {
    await this.client.create(CustomResourceDefinition, toCrd(definition));
    await this.clock.settle();
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
    let started = false;
    const start = manager.start().then(() => {
      started = true;
    });
    await this.clock.advanceUntil(() => started);
    await start;
    return manager;
  }

  /** Resolves when no controller has anything to do now. */
  async settled(manager: Manager): Promise<void> {
    do await this.clock.settle();
    while (!manager.idle);
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
