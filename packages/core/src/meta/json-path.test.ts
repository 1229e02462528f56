import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "./json.ts";
import { parseJsonPath } from "./json-path.ts";
import { findJsonPath } from "./json-path-find.ts";
import { isMalformed } from "./malformed.ts";

const pod: Json = {
  metadata: { name: "a", annotations: { "example.com/x": "1", plain: "2" } },
  spec: {
    containers: [
      { name: "one", ports: [{ port: 80 }, { port: 81 }] },
      { name: "two", ports: [] },
    ],
    empty: null,
  },
  status: {
    conditions: [
      { type: "Ready", status: "True", count: 3 },
      { type: "Synced", status: "False", count: 7 },
    ],
  },
};

const cases: readonly (readonly [path: string, found: readonly Json[]])[] = [
  [".metadata.name", ["a"]],
  ["{.metadata.name}", ["a"]],
  ["$.metadata.name", ["a"]],
  [".metadata.missing.deep", []],
  [".spec.empty", [null]],
  [".metadata.annotations.example\\.com/x", ["1"]],
  [".metadata.annotations['example\\.com/x']", ["1"]],
  [".metadata.annotations['example.com/x']", []],
  [".metadata.annotations['plain']", ["2"]],
  [".metadata['name','missing']", ["a"]],
  [".spec.containers[0].name", ["one"]],
  [".spec.containers[-1].name", ["two"]],
  [".spec.containers[*].name", ["one", "two"]],
  [".spec.containers[0:1].name", ["one"]],
  [".spec.containers[0,1].name", ["one", "two"]],
  [".spec.containers[*].ports[*].port", [80, 81]],
  [".spec.containers[0].ports[0:2:2].port", [80]],
  ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
  [".status.conditions[?(@.type == 'Synced')].status", ["False"]],
  [".status.conditions[?(@.count>3)].type", ["Synced"]],
  [".status.conditions[?(@.count<=3)].type", ["Ready"]],
  ['.status.conditions[?(@.type!="Ready")].type', ["Synced"]],
  [".status.conditions[?(@.missing)].type", []],
  [".status.conditions[?(@.status)].type", ["Ready", "Synced"]],
  ["..port", [80, 81]],
  [".metadata.annotations.*", ["1", "2"]],
];

for (const [path, expected] of cases) {
  test(`${path} finds ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(findJsonPath(pod, parseJsonPath(path)), expected);
  });
}

test("a path that cannot be read says what to write instead", () => {
  const messages: readonly (readonly [path: string, message: RegExp])[] = [
    [".spec[0", /invalid JSONPath "\.spec\[0": a bracket is not closed; add \]/],
    [".spec[x]", /\[x\] is no index; write \[0\]/],
    [".spec[?(@.a]", /a filter is not closed/],
    [".spec[?(@.a=~'x')]", /invalid JSONPath/],
    [".spec[?(@.a==nothing)]", /neither a path, a number nor a quoted text/],
    ["spec", /"spec" is no step; write \.field/],
    ["....a", /two descents/],
  ];
  for (const [path, message] of messages) {
    assert.throws(
      () => parseJsonPath(path),
      (error) => isMalformed(error) && message.test(error.message),
      path,
    );
  }
});

test("what cannot be is refused, what is not there is not", () => {
  for (const path of [".metadata[0]", ".spec.containers[5]", ".metadata[?(@.a)]", ".status.conditions[?(@.type>3)]"]) {
    assert.throws(() => findJsonPath(pod, parseJsonPath(path)), isMalformed, path);
  }
});

test("keys of the prototype are not there", () => {
  assert.deepEqual(findJsonPath({}, parseJsonPath(".constructor.name")), []);
  assert.deepEqual(findJsonPath(JSON.parse('{"__proto__":{"a":1}}'), parseJsonPath(".__proto__.a")), [1]);
});

test("paths that would visit everything again and again are refused in bounded time", () => {
  let deep: Json = { a: 1 };
  for (let level = 0; level < 300; level++) deep = { a: deep, b: [1, 2, 3] };
  assert.throws(() => findJsonPath(deep, parseJsonPath("..*..*..*..*")), isMalformed);
});
