/** An informer under test, what it asked for and what it told. */
import assert from "node:assert/strict";
import { ConfigMap } from "@kubewright/api/core/v1";
import {
  seededRandom,
  silentLogger,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@kubewright/core/ports";
import { createClient, Informer, type InformerEvent } from "@kubewright/runtime";
import { answerOf, FaultyTransport } from "./faults.ts";
import type { AnyHarness } from "./harness.ts";

/** An informer of ConfigMaps on its own transport, stopped at the end. */
export class Followed implements AsyncDisposable {
  readonly informer: Informer<ConfigMap>;
  readonly faults: FaultyTransport;
  readonly requests: TransportRequest[] = [];
  readonly events: InformerEvent<ConfigMap>[] = [];

  constructor(harness: AnyHarness, seed = 1, { initialEvents = true } = {}) {
    this.faults = new FaultyTransport(harness.server.transport, seededRandom(seed));
    const transport: Transport = {
      send: (request) => {
        this.requests.push(request);
        if (!initialEvents && request.path.includes("sendInitialEvents")) return Promise.resolve(unsupported());
        return this.faults.send(request);
      },
    };
    const client = createClient({ transport });
    const random = seededRandom(seed + 1);
    this.informer = new Informer({ client, definition: ConfigMap, clock: harness.clock, random, log: silentLogger });
    this.informer.subscribe((event) => this.events.push(event));
    this.informer.start();
  }

  /** Requests that fetch everything. */
  get fetches(): number {
    return this.requests.filter(({ path }) => !path.includes("resourceVersion=") || path.includes("sendInitialEvents"))
      .length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informer.stop();
  }
}

/** What servers before 1.27 say to a watch that is to begin with all objects. */
function unsupported(): TransportResponse {
  const message = "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch";
  const head = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  return answerOf({ ...head, reason: "Invalid", code: 422, message });
}

/** Creates a ConfigMap. */
export async function createMap(harness: AnyHarness, name: string, value = "1"): Promise<void> {
  await harness.client.create(ConfigMap, { metadata: { name }, data: { value } });
}

/** Fails unless the cache has exactly what the server has. */
export async function assertSame(harness: AnyHarness, informer: Informer<ConfigMap>): Promise<void> {
  const { items } = await harness.client.list(ConfigMap, { allNamespaces: true });
  const versions = (objects: Iterable<ConfigMap>): string[] =>
    Array.from(
      objects,
      ({ metadata }) => `${metadata?.namespace}/${metadata?.name}@${metadata?.resourceVersion}`,
    ).sort();
  assert.deepEqual(versions(informer.store.values()), versions(items));
}
