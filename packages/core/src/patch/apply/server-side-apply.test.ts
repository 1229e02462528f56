import assert from "node:assert/strict";
import { test } from "node:test";
import { deepFreeze } from "../../meta/deep.ts";
import type { Json, JsonObject } from "../../meta/json.ts";
import { isApiError } from "../../protocol/status.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { ignoreTimestampChanges } from "./object-managed-fields.ts";
import { type ApplyOptions, applyServerSide } from "./server-side-apply.ts";
import { trackFieldOwnership } from "./track-ownership.ts";

const text = { type: "string" } as const;
const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        image: text,
        selector: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
        args: { type: "array", items: text },
        tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" }, name: text },
          },
        },
        extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
};
const apiVersion = "example.com/v1";
let clock = 0;

function thing(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion, kind: "Thing", metadata: { name: "a", namespace: "shop", ...metadata }, spec };
}

function now(): string {
  clock++;
  return new Date(clock * 1000).toISOString().replace(".000", "");
}

/** Applies as the API server does: frozen inputs, and a uid after the first write. */
function apply(
  live: JsonObject | undefined,
  manager: string,
  spec: JsonObject,
  more: Partial<ApplyOptions> = {},
): JsonObject {
  const config = more.config ?? thing(spec);
  const resetFields = [["status"]];
  const result = applyServerSide({ apiVersion, live, config, manager, schema, now: now(), resetFields, ...more });
  return stored(result);
}

function update(before: JsonObject | undefined, manager: string, after: JsonObject, subresource = ""): JsonObject {
  const resetFields = [[subresource === "" ? "status" : "spec"]];
  const options = { apiVersion, before, after, manager, schema, now: now(), subresource, resetFields };
  return stored(trackFieldOwnership(options));
}

function stored(object: JsonObject): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  return deepFreeze(metadata["uid"] === "u" ? object : { ...object, metadata: { ...metadata, uid: "u" } });
}

const specOf = (object: JsonObject): Json | undefined => object["spec"];
const entriesOf = (object: JsonObject): JsonObject[] =>
  ((object["metadata"] as JsonObject)["managedFields"] ?? []) as unknown as JsonObject[];
const ownersOf = (object: JsonObject): Record<string, Json> =>
  Object.fromEntries(entriesOf(object).map((entry) => [String(entry["manager"]), entry["fieldsV1"] as Json]));

function failure(run: () => unknown): { code: number; message: string; causes: readonly object[] } {
  try {
    run();
  } catch (error) {
    if (isApiError(error)) {
      return { code: error.code, message: error.message, causes: error.status.details?.causes ?? [] };
    }
    throw error;
  }
  throw new Error("nothing was refused");
}

test("an apply creates the object and owns what it sent, except what identifies the object", () => {
  const created = apply(undefined, "one", { replicas: 1, ports: [{ port: 80 }], tags: ["x"], selector: { app: "a" } });
  assert.deepEqual(entriesOf(created), [
    {
      manager: "one",
      operation: "Apply",
      apiVersion,
      time: entriesOf(created)[0]?.["time"],
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": {
          "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} } },
          "f:replicas": {},
          "f:selector": {},
          "f:tags": { 'v:"x"': {} },
        },
      },
    },
  ]);
});

test("applying the same again returns the stored object itself", () => {
  const created = apply(undefined, "one", { replicas: 1, ports: [{ port: 80, name: "http" }], extra: { a: [1] } });
  assert.equal(apply(created, "one", { replicas: 1, ports: [{ port: 80, name: "http" }], extra: { a: [1] } }), created);
});

test("a field that another manager owns is a conflict, in kubectl's words", () => {
  const created = apply(undefined, "one", { replicas: 1, image: "a" });
  const one = failure(() => apply(created, "two", { replicas: 2 }));
  assert.equal(one.code, 409);
  assert.equal(one.message, 'Apply failed with 1 conflict: conflict with "one": .spec.replicas');
  assert.deepEqual(one.causes, [
    { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".spec.replicas" },
  ]);
  const updated = update(created, "ctl", thing({ replicas: 1, image: "b" }));
  assert.equal(
    failure(() => apply(updated, "two", { replicas: 2, image: "c" })).message,
    [
      'Apply failed with 2 conflicts: conflicts with "ctl" using example.com/v1:',
      "- .spec.image",
      'conflicts with "one":',
      "- .spec.replicas",
    ].join("\n"),
  );
});

