/** Bodies and answers in other forms: YAML, metadata only, tables. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

const as = (kind: string, version = "v1"): { headers: Record<string, string> } => ({
  headers: { accept: `application/json;as=${kind};v=${version};g=meta.k8s.io,application/json` },
});

/** The cases. */
export const formCases: readonly ContractCase[] = [
  contract("bodies and answers can be YAML", async (api) => {
    const text = "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  yes: 'no'\n";
    const headers = { "content-type": "application/yaml", accept: "application/yaml" };
    const created = await api.post(configMaps(api.namespace), text, { headers });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers["content-type"], "application/yaml");
    assert.match(created.text, /^ {2}name: a$/m);
    const read = await api.get(`${configMaps(api.namespace)}/a`);
    assert.deepEqual(read.body.data, { true: "no" });
    const missing = await api.get(`${configMaps(api.namespace)}/none`, { headers });
    assert.equal(missing.headers["content-type"], "application/yaml");
    assert.match(
      missing.text,
      /^apiVersion: v1\ncode: 404\ndetails:\n {2}kind: configmaps\n {2}name: none\nkind: Status\n/,
    );
    const watch = await api.get(`${configMaps(api.namespace)}?watch=1`, { headers });
    assert.equal(watch.status, 406);
  }),

  contract("an object, a list and a watch can show metadata only", async (api) => {
    const base = configMaps(api.namespace);
    const created = await api.post(base, configMap("a", { k: "v" }, { labels: { partial: "yes" } }));
    const one = await api.get(`${base}/a`, as("PartialObjectMetadata"));
    assert.deepEqual(one.body, {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: created.body.metadata,
    });
    const list = await api.get(`${base}?labelSelector=partial`, as("PartialObjectMetadataList"));
    assert.equal(list.body.kind, "PartialObjectMetadataList");
    assert.deepEqual(list.body.items, [one.body]);
    const query = "watch=1&labelSelector=partial";
    const [event] = await api.watch(`${base}?${query}`, () => true, as("PartialObjectMetadata"));
    assert.deepEqual(event?.object, {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: created.body.metadata,
    });
  }),

  contract("a table has a column for the name and a row per object", async (api) => {
    const base = configMaps(api.namespace);
    await api.post(base, configMap("a", { k: "v" }, { labels: { table: "yes" } }));
    const table = await api.get(`${base}?labelSelector=table`, as("Table"));
    assert.equal(table.body.kind, "Table");
    assert.equal(table.body.apiVersion, "meta.k8s.io/v1");
    assert.equal(table.body.columnDefinitions[0].name, "Name");
    assert.equal(table.body.columnDefinitions[0].format, "name");
    assert.equal(table.body.rows[0].cells[0], "a");
    assert.equal(table.body.rows[0].object.kind, "PartialObjectMetadata");
    const bare = await api.get(`${base}?labelSelector=table&includeObject=None`, as("Table"));
    assert.equal(bare.body.rows[0].object, null);
    const whole = await api.get(`${base}?labelSelector=table&includeObject=Object`, as("Table"));
    assert.deepEqual(whole.body.rows[0].object.data, { k: "v" });
  }),

  contract("answers are indented for people", async (api) => {
    await api.post(configMaps(api.namespace), configMap("a"));
    const pretty = await api.get(`${configMaps(api.namespace)}/a?pretty=true`);
    assert.match(pretty.text, /^\{\n {2}"/);
    const terse = await api.get(`${configMaps(api.namespace)}/a`);
    assert.doesNotMatch(terse.text, /\n {2}/);
  }),
];
