import assert from "node:assert/strict";
import { test } from "node:test";
import { customPrinter } from "./custom-columns.ts";

test("columns end before the first whose path cannot be read, as in kube-apiserver", () => {
  const { columns, print } = customPrinter([
    { name: "A", type: "string", jsonPath: ".metadata.name" },
    { name: "Bad", type: "string", jsonPath: ".spec[x]" },
    { name: "C", type: "string", jsonPath: ".metadata.uid" },
  ]);
  assert.deepEqual(
    columns.map(({ name }) => name),
    ["Name", "A"],
  );
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "x", uid: "u" } };
  assert.deepEqual(print(object, { nowMs: 0 }).cells, ["x", "x"]);
});