test("force takes the field, the same value shares it", () => {
  const created = apply(undefined, "one", { replicas: 1, image: "a" });
  const shared = apply(created, "two", { replicas: 1 });
  assert.deepEqual(ownersOf(shared), {
    one: { "f:spec": { "f:image": {}, "f:replicas": {} } },
    two: { "f:spec": { "f:replicas": {} } },
  });
  const forced = apply(shared, "two", { replicas: 5 }, { force: true });
  assert.deepEqual(specOf(forced), { replicas: 5, image: "a" });
  assert.deepEqual(ownersOf(forced), { one: { "f:spec": { "f:image": {} } }, two: { "f:spec": { "f:replicas": {} } } });
});

test("what the last owner stops applying goes, what someone else owns stays", () => {
  const created = apply(undefined, "one", { replicas: 1, image: "a", tags: ["x", "y"], ports: [{ port: 80 }] });
  const shared = apply(created, "two", { image: "a", tags: ["y"] });
  const dropped = apply(shared, "one", { replicas: 1 });
  assert.deepEqual(specOf(dropped), { replicas: 1, image: "a", tags: ["y"] });
});

test("list items merge by their keys, with the schema's default for an absent key", () => {
  const created = apply(undefined, "one", { ports: [{ port: 80 }, { port: 81 }] });
  const merged = apply(created, "two", {
    ports: [
      { port: 80, protocol: "TCP", name: "http" },
      { port: 80, protocol: "UDP" },
    ],
  });
  assert.deepEqual(specOf(merged), {
    ports: [{ port: 80, protocol: "TCP", name: "http" }, { port: 81 }, { port: 80, protocol: "UDP" }],
  });
});

test("an atomic list is replaced as a whole and owned as one field", () => {
  const created = apply(undefined, "one", { args: ["a", "b"] });
  const conflict = failure(() => apply(created, "two", { args: ["a"] }));
  assert.equal(conflict.message, 'Apply failed with 1 conflict: conflict with "one": .spec.args');
  assert.deepEqual(specOf(apply(created, "two", { args: ["a"] }, { force: true })), { args: ["a"] });
});

test("a configuration that does not fit the schema is refused with the object and the path", () => {
  const refusal = (spec: JsonObject): string => failure(() => apply(undefined, "one", spec)).message;
  const prefix = "failed to create typed patch object (shop/a; example.com/v1, Kind=Thing): ";
  assert.equal(refusal({ unknown: 1 }), `${prefix}.spec.unknown: field not declared in schema`);
  assert.equal(refusal({ tags: ["x", "x"] }), `${prefix}.spec.tags: duplicate entries for key [="x"]`);
  assert.equal(refusal({ replicas: "1" }), `${prefix}.spec.replicas: expected numeric (int or float), got string`);
  assert.equal(
    failure(() => apply(undefined, "one", {}, { config: { ...thing({}), apiVersion: "example.com/v2" } })).message,
    "invalid object type: example.com/v2, Kind=Thing",
  );
  assert.equal(
    failure(() => apply(undefined, "one", {}, { config: thing({}, { managedFields: [] }) })).message,
    "metadata.managedFields must be nil",
  );
});

test("a write owns what it changed or added, per subresource, and others lose it", () => {
  const created = update(undefined, "ctl", thing({ replicas: 1, image: "a" }));
  const scaled = update(created, "scaler", { ...created, spec: { replicas: 2, image: "a" } });
  const reported = update(scaled, "ctl", { ...scaled, status: { phase: "Ready" } }, "status");
  const summary = entriesOf(reported).map((entry) => [entry["manager"], entry["subresource"] ?? "", entry["fieldsV1"]]);
  assert.deepEqual(summary, [
    ["ctl", "", { "f:spec": { ".": {}, "f:image": {} } }],
    ["scaler", "", { "f:spec": { "f:replicas": {} } }],
    ["ctl", "status", { "f:status": { ".": {}, "f:phase": {} } }],
  ]);
});

test("a write that changes nothing returns the stored object itself", () => {
  const created = update(undefined, "ctl", thing({ replicas: 1 }));
  assert.equal(update(created, "other", structuredClone(created)), created);
});

test("an object without managers belongs to before-first-apply once it is applied", () => {
  const untracked = stored(thing({ replicas: 1, image: "a" }));
  const applied = apply(untracked, "one", { replicas: 1 });
  assert.deepEqual(ownersOf(applied), {
    one: { "f:spec": { "f:replicas": {} } },
    "before-first-apply": { "f:spec": { ".": {}, "f:image": {}, "f:replicas": {} } },
  });
});

test("an empty list of managers, or one empty manager, resets them", () => {
  for (const managedFields of [[], [{}]]) {
    const created = apply(undefined, "one", { replicas: 1 });
    const metadata = { ...(created["metadata"] as JsonObject), managedFields };
    assert.deepEqual(entriesOf(update(created, "two", { ...created, metadata })), []);
  }
});

