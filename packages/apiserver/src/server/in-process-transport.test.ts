import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { seededRandom, sleep, type TransportRequest } from "@kubewright/core/ports";
import { decodeWatchEvents } from "@kubewright/core/protocol";
import { systemClock } from "@kubewright/node";
import { createStorage } from "../storage/memory.ts";
import { type ApiServer, createApiServer } from "./server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

function start(): Promise<ApiServer> {
  return createApiServer({ clock: systemClock, random: seededRandom(1), storage: createStorage() });
}

function creation(name: string, more: Partial<TransportRequest> = {}): TransportRequest {
  const body = JSON.stringify({ metadata: { name }, data: { key: "value" } });
  return { method: "POST", path: CONFIG_MAPS, headers: { "content-type": "application/json" }, body, ...more };
}

test("a write that takes values is answered with what its body says, frozen", async () => {
  await using server = await start();
  const { status, value, body } = await server.transport.send(creation("a", { takesValues: true }));
  assert.equal(status, 201);
  assert.ok(value !== undefined && Object.isFrozen(value) && Object.isFrozen((value as { data: object }).data));
  assert.ok(isDeepStrictEqual(value, JSON.parse(await textOf(body))));
  const plain = await server.transport.send(creation("b"));
  assert.equal(plain.value, undefined);
});

test("whoever sends a request to another path need not know what the first one was made of", async () => {
  await using server = await start();
  await server.transport.send(creation("a"));
  const path = `${CONFIG_MAPS}/a`;
  const parts = { group: "", version: "v1", plural: "configmaps", namespace: "default", name: "a" };
  const target = { ...parts, of: path, path, query: "" };
  await server.transport.send({ method: "DELETE", path: `${path}?dryRun=All`, target });
  assert.equal((await server.transport.send({ method: "GET", path, target })).status, 200);
});

test("a Status is handed over, too", async () => {
  await using server = await start();
  await server.transport.send(creation("a"));
  const request = { method: "DELETE", path: `${CONFIG_MAPS}/a` };
  const { status, value, body } = await server.transport.send({ ...request, takesValues: true });
  assert.equal(status, 200);
  assert.equal((value as { status?: string }).status, "Success");
  assert.ok(Object.isFrozen(value));
  assert.deepEqual(value, JSON.parse(await textOf(body)));
});

test("a list that was sent empty and is read as null is no change when it is sent as it was read", async () => {
  await using server = await start();
  const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  const write = async (method: string, at: string, value: object) =>
    (await server.transport.send({ method, path: at, value, takesValues: "lean" })).value as {
      readonly metadata: { readonly resourceVersion: string };
      readonly rules: unknown;
    };
  const created = await write("POST", path, { metadata: { name: "a" }, rules: [] });
  assert.equal(created.rules, null);
  for (const rules of [null, []]) {
    const updated = await write("PUT", `${path}/a`, { ...created, rules });
    assert.equal(updated.metadata.resourceVersion, created.metadata.resourceVersion);
  }
});

test("a body that is given away is kept as it is and frozen, and one that is not is copied", async () => {
  await using server = await start();
  await server.transport.send(creation("first", { takesValues: true })); // From now on objects are held.
  for (const givesValue of [true, false]) {
    const data = { key: "value" };
    const value = { metadata: { name: `given-${givesValue}` }, data, binaryData: undefined };
    const answer = await server.transport.send({
      method: "POST",
      path: CONFIG_MAPS,
      value,
      givesValue,
      takesValues: true,
    });
    const stored = answer.value as { readonly data: object };
    assert.deepEqual(stored.data, { key: "value" });
    assert.equal(Object.hasOwn(stored, "binaryData"), false);
    assert.equal(stored.data === data, givesValue);
    assert.equal(Object.isFrozen(data), givesValue);
  }
});

test("fields stand in the order of Go, those that were filled in, too", async () => {
  await using server = await start();
  const container = { securityContext: {}, image: "work", name: "work" };
  const path = "/api/v1/namespaces/default/replicationcontrollers";
  const template = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };
  const value = { metadata: { name: "a" }, spec: { template } };
  const answer = await server.transport.send({ method: "POST", path, value, takesValues: "lean" });
  const { metadata, spec } = answer.value as {
    readonly metadata: object;
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  };
  const [stored = {}] = spec.template.spec.containers;
  const fields = ["name", "image", "resources", "terminationMessagePath", "terminationMessagePolicy"];
  assert.deepEqual(Object.keys(stored), [...fields, "imagePullPolicy", "securityContext"]);
  assert.deepEqual(Object.keys(metadata).slice(0, 3), ["name", "namespace", "uid"]);
});

test("a refusal, and any other form than the stored one, comes as a body alone", async () => {
  await using server = await start();
  await server.transport.send(creation("a"));
  assert.equal((await server.transport.send(creation("a", { takesValues: true }))).value, undefined);
  const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  const headers = { "content-type": "application/json", accept };
  assert.equal((await server.transport.send(creation("b", { takesValues: true, headers }))).value, undefined);
});

test("a watch that takes values is told the same events as one that reads its body", async () => {
  await using server = await start();
  const stop = new AbortController();
  const path = `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
  await server.transport.send(creation("a"));
  const open = (takesValues: boolean) =>
    server.transport.send({ method: "GET", path, signal: stop.signal, takesValues });
  const [handed, written] = [await open(true), await open(false)];
  await server.transport.send(creation("b"));
  await server.transport.send({ method: "DELETE", path: `${CONFIG_MAPS}/a` });
  const [fromValues, fromBytes]: [unknown[], unknown[]] = [[], []];
  for await (const events of handed.events ?? []) {
    fromValues.push(...events);
    if (fromValues.length >= 4) break;
  }
  for await (const event of decodeWatchEvents(written.body)) {
    fromBytes.push(event);
    if (fromBytes.length === 4) break;
  }
  stop.abort();
  assert.deepEqual(fromValues, fromBytes);
});

test("an event that cannot be shown harms nobody while the watch it is for is not read", async () => {
  await using server = await start();
  const stop = new AbortController();
  const path = `${CONFIG_MAPS}?watch=1`;
  const watch = await server.transport.send({ method: "GET", path, signal: stop.signal, takesValues: "lean" });
  const put = { resource: "configmaps", key: "default/a", operation: "put", expected: 0 } as const;
  server.storage.commit({ ...put, encode: () => "{}" });
  await sleep(systemClock, 0); // Promises that nobody catches are told when all that is due has run.
  for await (const [event] of watch.events ?? []) {
    assert.equal(event?.type, "ERROR");
    break;
  }
  stop.abort();
});

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}
