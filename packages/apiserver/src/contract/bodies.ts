/** What is said of bodies that are not what their path, or the fields of their kind, ask for. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

const MERGE = "application/merge-patch+json";
const NOT_REGISTERED = 'in scheme "pkg/runtime/scheme.go:111"';

/** The cases. */
export const bodyCases: readonly ContractCase[] = [
  contract("a kind that nobody knows, one of another version and one of another path are told apart", async (api) => {
    const path = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
    const said = async (apiVersion: unknown, kind: unknown): Promise<string> =>
      (await api.post(path, { apiVersion, kind, metadata: { name: "a" } })).body.message;
    const cannot = "cannot be handled as a Deployment";
    const unknown = `no kind "Foo" is registered for version "example.com/v1" ${NOT_REGISTERED}`;
    assert.equal(await said("example.com/v1", "Foo"), `Foo in version "v1" ${cannot}: ${unknown}`);
    assert.equal(
      await said("v1", "Pod"),
      `Pod in version "v1" ${cannot}: converting (v1.Pod) to (apps.Deployment): unknown conversion`,
    );
    assert.equal(
      await said("apps/v1beta1", "Deployment"),
      "the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)",
    );
    assert.match(await said("a/b/c", "Deployment"), /: unexpected GroupVersion string: a\/b\/c \(/);
    assert.match(
      await said(1, "Deployment"),
      /cannot unmarshal number into Go struct field \.apiVersion of type string/,
    );
  }),

  contract("keys that stand twice are refused or told, in JSON, in YAML and in patches", async (api) => {
    const path = configMaps(api.namespace);
    const yaml = { headers: { "content-type": "application/yaml" } };
    const twice = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: a\ndat: {}\n";
    const line = 'line 5: key "name" already set in map';
    const strict = await api.post(`${path}?fieldValidation=Strict`, twice, yaml);
    assert.equal(strict.status, 400);
    const problems = `strict decoding error: yaml: unmarshal errors:\n  ${line}, unknown field "dat"`;
    assert.equal(strict.body.message, `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${problems}`);
    const told = await api.post(path, twice, yaml);
    assert.equal(told.headers["warning"], `299 - ${JSON.stringify(line)}, 299 - "unknown field \\"dat\\""`);
    const inOrder = await api.post(path, '{"metadata":{"name":"b"},"data":{"x":"1","x":"2"},"dat":{}}');
    const both = '299 - "duplicate field \\"data.x\\"", 299 - "unknown field \\"dat\\""';
    assert.equal(inOrder.headers["warning"], both);
    const apply = `${path}/a?fieldManager=m&force=true`;
    const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: one\n  k: two\n";
    const applied = await api.patch(apply, "application/apply-patch+yaml", config);
    assert.deepEqual(applied.body.data, { k: "two" });
    assert.equal(applied.headers["warning"], '299 - "line 6: key \\"k\\" already set in map"');
    const refused = await api.patch(`${apply}&fieldValidation=Strict`, "application/apply-patch+yaml", config);
    const why = 'error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "k" already set in map';
    assert.equal(refused.body.message, `error strict decoding YAML: ${why}`);
  }),

  contract("what is wrong with a patch itself is told, too", async (api) => {
    const path = configMaps(api.namespace);
    await api.post(path, configMap("a", { k: "1" }));
    const merged = await api.patch(`${path}/a`, MERGE, '{"data":{"k":"1","k":"2"}}');
    assert.equal(merged.headers["warning"], '299 - "duplicate field \\"data.k\\""');
    const operation = '[{"op":"add","path":"/data/k","value":"3","value":"4","foo":1}]';
    const operated = await api.patch(`${path}/a`, "application/json-patch+json", operation);
    assert.deepEqual(operated.body.data, { k: "4" });
    assert.equal(
      operated.headers["warning"],
      '299 - "json patch duplicate field \\"[0].value\\"", 299 - "json patch unknown field \\"[0].foo\\""',
    );
    const strict = await api.patch(`${path}/a?fieldValidation=Strict`, MERGE, '{"data":{"k":"1","k":"2"}}');
    assert.equal(strict.status, 422);
    assert.match(strict.body.message, /strict decoding error: duplicate field "data\.k"$/);
    const list = await api.patch(`${path}/a`, MERGE, "[]");
    const into = "into Go value of type map[string]interface {}";
    assert.equal(list.body.message, `error decoding patch: json: cannot unmarshal array ${into}`);
    const kind = await api.patch(`${path}/a`, MERGE, { kind: "Nope" });
    assert.equal(kind.status, 422);
    assert.ok(kind.body.message.endsWith(`no kind "Nope" is registered for version "v1" ${NOT_REGISTERED}`));
  }),

  contract("warnings end where a header would become too long", async (api) => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, 1]));
    const answer = await api.post(`${configMaps(api.namespace)}?dryRun=All`, { metadata: { name: "a" }, ...fields });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers["warning"]?.split(", 299 - ").length, 100);
  }),

  contract("options of a deletion are read by themselves", async (api) => {
    const path = `${configMaps(api.namespace)}/a`;
    await api.post(configMaps(api.namespace), configMap("a"));
    const bad = await api.delete(path, "x");
    const parseError = "json parse error: invalid character 'x' looking for beginning of value";
    assert.equal(bad.body.message, `couldn't get version/kind; ${parseError}`);
    assert.equal((await api.delete(`${path}?fieldValidation=none&fieldManager=%00`, "null")).status, 200);
  }),
];
