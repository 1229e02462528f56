import assert from "node:assert/strict";
import { test } from "node:test";
import { readableChange } from "./readable.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

test("a change of a Secret tells which entries change, and none of its values", () => {
  const secret = (data: Record<string, string>) => ({
    kind: "Secret",
    metadata: { name: "a", annotations: { [LAST_APPLIED]: JSON.stringify({ data }) } },
    data,
  });
  const lines = readableChange(secret({ kept: "aGk=", password: "b2xk" }), secret({ kept: "aGk=", password: "bmV3" }));
  assert.deepEqual(
    lines.map((line) => line.trim()),
    ['-   password: "*** (before)"', '+   password: "*** (after)"'],
  );
  assert.deepEqual(readableChange(secret({ kept: "aGk=" }), secret({ kept: "aGk=" })), []);
  const added = readableChange(secret({}), secret({ password: "bmV3" })).join("\n");
  assert.match(added, /password: "?\*\*\* \(after\)/);
  assert.doesNotMatch(added, /bmV3/);
});

test("a change of anything else shows its values", () => {
  const map = (foo: string) => ({ kind: "ConfigMap", metadata: { name: "a" }, data: { foo } });
  assert.deepEqual(
    readableChange(map("old"), map("new")).map((line) => line.trim()),
    ["-   foo: old", "+   foo: new"],
  );
});
