import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../meta/json.ts";
import { isApiError } from "../protocol/status.ts";
import type { StructuralSchema } from "../schema/structural.ts";
import { applyStrategicMergePatch } from "./strategic-merge.ts";

const text = { type: "string" } as const;
const container: StructuralSchema = {
  type: "object",
  properties: { name: text, image: text, args: { type: "array", items: text }, env: { type: "object" } },
};
const schema: StructuralSchema = {
  type: "object",
  properties: {
    containers: {
      type: "array",
      items: container,
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
    },
    finalizers: { type: "array", items: text, "x-kubernetes-patch-strategy": "merge" },
    args: { type: "array", items: text },
    labels: { type: "object", additionalProperties: text },
    strategy: { type: "object", properties: { type: text }, "x-kubernetes-patch-strategy": "retainKeys" },
    whole: { type: "object", properties: { a: text }, "x-kubernetes-patch-strategy": "replace" },
  },
};

const apply = (document: JsonObject, patch: Json): JsonObject => applyStrategicMergePatch(document, patch, schema);
const names = (document: JsonObject): unknown => (document["containers"] as JsonObject[]).map((item) => item["name"]);

function failure(document: JsonObject, patch: Json): string {
  try {
    apply(document, patch);
  } catch (error) {
    if (isApiError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "applied";
}

test("merges lists by key, scalars as sets, and replaces lists without a strategy", () => {
  const document = { containers: [{ name: "a", image: "1", args: ["x"] }], finalizers: ["f1"], args: ["x", "y"] };
  const patch = {
    containers: [{ name: "a", image: "2" }, { name: "b" }],
    finalizers: ["f2", "f1"],
    args: ["z"],
  };
  assert.deepEqual(apply(document, patch), {
    containers: [{ name: "a", image: "2", args: ["x"] }, { name: "b" }],
    finalizers: ["f2", "f1"],
    args: ["z"],
  });
});

test("deletes by null, by $patch and from primitive lists", () => {
  const document = {
    containers: [{ name: "a" }, { name: "b", image: "1" }],
    finalizers: ["f1", "f2"],
    labels: { x: "1" },
  };
  const patch = {
    containers: [
      { $patch: "delete", name: "a" },
      { name: "b", image: null },
    ],
    "$deleteFromPrimitiveList/finalizers": ["f1"],
    labels: { x: null, y: "2" },
  };
  assert.deepEqual(apply(document, patch), { containers: [{ name: "b" }], finalizers: ["f2"], labels: { y: "2" } });
});

test("replaces objects and lists on demand", () => {
  const document = { containers: [{ name: "a" }], labels: { x: "1" }, whole: { a: "1", b: "2" } };
  const patch = {
    containers: [{ name: "b" }, { $patch: "replace" }],
    labels: { $patch: "replace", z: "3" },
    whole: { a: "9" },
  };
  assert.deepEqual(apply(document, patch), { containers: [{ name: "b" }], labels: { z: "3" }, whole: { a: "9" } });
  assert.deepEqual(apply({ labels: { x: "1" } }, { labels: { $patch: "delete" } }), { labels: {} });
});

test("orders by $setElementOrder and keeps items that only the server has in their place", () => {
  const document = { containers: [{ name: "a" }, { name: "server" }, { name: "b" }] };
  const order = [{ name: "b" }, { name: "new" }, { name: "a" }];
  const patched = apply(document, { "$setElementOrder/containers": order, containers: [{ name: "new" }] });
  assert.deepEqual(names(patched), ["server", "b", "new", "a"]);
  const kept = apply(document, { "$setElementOrder/containers": [{ name: "a" }, { name: "b" }] });
  assert.equal(kept, document);
});

test("keeps only what $retainKeys lists", () => {
  const document = { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } };
  const patch = { strategy: { $retainKeys: ["type"], type: "Recreate" } };
  assert.deepEqual(apply(document, patch), { strategy: { type: "Recreate" } });
});

test("leaves the input as it was and returns it when nothing changes", () => {
  const document = { containers: [{ name: "a", args: ["x"] }], labels: { x: "1" } };
  const before = structuredClone(document);
  const changed = apply(document, { labels: { x: "2" } });
  assert.deepEqual(document, before);
  assert.equal(changed["containers"], document.containers);
  assert.equal(apply(document, { containers: [{ name: "a" }], labels: { x: "1", gone: null } }), document);
});

test("takes __proto__ as an ordinary key", () => {
  const patched = apply(JSON.parse('{"labels":{"a":"1"}}'), JSON.parse('{"labels":{"__proto__":"2"}}'));
  assert.equal(JSON.stringify(patched), '{"labels":{"a":"1","__proto__":"2"}}');
});

test("refuses malformed directives with Kubernetes' words and codes", () => {
  const document = { containers: [{ name: "a" }], finalizers: ["f1"], labels: { x: "1" }, strategy: { type: "a" } };
  assert.equal(failure(document, [1]), "400 invalid JSON document");
  assert.equal(failure(document, { strategy: { $retainKeys: "type" } }), "400 invalid patch format of retainKeys");
  assert.equal(
    failure(document, { strategy: { $retainKeys: [], type: "b" } }),
    "400 invalid patch format of retainKeys",
  );
  assert.equal(failure(document, { $deleteFromPrimitiveListX: [1] }), "400 invalid patch format of primitive list");
  assert.equal(failure(document, { $setElementOrderX: [1] }), "400 invalid patch format of setElementOrder list");
  assert.equal(
    failure(document, { containers: [{ image: "x" }] }),
    "500 map: map[image:x] does not contain declared merge key: name",
  );
  assert.equal(
    failure(document, { labels: { $patch: "explode" } }),
    "500 unknown patch type: explode in map: map[$patch:explode]",
  );
  assert.equal(failure(document, { finalizers: [["x"]] }).slice(0, 3), "500");
  assert.equal(failure({ finalizers: [["x"]] }, { finalizers: ["y"] }).slice(0, 3), "422");
  assert.match(
    failure(document, { "$setElementOrder/finalizers": ["f1"], finalizers: ["f2"] }),
    /^500 The order in patch list:\n\[f2\]\n doesn't match \$setElementOrder list:\n\[f1\]\n$/,
  );
});