test("no more than ten managers of updates are kept, the oldest become ancient-changes", () => {
  let live = update(undefined, "m00", thing({ replicas: 1 }));
  for (let index = 1; index <= 11; index++) {
    const manager = `m${String(index).padStart(2, "0")}`;
    const extra = Object.fromEntries(Array.from({ length: index }, (_, key) => [`k${key}`, 1]));
    live = update(live, manager, { ...live, spec: { replicas: 1, extra } });
  }
  const managers = entriesOf(live).map((entry) => entry["manager"]);
  assert.equal(managers.length, 10);
  assert.equal(managers[0], "ancient-changes");
  assert.equal(managers.at(-1), "m11");
});

test("kubectl takes over what client-side apply set, and keeps its annotation current", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const config = thing({ replicas: 1 });
  const annotations = { [annotation]: JSON.stringify(config) };
  const before = update(undefined, "kubectl-client-side-apply", thing({ replicas: 1 }, { annotations }));
  const after = apply(before, "kubectl", { replicas: 2 });
  assert.deepEqual(specOf(after), { replicas: 2 });
  const kept = ((after["metadata"] as JsonObject)["annotations"] as JsonObject)[annotation];
  const expected = { apiVersion, kind: "Thing", metadata: { name: "a", namespace: "shop" }, spec: { replicas: 2 } };
  assert.equal(kept, `${JSON.stringify(expected)}\n`);
  assert.equal(failure(() => apply(before, "other", { replicas: 2 })).code, 409);
});

test("managers of other versions are compared in their version, those of unserved versions vanish", () => {
  const v2 = (object: JsonObject, to: string): JsonObject => ({ ...object, apiVersion: to });
  const converter = {
    convert: (object: JsonObject, to: string) =>
      to === "example.com/v3" ? undefined : { object: v2(object, to), schema },
  };
  const config = { ...thing({ replicas: 1 }), apiVersion: "example.com/v2" };
  const created = apply(undefined, "one", {}, { apiVersion: "example.com/v2", config, converter });
  const live = v2(created, apiVersion);
  const conflict = failure(() => apply(live, "two", { replicas: 2 }, { converter }));
  assert.equal(conflict.message, 'Apply failed with 1 conflict: conflict with "one": .spec.replicas');
  assert.deepEqual(Object.keys(ownersOf(apply(live, "two", { replicas: 2 }, { converter, force: true }))), ["two"]);
  assert.deepEqual(Object.keys(ownersOf(apply(live, "two", { replicas: 2 }))), ["two"]);
});

test("a write that would only move times is none", () => {
  const before = update(undefined, "ctl", thing({ replicas: 1 }));
  const moved = structuredClone(before) as { metadata: { managedFields: { time: string }[] } } & JsonObject;
  for (const entry of moved.metadata.managedFields) entry.time = "2030-01-01T00:00:00Z";
  assert.equal(ignoreTimestampChanges(before, moved), before);
  const changed = { ...moved, spec: { replicas: 2 } };
  assert.equal(ignoreTimestampChanges(before, changed), changed);
});

test("keys named like members of Object are ordinary fields", () => {
  const config = JSON.parse(
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"extra":{"__proto__":{"x":1},"constructor":2}}}',
  ) as JsonObject;
  const created = apply(undefined, "one", {}, { config });
  assert.equal(JSON.stringify(specOf(created)), '{"extra":{"__proto__":{"x":1},"constructor":2}}');
  assert.deepEqual(ownersOf(created)["one"], {
    "f:spec": { "f:extra": { "f:__proto__": { ".": {}, "f:x": {} }, "f:constructor": {} } },
  });
  assert.equal(JSON.stringify(specOf(apply(created, "one", { replicas: 1 }))), '{"replicas":1}');
});

test("an apply that would leave a list item without its keys is refused", () => {
  const items: StructuralSchema = { type: "object", properties: { name: text, image: text, note: text } };
  const parts: StructuralSchema = {
    type: "array",
    items,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  };
  const keyed: StructuralSchema = {
    type: "object",
    properties: { spec: { type: "object", properties: { parts, size: { type: "integer" } } } },
  };
  // The key and one field are owned, but not the item itself nor the note; another manager holds a part of the list.
  const entry = (manager: string, item: JsonObject) => ({
    manager,
    operation: "Apply",
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:parts": item } },
  });
  const owned = { ".": {}, 'k:{"name":"c"}': { "f:name": {}, "f:image": {} } };
  const managedFields = [entry("two", { 'k:{"name":"b"}': {} }), entry("one", owned)];
  const live = thing({ parts: [{ name: "c", image: "x", note: "nobody's" }] }, { uid: "u", managedFields });
  const refused = failure(() => apply(live, "one", { size: 1 }, { schema: keyed }));
  assert.match(refused.message, /^failed to compare objects: \.spec\.parts: element 0: .* omits all key fields/);
});
