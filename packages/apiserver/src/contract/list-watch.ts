/** Lists, pages, selectors and watches. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

/** The cases. */
export const listWatchCases: readonly ContractCase[] = [
  contract("a list has the current version and leaves out the kind of its items", async (api) => {
    await api.post(configMaps(api.namespace), configMap("b"));
    await api.post(configMaps(api.namespace), configMap("a"));
    const list = await api.get(`${configMaps(api.namespace)}?labelSelector=!absent`);
    assert.equal(list.body.kind, "ConfigMapList");
    assert.equal(list.body.apiVersion, "v1");
    const own = list.body.items.filter((item: { metadata: { name: string } }) => item.metadata.name.length === 1);
    assert.deepEqual(
      own.map((item: { metadata: { name: string } }) => item.metadata.name),
      ["a", "b"],
    );
    assert.equal(own[0].kind, undefined);
    assert.ok(Number(list.body.metadata.resourceVersion) >= Number(own[0].metadata.resourceVersion));
  }),

  contract("pages of a list show one version, whatever is written in between", async (api) => {
    const base = configMaps(api.namespace);
    for (const name of ["a", "b", "c"]) await api.post(base, configMap(name, {}, { labels: { paged: "yes" } }));
    const first = await api.get(`${base}?limit=2&labelSelector=paged`);
    assert.equal(first.body.items.length, 2);
    await api.post(base, configMap("bb", {}, { labels: { paged: "yes" } }));
    await api.delete(`${base}/c`);
    const token = encodeURIComponent(first.body.metadata.continue);
    const second = await api.get(`${base}?limit=2&labelSelector=paged&continue=${token}`);
    assert.deepEqual(
      second.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ["c"],
    );
    assert.equal(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
    assert.equal(second.body.metadata.continue, undefined);
  }),

  contract("a full page of a selection says that there is more as long as anything follows", async (api) => {
    const path = configMaps(api.namespace);
    for (const name of ["a", "b"]) {
      await api.post(path, { metadata: { name, labels: { chosen: name === "a" ? "yes" : "no" } } });
    }
    const first = await api.get(`${path}?labelSelector=chosen%3Dyes&limit=1`);
    assert.deepEqual(
      first.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
      ["a"],
    );
    assert.equal(first.body.metadata.remainingItemCount, undefined);
    const next = first.body.metadata.continue;
    assert.ok(next, "there is no next page");
    const rest = await api.get(`${path}?labelSelector=chosen%3Dyes&limit=1&continue=${encodeURIComponent(next)}`);
    assert.deepEqual([rest.body.items, rest.body.metadata.continue ?? ""], [[], ""]);
    const named = await api.get(`${path}?fieldSelector=metadata.name%3Da&limit=1`);
    assert.deepEqual([named.body.items.length, named.body.metadata.continue ?? ""], [1, ""]);
  }),

  contract("selectors choose by labels and fields", async (api) => {
    const base = configMaps(api.namespace);
    await api.post(base, configMap("a", {}, { labels: { tier: "one" } }));
    await api.post(base, configMap("b", {}, { labels: { tier: "two" } }));
    const names = async (query: string): Promise<string[]> =>
      (await api.get(`${base}?${query}`)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    assert.deepEqual(await names("labelSelector=tier%20in%20(two)"), ["b"]);
    assert.deepEqual(await names("fieldSelector=metadata.name%3Da"), ["a"]);
    assert.equal((await api.get(`${base}?labelSelector=%2C%2C`)).status, 400);
    assert.equal((await api.get(`${base}?fieldSelector=spec.x%3D1`)).status, 400);
  }),

  contract("a watch tells what happens after its version", async (api) => {
    const base = configMaps(api.namespace);
    const list = await api.get(base);
    const { resourceVersion } = list.body.metadata;
    const watched = api.watch(
      `${base}?watch=1&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Da`,
      (events) => events.length === 3,
    );
    await api.post(base, configMap("a", { k: "1" }));
    await api.patch(`${base}/a`, "application/merge-patch+json", { data: { k: "2" } });
    await api.delete(`${base}/a`);
    const events = await watched;
    assert.deepEqual(
      events.map((event) => event.type),
      ["ADDED", "MODIFIED", "DELETED"],
    );
    const versions = events.map((event) => Number(event.object.metadata.resourceVersion));
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(versions).size, 3);
  }),

  contract("an object that begins to match appears, one that ceases to match goes as it was", async (api) => {
    const base = configMaps(api.namespace);
    await api.post(base, configMap("a", {}, { labels: { on: "no" } }));
    const { resourceVersion } = (await api.get(base)).body.metadata;
    const watched = api.watch(
      `${base}?watch=1&resourceVersion=${resourceVersion}&labelSelector=on%3Dyes`,
      (events) => events.length === 2,
    );
    await api.patch(`${base}/a`, "application/merge-patch+json", { metadata: { labels: { on: "yes" } } });
    const gone = await api.patch(`${base}/a`, "application/merge-patch+json", { metadata: { labels: { on: "no" } } });
    const [added, deleted] = await watched;
    assert.equal(added?.type, "ADDED");
    assert.equal(deleted?.type, "DELETED");
    const { metadata } = deleted?.object ?? {};
    assert.deepEqual(metadata.labels, { on: "yes" });
    assert.equal(metadata.resourceVersion, gone.body.metadata.resourceVersion);
  }),

  contract("a path of its own watches one object", async (api) => {
    const base = configMaps(api.namespace);
    for (const name of ["a", "b"]) await api.post(base, configMap(name));
    const path = `/api/v1/watch/namespaces/${api.namespace}/configmaps/b?timeoutSeconds=1`;
    const events = await api.watch(path, () => true);
    assert.equal(events[0]?.object.metadata.name, "b");
  }),

  contract("tokens that no page had, and watches of pages, are refused", async (api) => {
    const base = configMaps(api.namespace);
    const said = async (query: string): Promise<string> => (await api.get(`${base}?${query}`)).body.message;
    const invalid = "invalid continue token: continue key is not valid: ";
    const token = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    assert.equal(await said("continue=*"), `${invalid}illegal base64 data at input byte 0`);
    assert.equal(
      await said(`continue=${token({ v: "meta.k8s.io/v2", rv: 1, start: "a" })}`),
      `${invalid}server does not recognize this encoded version meta.k8s.io/v2`,
    );
    assert.match(await said("watch=1&continue=abc"), /resourceVersionMatch is forbidden when continue is provided$/);
    assert.match(
      await said("watch=1&resourceVersion=1&resourceVersionMatch=Exact"),
      /supported values: "NotOlderThan"\]$/,
    );
  }),

  contract("a watch can begin with everything and mark where that ends", async (api) => {
    const base = configMaps(api.namespace);
    await api.post(base, configMap("b", {}, { labels: { initial: "yes" } }));
    await api.post(base, configMap("a", {}, { labels: { initial: "yes" } }));
    const query =
      "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=initial";
    const events = await api.watch(`${base}?${query}`, (told) => told.at(-1)?.type === "BOOKMARK");
    assert.deepEqual(
      events.map((event) => event.type),
      ["ADDED", "ADDED", "BOOKMARK"],
    );
    const [first, , mark] = events;
    assert.equal(first?.object.metadata.name, "a");
    assert.deepEqual(mark?.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
  }),
];
