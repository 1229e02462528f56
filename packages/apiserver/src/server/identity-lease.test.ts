import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lease } from "@kubewright/api/coordination/v1";
import type { Clock } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createStorage } from "../storage/memory.ts";
import { type ApiServer, createApiServer } from "./server.ts";

/** What kube-apiserver calls itself on a host of the name "localhost". */
const KEY = "kube-system/apiserver-l2yubf4cvcl5c7a3wrubrwqdve";
const START_MS = Date.UTC(2030, 0);

function leaseOf({ storage }: Pick<ApiServer, "storage">): Lease | undefined {
  const entry = storage.get("leases.coordination.k8s.io", KEY);
  return entry && (JSON.parse(entry.text) as Lease);
}

/** A clock that stands still until it is told to jump to what is due next. */
function startClock(): { readonly clock: Clock; readonly due: Map<() => void, number>; jump(): void } {
  const due = new Map<() => void, number>();
  let nowMs = START_MS;
  const clock: Clock = {
    ...systemClock,
    now: () => nowMs,
    schedule(delayMs, run) {
      due.set(run, nowMs + delayMs);
      return () => due.delete(run);
    },
  };
  const jump = (): void => {
    const [[run, atMs] = [() => {}, nowMs]] = [...due].sort(([, one], [, other]) => one - other);
    due.delete(run);
    nowMs = atMs;
    run();
  };
  return { clock, due, jump };
}

test("an API server that listens has a Lease, which is renewed before it ends, and one in the process has none", async () => {
  const { clock, due, jump } = startClock();
  const storage = createStorage();
  const server = await createApiServer({ clock, random: systemRandom, storage });
  assert.deepEqual([leaseOf(server), due.size], [undefined, 0]);
  await server.listen({ tls: "none" });
  const first = leaseOf(server);
  assert.deepEqual(first?.metadata?.labels, {
    "apiserver.kubernetes.io/identity": "kube-apiserver",
    "kubernetes.io/hostname": "localhost",
  });
  assert.match(first?.spec?.holderIdentity ?? "", /^apiserver-l2yubf4cvcl5c7a3wrubrwqdve_[0-9a-f-]{36}$/);
  assert.equal(first?.spec?.renewTime, "2030-01-01T00:00:00.000000Z");
  await server.listen({ tls: "none" });
  jump();
  const renewed = leaseOf(server);
  assert.deepEqual({ ...renewed?.spec, renewTime: "" }, { ...first?.spec, renewTime: "" });
  const agedMs = Date.parse(renewed?.spec?.renewTime ?? "") - START_MS;
  assert.ok(agedMs > 0 && agedMs < 3_600_000 / 2);
  await server.close();
  assert.equal(due.size, 0);
});

test("the Lease is renewed as long as anybody can connect", async () => {
  const { clock, due } = startClock();
  await using server = await createApiServer({ clock, random: systemRandom });
  const listeners = [await server.listen({ tls: "none" }), await server.listen({ tls: "none" })];
  for (const listener of listeners) {
    assert.equal(due.size, 1);
    await listener.close();
  }
  assert.equal(due.size, 0);
  await server.listen({ tls: "none" });
  assert.equal(due.size, 1);
});

test("an API server that starts again on what is stored takes its Lease over", async () => {
  const storage = createStorage();
  const ports = { clock: systemClock, random: systemRandom, storage };
  const first = await createApiServer(ports);
  await first.listen({ tls: "none" });
  const before = leaseOf(first);
  await using second = await createApiServer(ports);
  await second.listen({ tls: "none" });
  const after = leaseOf(second);
  assert.equal(after?.metadata?.uid, before?.metadata?.uid);
  assert.notEqual(after?.spec?.holderIdentity, before?.spec?.holderIdentity);
  await first.close();
});
