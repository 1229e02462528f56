import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { ConfigMap, Namespace, Pod } from "@kubewright/api/core/v1";
import { readBody, type Transport, type TransportRequest } from "@kubewright/core/ports";
import { isAlreadyExists, isConflict, isInvalid, isNotFound } from "@kubewright/core/protocol";
import {
  type Client,
  createClient,
  createDiscovery,
  createHttpTransport,
  exists,
  isGone,
  isUnreachable,
  metadataOnly,
  retryingTransport,
  unstructured,
  waitFor,
} from "@kubewright/runtime";
import { Harness, Widget } from "./harness.ts";

/** The suite runs on each way to reach the server. */
const WAYS: ReadonlyArray<
  readonly [name: string, run: (work: (client: Client, harness: Harness) => Promise<void>) => Promise<void>]
> = [
  [
    "in process",
    async (work) => {
      await using harness = await Harness.start();
      await work(harness.client, harness);
    },
  ],
  [
    "over TLS",
    async (work) => {
      await using harness = await Harness.start();
      const listener = await harness.server.listen();
      const config = JSON.parse(listener.kubeconfig ?? "{}");
      const pem = (text: string): string => Buffer.from(text, "base64").toString();
      const user = config.users[0].user;
      const tls = {
        ca: listener.certificateAuthority,
        cert: pem(user["client-certificate-data"]),
        key: pem(user["client-key-data"]),
      };
      {
        using transport = createHttpTransport({ server: listener.url, tls: async () => tls });
        await work(createClient({ transport }), harness);
      }
      await listener.close();
    },
  ],
];

