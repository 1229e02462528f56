import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kubewright/core/meta";
import type { TrackOptions } from "@kubewright/core/patch";
import { DeferredOwners } from "./deferred-owners.ts";

const text = { type: "string" } as const;
const schema = { type: "object", properties: { spec: { type: "object", additionalProperties: text } } } as const;
const thing = (spec: JsonObject): JsonObject => ({ apiVersion: "v1", kind: "Thing", metadata: { uid: "u" }, spec });

/** Writes in a row by one manager each, who sets a field of its own; `asked` notes whose were looked at. */
function chain(managers: readonly string[], asked: string[]): DeferredOwners {
  let owners: DeferredOwners | undefined;
  let spec: JsonObject = {};
  managers.forEach((manager, index) => {
    const before = index === 0 ? undefined : thing(spec);
    spec = { ...spec, [manager]: `set by write ${index}` };
    const after = thing(spec);
    const now = new Date(index * 1000).toISOString().replace(".000", "");
    const write = (): TrackOptions => {
      asked.push(manager);
      return { apiVersion: "v1", manager, schema, now, before, after };
    };
    owners = new DeferredOwners(owners, write);
  });
  assert.ok(owners !== undefined);
  return owners;
}

const managersOf = ({ managedFields = [] }: DeferredOwners): unknown[] => managedFields.map(({ manager }) => manager);

test("owners are worked out when they are asked for, once", () => {
  const asked: string[] = [];
  const owners = chain(["a", "b", "c"], asked);
  assert.deepEqual(asked, []);
  assert.deepEqual(managersOf(owners), ["a", "b", "c"]);
  void owners.managedFields;
  assert.deepEqual(asked.toSorted(), ["a", "b", "c"]);
});

test("not more than a few writes wait to be looked at", () => {
  const asked: string[] = [];
  const owners = chain(
    Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? "even" : "odd")),
    asked,
  );
  assert.ok(asked.length > 80, `${asked.length} of 100 were looked at`);
  assert.deepEqual(managersOf(owners), ["even", "odd"]);
});
