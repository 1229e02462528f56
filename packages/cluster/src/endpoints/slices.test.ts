import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, Service } from "@kubewright/api/core/v1";
import type { EndpointSlice } from "@kubewright/api/discovery/v1";
import type { SliceChanges } from "./slice-groups.ts";
import { planSlices } from "./slices.ts";

const service: Service = {
  metadata: { name: "web", namespace: "shop", uid: "s" },
  spec: { clusterIP: "10.0.0.1", selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] },
};

function pod(index: number, changes: { ready?: boolean; deleted?: boolean; port?: number } = {}): Pod {
  const { ready = true, deleted = false, port = 8080 } = changes;
  return {
    metadata: {
      name: `web-${index}`,
      namespace: "shop",
      uid: `p${index}`,
      ...(deleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: { containers: [{ name: "web", ports: [{ name: "http", containerPort: port }] }] },
    status: {
      podIPs: [{ ip: `10.1.0.${index}` }],
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    },
  };
}

function plan(pods: readonly Pod[], slices: readonly EndpointSlice[] = [], of = service): SliceChanges {
  return planSlices({ service: of, pods, slices, nodeOf: () => undefined });
}

/** The slices after the changes, with names. */
function apply(slices: readonly EndpointSlice[], { create, update, remove }: SliceChanges): readonly EndpointSlice[] {
  const updated = new Map(update.map((slice) => [slice.metadata?.name, slice]));
  const kept = slices.filter((slice) => !remove.includes(slice));
  const named = create.map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `new-${slices.length + index}` },
  }));
  return [...kept.map((slice) => updated.get(slice.metadata?.name) ?? slice), ...named];
}

test("at most a hundred endpoints share a slice", () => {
  const pods = Array.from({ length: 250 }, (_, index) => pod(index));
  assert.deepEqual(
    plan(pods).create.map(({ endpoints = [] }) => endpoints.length),
    [100, 100, 50],
  );
});

test("only the slice of a pod that changed is written, and a new pod goes where there is room", () => {
  const pods = Array.from({ length: 150 }, (_, index) => pod(index));
  const slices = apply([], plan(pods));
  assert.deepEqual(plan(pods, slices), { create: [], update: [], remove: [] });
  const changed = pods.with(120, pod(120, { ready: false }));
  const { create, update, remove } = plan([...changed, pod(200)], slices);
  assert.deepEqual([create.length, update.length, remove.length], [0, 1, 0]);
  assert.equal(update[0]?.endpoints?.length, 51);
});

test("a terminating pod that still serves is not ready", () => {
  const conditions = plan([pod(1, { deleted: true })]).create[0]?.endpoints?.[0]?.conditions;
  assert.deepEqual(conditions, { ready: false, serving: true, terminating: true });
  const publishing = { ...service, spec: { ...service.spec, publishNotReadyAddresses: true } };
  assert.equal(plan([pod(1, { ready: false })], [], publishing).create[0]?.endpoints?.[0]?.conditions?.ready, true);
});

test("pods that give a named port another number are in a slice of their own", () => {
  const { create } = plan([pod(1), pod(2, { port: 9090 })]);
  assert.deepEqual(
    create.map(({ ports }) => ports?.[0]?.port),
    [8080, 9090],
  );
});

test("a service without pods has one empty slice, which is filled later", () => {
  const empty = apply([], plan([]));
  assert.deepEqual(
    empty.map(({ endpoints }) => endpoints),
    [[]],
  );
  assert.deepEqual(plan([], empty), { create: [], update: [], remove: [] });
  const filled = plan([pod(1)], empty);
  assert.deepEqual([filled.create.length, filled.remove.length], [1, 1]);
});
