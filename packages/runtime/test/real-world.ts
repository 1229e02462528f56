/**
 * kube-apiserver as the server of a harness: the one whose kubeconfig the environment names, emptied of what tests create. Time is
 * real: to pass it is to wait, and all is quiet when the server has not changed for a while.
 */
import { Deployment } from "@kubewright/api/apps/v1";
import { Lease } from "@kubewright/api/coordination/v1";
import { ConfigMap, Secret } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { Cancel, Transport } from "@kubewright/core/ports";
import { sleep } from "@kubewright/core/ports";
import { systemClock, systemFiles, systemProcess } from "@kubewright/node";
import {
  type AnyDefinition,
  type Client,
  createClient,
  createHttpTransport,
  findConnection,
} from "@kubewright/runtime";
import type { VirtualClock } from "@kubewright/testing";

const POLL_MS = 50;
const QUIET_MS = 300;

/** The kinds that tests leave objects of. */
const KINDS: readonly AnyDefinition[] = [ConfigMap, Deployment, Event, Lease, Secret];

/** What tests do with time, virtual or real. */
export type TestTime = Pick<VirtualClock, "advance" | "advanceUntil" | "monotonic" | "now" | "schedule" | "settle">;

/** A server that tests may write to. */
export interface RealWorld {
  readonly clock: TestTime;
  readonly server: { readonly transport: Transport; close(): Promise<void> };
}

/** Whether tests run on kube-apiserver. */
export function isReal(): boolean {
  return systemProcess.env["KUBEWRIGHT_TEST_PROVIDER"] === "envtest";
}

/** Connects to the server and empties it. */
export async function openRealWorld(): Promise<RealWorld> {
  const kubeconfig = systemProcess.env["KUBEWRIGHT_TEST_KUBECONFIG"];
  const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
  const transport = createHttpTransport(connection);
  const client = createClient({ transport });
  for (const kind of KINDS) await removeAll(client, kind);
  return { clock: new RealTime(client), server: { transport, close: async () => transport.close() } };
}

/** Removes the objects of a kind that are in namespaces of tests. */
export async function removeAll(client: Client, kind: AnyDefinition): Promise<void> {
  for (const { metadata = {} } of (await client.list(kind, { allNamespaces: true })).items) {
    const { name = "", namespace = "", finalizers } = metadata;
    if (namespace.startsWith("kube-")) continue;
    if (finalizers !== undefined) {
      await client.patch(kind, { name, namespace }, { merge: { metadata: { finalizers: null } } });
    }
    await client.delete(kind, { name, namespace }).catch(() => undefined); // Without its finalizers it may be gone.
  }
}

/** Real time, passed by waiting. */
class RealTime implements TestTime {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  schedule(delayMs: number, run: () => void): Cancel {
    return systemClock.schedule(delayMs, run);
  }

  async settle(): Promise<void> {
    let [before, quietMs] = ["", 0];
    while (quietMs < QUIET_MS) {
      await sleep(systemClock, POLL_MS);
      const { metadata } = await this.#client.list(ConfigMap); // Its version is that of the whole server.
      const now = metadata.resourceVersion ?? "";
      quietMs = now === before ? quietMs + POLL_MS : 0;
      before = now;
    }
  }

  async advance(durationMs: number): Promise<void> {
    await sleep(systemClock, durationMs);
    await this.settle();
  }

  async advanceUntil(condition: () => boolean, limitMs = 60_000): Promise<void> {
    const endMs = systemClock.monotonic() + limitMs;
    while (!condition()) {
      if (systemClock.monotonic() > endMs) throw new Error(`not within ${limitMs / 1000} s`);
      await sleep(systemClock, POLL_MS);
    }
  }
}
