import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectMeta } from "../meta/object.ts";
import { seededRandom } from "../ports/random.ts";
import { decodeSlimObject, decodeSlimWatchEvent } from "./slim-watch-event.ts";
import { decodeWatchEvent } from "./watch-event.ts";

const encoder = new TextEncoder();

/** The event's line with its metadata as text, after `head`. */
function line(metadata: string, rest = "", head = '"kind":"A","apiVersion":"v1",'): Uint8Array {
  return encoder.encode(`{"type":"ADDED","object":{${head}"metadata":{${metadata}}${rest}}}`);
}

const FIELDS = '"managedFields":[{"manager":"a ] \\" }","fieldsV1":{"f:data":{"k:[x]":{}}}},{"manager":"b"}]';

test("managedFields go, wherever they stand in the metadata, and the text says what the value says", () => {
  for (const metadata of [FIELDS, `${FIELDS},"name":"ä"`, `"name":"ä",${FIELDS}`, `"a":1,${FIELDS},"name":"ä"`]) {
    const event = decodeSlimWatchEvent(line(metadata, ',"data":{"k":"v"}'));
    const { object } = decodeWatchEvent(line(metadata, ',"data":{"k":"v"}'));
    const { managedFields: _gone, ...kept } = object["metadata"] as Record<string, never>;
    assert.deepEqual(event?.object, { ...object, metadata: kept });
    assert.deepEqual(JSON.parse(event?.text ?? ""), event?.object);
    assert.equal(event?.identity.name, kept["name"]);
  }
});

test("what tells an object apart is known before it is decoded, wherever it stands", () => {
  const owners = '"ownerReferences":[{"apiVersion":"v1","kind":"B","name":"]b","uid":"u","controller":true}]';
  const [names, version] = ['"name":"a","namespace":"n"', '"resourceVersion":"7"'];
  for (const metadata of [
    `"labels":{"name":"x"},${names},${version},${owners},${FIELDS}`,
    `${FIELDS},${names},${owners},${version},"uid":"name"`,
    `${names},"annotations":{"k":"ä"},${FIELDS},${owners},${version}`,
  ]) {
    const event = decodeSlimWatchEvent(line(metadata));
    const { name, namespace, resourceVersion, ownerReferences } = (event?.object["metadata"] ?? {}) as ObjectMeta;
    assert.deepEqual(
      [
        event?.identity.name,
        event?.identity.namespace,
        event?.identity.resourceVersion,
        event?.identity.ownerReferences,
      ],
      [name, namespace, resourceVersion, ownerReferences],
    );
    assert.equal(ownerReferences?.[0]?.name, "]b");
  }
});

test("names with escapes, and numbers among the owners that JSON.parse might spoil, are left to the other decoder", () => {
  for (const metadata of [
    '"name":"a\\u0062"',
    '"namespace":"\\"","name":"a"',
    '"resourceVersion":"1\\\\"',
    '"name":"a","ownerReferences":[{"uid":12345678901234567890}]',
  ]) {
    assert.equal(decodeSlimWatchEvent(line(metadata)), undefined, metadata);
  }
});

test("an object without names, and with null for its owners, has none", () => {
  const { identity } =
    decodeSlimWatchEvent(line('"generateName":"a-","ownerReferences":null,"labels":{"a":"b"}')) ?? {};
  assert.deepEqual([identity?.name, identity?.namespace, identity?.ownerReferences], [undefined, undefined, undefined]);
});

test("managedFields of large objects go, too", () => {
  const data = `,"data":{"k":"${"v".repeat(100_000)}"}`;
  const event = decodeSlimWatchEvent(line(`"name":"a",${FIELDS}`, data));
  assert.equal(event?.text, `{"kind":"A","apiVersion":"v1","metadata":{"name":"a"}${data}}`);
});

const CREATOR =
  '{"manager":"widget/4f7a/created","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"k:[x]":{}}}}';
const OTHER = '{"manager":"a ] } /created","operation":"Apply","fieldsV1":{"f:x":{}}}';

test("of managedFields who created the object stays, wherever it stands, and what tells the object apart is found behind it", () => {
  const alone = [{ manager: "widget/4f7a/created", operation: "Update" }];
  for (const entries of [CREATOR, `${CREATOR},${OTHER}`, `${OTHER},${CREATOR}`, `${OTHER},${CREATOR},${OTHER}`]) {
    for (const [before, behind] of [
      ['"name":"a",', ""],
      ["", ',"name":"a"'],
    ]) {
      const metadata = `${before}"managedFields":[${entries}]${behind},"namespace":"n"`;
      const event = decodeSlimWatchEvent(line(metadata, ',"data":{"k":"v"}'));
      assert.deepEqual(event?.object["metadata"], { name: "a", namespace: "n", managedFields: alone });
      assert.deepEqual([event?.identity.name, event?.identity.namespace], ["a", "n"]);
      const whole = encoder.encode(`{"kind":"A","metadata":{${metadata}}}`);
      assert.deepEqual(decodeSlimObject(whole)?.["metadata"], { name: "a", namespace: "n", managedFields: alone });
    }
  }
});

test("who created a custom resource stays as well, whose managedFields have their fields by name", () => {
  const entry = (manager: string, fields = '"f:spec":{"f:a/b":{}}'): string =>
    `{"apiVersion":"a/v1","fieldsType":"FieldsV1","fieldsV1":{${fields}},"manager":"${manager}","operation":"Update","time":"t"}`;
  const creator = entry("widget/4f7a/created");
  for (const entries of [creator, `${entry("a")},${creator}`, `${creator},${entry("b/c", '"v:[{}],":{}')}`]) {
    const event = decodeSlimWatchEvent(line(`"generation":1,"managedFields":[${entries}],"name":"a","namespace":"n"`));
    assert.deepEqual(event?.object["metadata"], {
      generation: 1,
      managedFields: [{ manager: "widget/4f7a/created", operation: "Update" }],
      name: "a",
      namespace: "n",
    });
    assert.equal(event?.identity.namespace, "n");
  }
});

