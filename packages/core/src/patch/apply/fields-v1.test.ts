import assert from "node:assert/strict";
import { test } from "node:test";
import {
  difference,
  fieldSetOf,
  hasPath,
  intersection,
  pathsOf,
  recursiveDifference,
  setsEqual,
  union,
} from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";
import { formatPath } from "./path-element.ts";

const fields = {
  "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
  "f:spec": {
    "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:name": {} } },
    "f:tags": { "v:1": {}, 'v:"x"': {} },
    "i:0": {},
  },
};

test("FieldsV1 is read and written without a change, and an unchanged set keeps its object", () => {
  assert.equal(encodeFields(decodeFields(fields)), fields);
  assert.equal(JSON.stringify(encodeFields(union(decodeFields(fields), decodeFields(fields)))), JSON.stringify(fields));
});

test("paths come out in Kubernetes' order and print as in conflicts", () => {
  assert.deepEqual([...pathsOf(decodeFields(fields))].map(formatPath), [
    ".metadata.labels",
    ".metadata.labels.app",
    ".spec[0]",
    '.spec.ports[containerPort=80,protocol="TCP"]',
    '.spec.ports[containerPort=80,protocol="TCP"].name',
    ".spec.tags[=1]",
    '.spec.tags[="x"]',
  ]);
});

test("keys are canonical, so another order of key fields is the same item", () => {
  const other = decodeFields({ 'k:{"protocol":"TCP","containerPort":80}': {} });
  assert.ok(setsEqual(other, decodeFields({ 'k:{"containerPort":80, "protocol":"TCP"}': {} })));
});

test("steps of unknown kinds are ignored, malformed ones are refused", () => {
  assert.ok(setsEqual(decodeFields({ "x:future": {}, "f:a": {} }), decodeFields({ "f:a": {} })));
  assert.throws(() => decodeFields({ f: {} }), /2 characters/);
  assert.throws(() => decodeFields({ fa: {} }), /missing colon/);
  assert.throws(() => decodeFields({ "i:x": {} }), /no index/);
});

test("difference keeps what is below a removed path, recursive difference does not", () => {
  const all = fieldSetOf([["f:a"], ["f:a", "f:b"], ["f:c"]]);
  const parent = fieldSetOf([["f:a"]]);
  assert.deepEqual([...pathsOf(difference(all, parent))], [["f:c"], ["f:a", "f:b"]]);
  assert.deepEqual([...pathsOf(recursiveDifference(all, parent))], [["f:c"]]);
  assert.deepEqual([...pathsOf(intersection(all, fieldSetOf([["f:a", "f:b"], ["f:d"]])))], [["f:a", "f:b"]]);
  assert.ok(hasPath(all, ["f:a", "f:b"]) && !hasPath(all, ["f:a", "f:c"]) && !hasPath(all, []));
});
