import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../meta/json.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { managedFieldsOf, withManagedFields } from "./object-managed-fields.ts";
import { type TrackOptions, trackFieldOwnership } from "./track-ownership.ts";
import { trackWrites } from "./track-writes.ts";

const text = { type: "string" } as const;
const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        image: text,
        size: { type: "integer" },
        args: { type: "array", items: text },
        labels: { type: "object", additionalProperties: text },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
          items: { type: "object", properties: { port: { type: "integer" }, name: text } },
        },
      },
    },
    status: { type: "object", properties: { phase: text, ready: { type: "integer" } } },
  },
};
const apiVersion = "example.com/v1";

type Entries = readonly JsonObject[] | undefined;

/** A chain of writes: each begins with what the one before it made. */
function writesOf(steps: readonly { manager: string; subresource?: string; change: JsonObject }[]): TrackOptions[] {
  let object: JsonObject | undefined;
  return steps.map(({ manager, subresource = "", change }, index) => {
    const before = object;
    const metadata = { name: "a", uid: "u", resourceVersion: String(index) };
    object = { ...(before ?? { apiVersion, kind: "Thing" }), metadata, ...change };
    const now = new Date(index * 1000).toISOString().replace(".000", "");
    const resetFields = [[subresource === "" ? "status" : "spec"]];
    return { apiVersion, manager, schema, now, subresource, resetFields, before, after: object };
  });
}

function oneByOne(writes: readonly TrackOptions[]): Entries {
  let entries: Entries;
  for (const write of writes) {
    const before = write.before && withManagedFields(write.before, entries);
    entries = managedFieldsOf(trackFieldOwnership({ ...write, before })) as Entries;
  }
  return entries;
}

/** A generator of pseudo-random whole numbers below a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function randomSpec(below: (limit: number) => number): JsonObject {
  const some = (name: string, value: Json): JsonObject => (below(3) === 0 ? {} : { [name]: value });
  const ports = [80, 81, 82].filter(() => below(2) === 0).map((port) => ({ port, name: `n${below(2)}` }));
  return {
    ...some("image", `i${below(3)}`),
    ...some("size", below(3)),
    ...some("args", ["x", `a${below(2)}`]),
    ...some("labels", { a: `${below(2)}`, ...(below(2) === 0 ? {} : { b: "b" }) }),
    ...some("ports", ports),
  };
}

test("writes that are told at once leave the owners that they leave one by one", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const below = numbers(seed);
    const steps = Array.from({ length: 2 + below(20) }, () => {
      const manager = below(4) === 0 ? "second" : "first";
      if (below(2) === 0) return { manager, change: { spec: randomSpec(below) } };
      return { manager, subresource: "status", change: { status: { phase: `p${below(2)}`, ready: below(2) } } };
    });
    const writes = writesOf(steps);
    assert.deepEqual(trackWrites(undefined, writes), oneByOne(writes), `seed ${seed}`);
  }
});

test("a field that one manager set and another set back belongs to the other, though it looks unchanged", () => {
  const spec = (image: string): JsonObject => ({ spec: { image, size: 1 } });
  const writes = writesOf([
    { manager: "first", change: spec("a") },
    { manager: "second", change: spec("b") },
    { manager: "second", change: spec("a") },
  ]);
  const owners = new Map((trackWrites(undefined, writes) ?? []).map((entry) => [entry["manager"], entry["fieldsV1"]]));
  assert.deepEqual(owners.get("second"), { "f:spec": { "f:image": {} } });
  assert.deepEqual(owners.get("first"), { "f:spec": { ".": {}, "f:size": {} } });
});

test("an object that does not fit its schema ends the tracking, as it does one by one", () => {
  const steps = [{ size: 1 }, { size: 2 }, { size: "large" }, { size: 3 }];
  const writes = writesOf(steps.map((spec) => ({ manager: "first", change: { spec } })));
  assert.deepEqual(trackWrites(undefined, writes), oneByOne(writes));
});
