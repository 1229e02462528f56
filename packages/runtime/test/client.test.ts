import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Pod } from "@kubewright/api/core/v1";
import { readBody, type Transport, type TransportRequest } from "@kubewright/core/ports";
import { createClient, isUnreachable, readLogs, retryingTransport, waitFor } from "@kubewright/runtime";
import { Harness } from "./harness.ts";

test("impersonation, field manager and field validation go on the wire", async () => {
  const sent: TransportRequest[] = [];
  const transport: Transport = {
    send: async (request) => {
      sent.push(request);
      return {
        status: 200,
        headers: { warning: '299 - "old, \\"v1\\"", 299 - "second"' },
        body: once('{"metadata":{}}'),
      };
    },
  };
  const warnings: string[] = [];
  const client = createClient({ transport, onWarning: (text) => warnings.push(text) });
  const jane = client.with({
    impersonate: { user: "jane", groups: ["dev"], extra: { scopes: ["a"] } },
    fieldManager: "m",
    fieldValidation: "Strict",
  });
  await jane.create(Pod, { metadata: { name: "a" } });
  assert.match(sent[0]?.path ?? "", /fieldManager=m&fieldValidation=Strict/);
  assert.equal(sent[0]?.headers?.["impersonate-user"], "jane");
  assert.equal(sent[0]?.headers?.["impersonate-extra-scopes"], "a\n"); // One header for each value.
  assert.equal(sent[0]?.headers?.["impersonate-group"], "dev\n");
  assert.deepEqual(warnings, ['old, "v1"', "second"]);
});

test("a deletion is told with the uid of what was deleted, whether a Status or its last state is the answer", async () => {
  const answers = [
    { kind: "Status", apiVersion: "v1", status: "Success", details: { name: "a", kind: "pods", uid: "u1" } },
    { kind: "Pod", apiVersion: "v1", metadata: { name: "a", uid: "u2" } },
    { kind: "Status", apiVersion: "v1", status: "Success" },
  ];
  const transport: Transport = {
    send: async () => ({ status: 200, headers: {}, body: once(JSON.stringify(answers.shift())) }),
  };
  const told: unknown[] = [];
  const client = createClient({
    transport,
    onDeleted: ({ name, namespace, uid }) => told.push([namespace, name, uid]),
  });
  await client.delete(Pod, "a");
  await client.delete(Pod, "a");
  await client.delete(Pod, { metadata: { name: "a", uid: "u3" } });
  assert.deepEqual(told, [
    ["default", "a", "u1"],
    ["default", "a", "u2"],
    ["default", "a", "u3"],
  ]);
});

test("S: nobody is impersonated by a name that would be two", () => {
  const transport: Transport = { send: () => Promise.reject(new Error("sent")) };
  const impersonate = { user: "jane", groups: ["readers\nsystem:masters"] };
  assert.throws(() => createClient({ transport, impersonate }), /nobody can be impersonated as .* it has a line end/);
});

test("every call takes a signal, and hands it to what it sends", async () => {
  const { signal } = new AbortController();
  const sent = new Map<string, boolean>();
  let call = "";
  const transport: Transport = {
    async send(request) {
      sent.set(call, request.signal === signal && sent.get(call) !== false);
      const text = JSON.stringify({ metadata: { name: "a", resourceVersion: "1" }, items: [] });
      return { status: 200, headers: {}, body: once(request.path.includes("watch=true") ? "" : text) };
    },
  };
  const client = createClient({ transport });
  const pod: Pod = { metadata: { name: "a", resourceVersion: "1" } };
  const scale = client.subresource(Pod, "scale");
  const drain = async (stream: AsyncIterable<unknown>): Promise<void> => {
    for await (const _piece of stream);
  };
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    get: () => client.get(Pod, "a", { signal }),
    find: () => client.find(Pod, "a", { signal }),
    list: () => client.list(Pod, { signal }),
    each: () => drain(client.each(Pod, { signal })),
    watch: () => drain(client.watch(Pod, { signal })),
    create: () => client.create(Pod, pod, { signal }),
    update: () => client.update(Pod, pod, { signal }),
    patch: () => client.patch(Pod, "a", { merge: {} }, { signal }),
    modify: () => client.modify(Pod, "a", (found) => found, { signal }),
    apply: () => client.apply(Pod, { metadata: { name: "a" } }, { signal }),
    delete: () => client.delete(Pod, "a", { signal }),
    deleteCollection: () => client.deleteCollection(Pod, { signal }),
    request: () => client.request({ path: "/version", signal }),
    "subresource get": () => scale.get("a", { signal }),
    "subresource create": () => scale.create("a", {}, { signal }),
    "subresource update": () => scale.update("a", {}, { signal }),
    "subresource patch": () => scale.patch("a", { merge: {} }, { signal }),
    "subresource apply": () => scale.apply("a", {}, { signal }),
    "subresource stream": async () => drain(await scale.stream("a", { signal })),
    waitFor: () => waitFor(client, Pod, "a", { condition: () => true, signal }),
    readLogs: async () => drain(await readLogs(client, "a", { signal })),
  };
  for (const [name, work] of Object.entries(calls)) {
    call = name;
    await work();
  }
  const without = Object.keys(calls).filter((name) => sent.get(name) !== true);
  assert.deepEqual(without, []);
});

test("no answer at all is an error of its own, and names the request", async () => {
  const transport: Transport = { send: () => Promise.reject(new Error("connect ECONNREFUSED")) };
  const failed = createClient({ transport }).get(Pod, "a");
  await assert.rejects(
    failed,
    (error) => isUnreachable(error) && /GET \/api\/v1\/namespaces\/default\/pods\/a: connect/.test(error.message),
  );
});

test("R23: a request that was turned away is sent again when the server said, one with generateName is not", async () => {
  await using harness = await Harness.start();
  let refusals = 3;
  const timesMs: number[] = [];
  const busy: Transport = {
    send: async () => {
      timesMs.push(harness.clock.monotonic());
      refusals -= 1;
      return refusals >= 0
        ? { status: 429, headers: { "retry-after": "2" }, body: once("") }
        : { status: 201, headers: {}, body: once('{"metadata":{"name":"a"}}') };
    },
  };
  const client = createClient({ transport: retryingTransport(busy, { clock: harness.clock, random: harness.random }) });
  let created: ConfigMap | undefined;
  const creating = client.create(ConfigMap, { metadata: { name: "a" } }).then((map) => {
    created = map;
  });
  await harness.clock.advanceUntil(() => created !== undefined);
  await creating;
  assert.equal(timesMs.length, 4);
  assert.ok(timesMs.every((timeMs, index) => index === 0 || timeMs - (timesMs[index - 1] ?? 0) >= 2000));
  refusals = 1;
  await assert.rejects(client.create(ConfigMap, { metadata: { generateName: "a-" } }), /too many requests/);
});

test("R23: after ten tries the refusal is given to the caller", async () => {
  await using harness = await Harness.start();
  let tries = 0;
  const busy: Transport = {
    send: async () => {
      tries += 1;
      return { status: 503, headers: { "retry-after": "1" }, body: once("") };
    },
  };
  const transport = retryingTransport(busy, { clock: harness.clock, random: harness.random });
  let status = 0;
  const sending = transport.send({ method: "GET", path: "/" }).then(async (response) => {
    await readBody(response.body);
    status = response.status;
  });
  await harness.clock.advanceUntil(() => status !== 0);
  await sending;
  assert.deepEqual([tries, status], [10, 503]);
});

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
