import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { SelfSubjectReview } from "@kubewright/api/authentication/v1";
import { ConfigMap, Namespace, Pod } from "@kubewright/api/core/v1";
import { isAlreadyExists, isConflict, isInvalid, isNotFound } from "@kubewright/core/protocol";
import {
  type Client,
  createClient,
  createDiscovery,
  createHttpTransport,
  exists,
  isGone,
  metadataOnly,
  unstructured,
  waitFor,
} from "@kubewright/runtime";
import { type AnyHarness, Harness, Widget } from "../harness.ts";
import { isReal } from "../real-world.ts";

/** A way to reach a server. */
type Way = readonly [
  name: string,
  run: (work: (client: Client, harness: AnyHarness) => Promise<void>) => Promise<void>,
];

const EMBEDDED: readonly Way[] = [
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

const REAL: Way = [
  "kube-apiserver",
  async (work) => {
    await using harness = await Harness.anywhere();
    await work(harness.client, harness);
  },
];

/** The suite runs on each way to reach the server. */
for (const [way, run] of isReal() ? [REAL] : EMBEDDED) {
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

  test(`${way}: an answer to a write that need not have managedFields is the object without them`, () =>
    run(async (client) => {
      const map = { metadata: { name: "lean", annotations: { note: "ä" } }, data: { x: "1" } };
      const lean = await client.create(ConfigMap, map, { dropsManagedFields: true });
      const { managedFields, ...metadata } = (await client.get(ConfigMap, "lean")).metadata ?? {};
      assert.deepEqual([lean.metadata, lean.data, managedFields?.length], [metadata, map.data, 1]);
      const whole = await client.patch(ConfigMap, "lean", { merge: { data: { x: "2" } } });
      assert.ok(whole.metadata?.managedFields);
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
      const none = await client.list(metadataOnly(ConfigMap), { labelSelector: { nobody: "has" } });
      assert.deepEqual(none.items, []);
    }));

  test(`${way}: errors carry the server's Status`, () =>
    run(async (client) => {
      const wrong = client.create(Widget, { metadata: { name: "a" }, spec: { size: "many" as unknown as number } });
      await assert.rejects(wrong, (error) => isInvalid(error) && (error.status.details?.causes ?? []).length > 0);
    }));

  test(`${way}: whoever is impersonated has each of the groups and extra values, commas and all`, () =>
    run(async (client) => {
      const who = { groups: ["cn=admins,ou=x", "readers"], extra: { "example.com/scopes": ["a,b", "c"] } };
      const acting = client.with({ impersonate: { user: "jane", uid: "7", ...who } });
      const review: SelfSubjectReview = await acting.create(SelfSubjectReview, {});
      const groups = [...who.groups, "system:authenticated"];
      assert.deepEqual(review.status?.userInfo, { username: "jane", uid: "7", groups, extra: who.extra });
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
  await using harness = await Harness.anywhere();
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