test("managedFields end where they end, whatever their texts look like", () => {
  const looks = ['"f:a}]},":{}', '"f:a}]},\\"b\\"":{}', '"v:[{\\"a\\":1}]":{}', '"f:]":{}'];
  for (const look of looks) {
    const creator = `{"manager":"widget/4f7a/created","operation":"Update","fieldsV1":{${look}}}`;
    const entries = `${creator},{"manager":"a}]},","operation":"Update","fieldsV1":{${look}}}`;
    for (const fields of [creator, entries]) {
      const event = decodeSlimWatchEvent(line(`"name":"a","managedFields":[${fields}]`, ',"data":{"k":"v"}'));
      const alone = [{ manager: "widget/4f7a/created", operation: "Update" }];
      assert.deepEqual(event?.object, {
        kind: "A",
        apiVersion: "v1",
        metadata: { name: "a", managedFields: alone },
        data: { k: "v" },
      });
    }
  }
});

test("managers that created nothing, or that say so without an update, go", () => {
  const status = '{"manager":"created","operation":"Update"},{"manager":"/created\\"","operation":"Update"}';
  const event = decodeSlimWatchEvent(line(`"name":"a","managedFields":[${OTHER},${status}]`));
  assert.deepEqual(event?.object["metadata"], { name: "a" });
});

test("managedFields that are no list of entries are left to the other decoder", () => {
  for (const list of ["[]", "[1]", `[${CREATOR},1]`, "{}", "null"])
    assert.equal(decodeSlimWatchEvent(line(`"managedFields":${list},"name":"a"`)), undefined, list);
});

test("what is called managedFields elsewhere stays", () => {
  const spec = ',"spec":{"managedFields":[1],"metadata":{"managedFields":[2]}}';
  const labels = '"annotations":{"managedFields":[3],"text":"\\"managedFields\\":[4]"},"name":"a"';
  const event = decodeSlimWatchEvent(line(`${labels},${FIELDS}`, spec));
  assert.deepEqual(event?.object["spec"], { managedFields: [1], metadata: { managedFields: [2] } });
  assert.deepEqual(event?.object["metadata"], {
    annotations: { managedFields: [3], text: '"managedFields":[4]' },
    name: "a",
  });
});

test("an event without managedFields keeps its text as it is", () => {
  const event = decodeSlimWatchEvent(line('"name":"a","generation":123456789012345,"uid":"1e5 12345678901234567890"'));
  const metadata = '{"name":"a","generation":123456789012345,"uid":"1e5 12345678901234567890"}';
  assert.equal(event?.text, `{"kind":"A","apiVersion":"v1","metadata":${metadata}}`);
});

test("numbers that JSON.parse might spoil, and what nests deep, are left to the other decoder", () => {
  for (const value of [
    "1234567890123456",
    "-12345678901234567890",
    "1e5",
    "1.5E-3",
    "[".repeat(20_000) + "]".repeat(20_000),
  ]) {
    assert.equal(decodeSlimWatchEvent(line('"name":"a"', `,"spec":{"n":${value}}`)), undefined, value.slice(0, 30));
  }
});

test("lines that kube-apiserver does not write are left to the other decoder", () => {
  for (const text of [
    '{"type":"BOOKMARK","object":{"kind":"A","metadata":{"resourceVersion":"1"}}}',
    '{"object":{"metadata":{}},"type":"ADDED"}',
    '{"type": "ADDED","object":{"metadata":{}}}',
    '{"type":"ADDED","object":{"spec":{},"metadata":{}}}',
    '{"type":"ADDED","object":{"kind":"A","metadata":{}}} ',
    '{"type":"ADDED","object":{"kind":"A","metadata":{}}}}',
    '{"type":"ADDED","object":{"kind":"A","metadata":{}},"more":{}}',
    '{"type":"ADDED","object":{"kind":"A","metadata":{},"data":{"a":"b}}}',
  ]) {
    assert.equal(decodeSlimWatchEvent(encoder.encode(text)), undefined, text);
  }
});

test("a line that was cut anywhere is refused or left to the other decoder, never taken", () => {
  const whole = line(`"name":"a",${FIELDS},"labels":{"a":"b"}`, ',"data":{"k":"v"}');
  const random = seededRandom(7);
  for (let count = 0; count < 500; count++) {
    const part = whole.subarray(0, 1 + Math.floor(random.next() * (whole.length - 2)));
    try {
      assert.equal(decodeSlimWatchEvent(part), undefined);
    } catch (error) {
      assert.equal((error as { readonly code?: string }).code, "Malformed");
    }
  }
});

test("an object alone loses its managedFields, too, with a line end behind it or without", () => {
  const text = `{"kind":"A","apiVersion":"v1","metadata":{"name":"a",${FIELDS}},"data":{"k":"ä"}}`;
  const object = { kind: "A", apiVersion: "v1", metadata: { name: "a" }, data: { k: "ä" } };
  for (const end of ["", "\n"]) assert.deepEqual(decodeSlimObject(encoder.encode(text + end)), object);
  for (const other of [
    `${text} `,
    `${text}\n\n`,
    text.slice(0, -1),
    `[${text}]`,
    '{"kind":"Status","status":"Failure"}',
    "",
  ])
    assert.equal(decodeSlimObject(encoder.encode(other)), undefined, other);
});
