import assert from "node:assert/strict";
import { test } from "node:test";
import { deepFreeze } from "./deep.ts";
import { leanObject, showWhole } from "./lean-object.ts";

const lean = deepFreeze({ kind: "Pod", metadata: { name: "a", resourceVersion: "7" }, spec: { nodeName: "n" } });

test("managedFields of a shown object are worked out when they are read", () => {
  let reads = 0;
  const shown = showWhole(lean, {
    get managedFields() {
      reads += 1;
      return [{ manager: "me" }];
    },
  });
  assert.equal(reads, 0);
  assert.equal(
    JSON.stringify(shown),
    '{"kind":"Pod","metadata":{"name":"a","resourceVersion":"7","managedFields":[{"manager":"me"}]},"spec":{"nodeName":"n"}}',
  );
  assert.equal(reads, 1);
  assert.ok(Object.isFrozen(shown) && Object.isFrozen(shown["metadata"]));
});

test("a shown object leads back to the lean one, any other object to none", () => {
  assert.equal(leanObject(showWhole(lean, { managedFields: undefined })), lean);
  assert.equal(leanObject(lean), undefined);
});
