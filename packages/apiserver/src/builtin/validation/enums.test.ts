/** Values of enumerations are checked in every object, whatever was right in the one before. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { JsonObject } from "@kubewright/core/meta";
import { loadKindTables } from "../kind-tables.ts";
import { validateEnums } from "./enums.ts";

before(() => loadKindTables());

function pod(spec: JsonObject): Parameters<typeof validateEnums>[0] {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
}

test("a wrong value is found after objects that were right and have the rest in common", () => {
  const containers = [{ name: "a", imagePullPolicy: "Always" }];
  assert.deepEqual(validateEnums(pod({ containers, restartPolicy: "Never" })), []);
  assert.deepEqual(validateEnums(pod({ containers, restartPolicy: "Never" })), []);
  const [policy] = validateEnums(pod({ containers, restartPolicy: "Sometimes" }));
  assert.equal(policy?.field, "spec.restartPolicy");
  const wrong = [{ name: "a", imagePullPolicy: "Sometimes" }];
  for (const again of [1, 2]) {
    const [pull] = validateEnums(pod({ containers: wrong, restartPolicy: "Never" }));
    assert.equal(pull?.field, "spec.containers[0].imagePullPolicy", `attempt ${again}`);
  }
});
