/** Names that mean something to the language of a server are plain data, and numbers keep every digit. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMaps } from "./objects.ts";
import { serveWidgets } from "./widgets.ts";

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

/** The text of an object with every name as a key. */
const entries = (value: string): string => `{${NAMES.map((name) => `${JSON.stringify(name)}:${value}`).join(",")}}`;

/** The cases. */
export const plainDataCases: readonly ContractCase[] = [
  contract("keys that objects of a language have are keys like any other, whatever the verb", async (api) => {
    const path = configMaps(api.namespace);
    const labels = entries('"on"').replace('"__proto__":"on",', "");
    const object = (name: string, value: string): string =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","labels":${labels}},"data":${entries(value)}}`;
    const sorted = (text: string): string => JSON.stringify(Object.entries(JSON.parse(text).data).sort());
    const expected = (value: string): string => sorted(`{"data":${entries(value)}}`);
    const created = await api.post(path, object("constructor", '"1"'));
    assert.equal(created.status, 201, created.text);
    assert.equal(sorted(created.text), expected('"1"'));
    const one = `${path}/constructor`;
    const patches = [
      ["application/merge-patch+json", `{"data":${entries('"2"')}}`, '"2"'],
      ["application/strategic-merge-patch+json", `{"data":${entries('"3"')}}`, '"3"'],
      ["application/json-patch+json", `[{"op":"replace","path":"/data","value":${entries('"4"')}}]`, '"4"'],
    ] as const;
    for (const [type, patch, value] of patches) {
      assert.equal(sorted((await api.patch(one, type, patch)).text), expected(value), type);
    }
    const applied = await api.patch(
      `${one}?fieldManager=m&force=true`,
      "application/apply-patch+yaml",
      object("constructor", '"5"'),
    );
    assert.equal(sorted(applied.text), expected('"5"'));
    assert.equal(sorted((await api.put(one, object("constructor", '"6"'))).text), expected('"6"'));
    assert.equal(sorted((await api.get(one)).text), expected('"6"'));
    const selected = await api.get(`${path}?labelSelector=valueOf%3Don,!isPrototypeOf`);
    assert.equal(selected.body.items.length, 1);
    const none = await api.get(`${path}?labelSelector=toLocaleString`);
    assert.deepEqual(none.body.items, []);
    assert.equal((await api.get(`${path}/toString`)).status, 404);
  }),

  contract("numbers keep every digit, and fields of a schema may have any name", async (api) => {
    const properties = Object.fromEntries(NAMES.map((name) => [name, { type: "integer", default: 1 }]));
    const spec = { type: "object", properties: { ...properties, large: { type: "integer" } } };
    const path = await serveWidgets(api, { schema: { openAPIV3Schema: { type: "object", properties: { spec } } } });
    const head = `"apiVersion":"${api.namespace}.example.com/v1","kind":"Widget","metadata":{"name":"a"}`;
    const created = await api.post(path, `{${head},"spec":{"large":9007199254740993,"unknown":1,"valueOf":2}}`);
    assert.equal(created.status, 201, created.text);
    assert.match(created.text, /"large":9007199254740993[,}]/);
    const { large: _, ...rest } = created.body.spec;
    const defaults = { constructor: 1, hasOwnProperty: 1, prototype: 1, toString: 1, valueOf: 2 };
    assert.deepEqual(
      Object.entries(rest)
        .filter(([name]) => name !== "__proto__")
        .sort(),
      Object.entries(defaults).sort(),
    );
    const patched = await api.patch(
      `${path}/a`,
      "application/merge-patch+json",
      '{"spec":{"toString":9223372036854775807}}',
    );
    assert.match(patched.text, /"toString":9223372036854775807[,}]/);
  }),
];