for (const [way, run] of WAYS) {
  test(`${way}: create, get, find, list, update, patch and delete`, () =>
    run(async (client) => {
      const created = await client.create(ConfigMap, { metadata: { name: "a" }, data: { x: "ä€😀" } });
      assert.equal((await client.get(ConfigMap, "a")).data?.["x"], "ä€😀");
      await assert.rejects(client.create(ConfigMap, { metadata: { name: "a" } }), isAlreadyExists);
      await assert.rejects(client.get(ConfigMap, "b"), isNotFound);
      assert.equal(await client.find(ConfigMap, "b"), undefined);
      const updated = await client.update(ConfigMap, { ...created, data: { x: "2" } });
      await assert.rejects(client.update(ConfigMap, { ...created, data: { x: "3" } }), isConflict);
      await client.patch(ConfigMap, "a", { json: [{ op: "add", path: "/data/y", value: "4" }] });
      const patched = await client.patch(ConfigMap, "a", { merge: { data: { x: null } } });
      assert.deepEqual(patched.data, { y: "4" });
      assert.notEqual(patched.metadata?.resourceVersion, updated.metadata?.resourceVersion);
      const list = await client.list(ConfigMap, { fieldSelector: { "metadata.name": "a" } });
      assert.equal(list.items.length, 1);
      assert.equal(await client.delete(ConfigMap, "a"), undefined);
      assert.equal(await client.find(ConfigMap, "a"), undefined);
    }));

  test(`${way}: R25: a delete of an object that was replaced meanwhile is refused`, () =>
    run(async (client) => {
      const old = await client.create(ConfigMap, { metadata: { name: "a" } });
      await client.delete(ConfigMap, "a");
      await client.create(ConfigMap, { metadata: { name: "a" } });
      await assert.rejects(client.delete(ConfigMap, old), isConflict);
      assert.notEqual(await client.find(ConfigMap, "a"), undefined);
    }));

  test(`${way}: a graceful deletion answers with the object, its end with nothing`, () =>
    run(async (client) => {
      const spec = { nodeName: "somewhere", containers: [{ name: "a", image: "a" }] };
      await client.create(Pod, { metadata: { name: "a" }, spec });
      assert.equal((await client.delete(Pod, "a"))?.metadata?.name, "a");
      assert.equal(await client.delete(Pod, "a", { gracePeriodSeconds: 0 }), undefined);
    }));

  test(`${way}: a dry run stores nothing, selectors select, a collection is deleted`, () =>
    run(async (client) => {
      await client.create(ConfigMap, { metadata: { name: "dry" } }, { dryRun: true });
      await client.with({ dryRun: true }).create(ConfigMap, { metadata: { name: "dry" } });
      assert.equal(await client.find(ConfigMap, "dry"), undefined);
      for (const app of ["web", "api", "web"])
        await client.create(ConfigMap, { metadata: { generateName: "m-", labels: { app } } });
      assert.equal((await client.list(ConfigMap, { labelSelector: { app: "web" } })).items.length, 2);
      assert.equal((await client.list(ConfigMap, { labelSelector: "app notin (web)" })).items.length >= 1, true);
      await client.deleteCollection(ConfigMap, { labelSelector: { app: "web" } });
      assert.equal((await client.list(ConfigMap, { labelSelector: "app" })).items.length, 1);
    }));

  test(`${way}: each goes through all pages`, () =>
    run(async (client) => {
      for (let count = 0; count < 25; count++)
        await client.create(ConfigMap, { metadata: { name: `m${count}`, labels: { mine: "yes" } } });
      const names = new Set<string | undefined>();
      for await (const map of client.each(ConfigMap, { pageSize: 4, labelSelector: { mine: "yes" } }))
        names.add(map.metadata?.name);
      assert.equal(names.size, 25);
    }));

  test(`${way}: a watch follows changes until its signal aborts`, () =>
    run(async (client) => {
      const stop = new AbortController();
      const { metadata } = await client.list(ConfigMap);
      const seen: string[] = [];
      await client.create(ConfigMap, { metadata: { name: "a" } });
      await client.delete(ConfigMap, "a");
      await assert.rejects(async () => {
        for await (const event of client.watch(ConfigMap, {
          resourceVersion: metadata.resourceVersion,
          signal: stop.signal,
        })) {
          seen.push(event.type);
          if (event.type === "DELETED") stop.abort(new Error("enough"));
        }
      }, /enough/);
      assert.deepEqual(seen, ["ADDED", "DELETED"]);
    }));

  test(`${way}: status is written through its own path, other subresources through theirs`, () =>
    run(async (client) => {
      const widget = await client.create(Widget, { metadata: { name: "a" }, spec: { size: 2 } });
      const merge = { spec: { size: 9 }, status: { ready: true } };
      const patched = await client.patch(Widget, widget, { merge }, { subresource: "status" });
      assert.deepEqual([patched.spec.size, patched.status?.ready], [2, true]);
      const status = client.subresource<Widget>(Widget, "status");
      assert.equal((await status.get("a")).status?.ready, true);
    }));

  test(`${way}: unstructured and metadata-only objects`, () =>
    run(async (client) => {
      const Loose = unstructured({
        group: "example.com",
        version: "v1",
        kind: "Widget",
        plural: "widgets",
        scope: "Namespaced",
      });
      await client.create(Widget, { metadata: { name: "a" }, spec: { size: 2 } });
      assert.equal((await client.get(Loose, "a")).spec?.["size"], 2);
      const partial = await client.get(metadataOnly(Widget), "a");
      assert.equal(partial.metadata.name, "a");
      assert.equal("spec" in partial, false);
      assert.equal((await client.list(metadataOnly(Widget))).items[0]?.metadata.name, "a");
    }));

  test(`${way}: errors carry the server's Status`, () =>
    run(async (client) => {
      const wrong = client.create(Widget, { metadata: { name: "a" }, spec: { size: "many" as unknown as number } });
      await assert.rejects(wrong, (error) => isInvalid(error) && (error.status.details?.causes ?? []).length > 0);
    }));

  test(`${way}: waiting for an object, and for its end`, () =>
    run(async (client, harness) => {
      const there = waitFor(client, ConfigMap, "a", { condition: exists });
      const gone = there.then(() => waitFor(client, ConfigMap, "a", { condition: isGone }));
      await harness.client.create(ConfigMap, { metadata: { name: "a" } });
      assert.equal((await there)?.metadata?.name, "a");
      await harness.client.delete(ConfigMap, "a");
      assert.equal(await gone, undefined);
    }));
}

test("discovery finds kinds, those installed later included", async () => {
  await using harness = await Harness.start();
  const discovery = createDiscovery(harness.client);
  const deployment = await discovery.find(Deployment);
  assert.deepEqual(
    [deployment?.plural, deployment?.scope, deployment?.subresources?.includes("scale")],
    ["deployments", "Namespaced", true],
  );
  assert.equal((await discovery.find(Namespace))?.scope, "Cluster");
  const late = { group: "example.com", version: "v1", kind: "Late" };
  assert.equal(await discovery.find(late), undefined);
  await harness.install({ group: "example.com", kind: "Late" });
  assert.equal((await discovery.find(late))?.plural, "lates");
});

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
  assert.equal(sent[0]?.headers?.["impersonate-extra-scopes"], "a");
  assert.deepEqual(warnings, ['old, "v1"', "second"]);
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
