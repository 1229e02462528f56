import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import * as mini from "zod/mini";
import { defineResource } from "./define-resource.ts";
import {
  condition,
  duration,
  embeddedResource,
  type IntOrString,
  int64,
  intOrString,
  preserveUnknown,
  quantity,
  time,
} from "./fields.ts";
import { listMap, listSet } from "./marks.ts";
import { cel } from "./rules.ts";
import type { SchemaSource } from "./schema-source.ts";

function specOf(spec: SchemaSource) {
  return defineResource({ group: "example.com", version: "v1", kind: "Sample", spec }).schema.properties?.["spec"];
}

test("fields stand inside zod's objects, lists, records and optionals", () => {
  const schema = z.object({
    plain: quantity(),
    optional: z.optional(quantity()),
    own: quantity().optional(),
    list: z.array(intOrString()),
    record: z.record(z.string(), quantity()),
  });
  type Output = z.output<typeof schema>;
  const output: Output = { plain: "1Gi", list: [80, "http"], record: { cpu: 2 } };
  assert.deepEqual(schema.parse(output), output);
  assert.deepEqual(specOf(schema)?.required, ["list", "plain", "record"]);
});

test("a default is filled in and makes the field optional for writers", () => {
  const schema = z.object({ timeout: duration().default("30s") });
  const input: z.input<typeof schema> = {};
  const output: z.output<typeof schema> = schema.parse(input);
  assert.deepEqual(output, { timeout: "30s" });
  assert.deepEqual(specOf(schema)?.properties?.["timeout"], { default: "30s", type: "string", format: "duration" });
});

test("a field is described, extended and ruled like a zod schema", () => {
  const port = intOrString().describe("Where it listens.").meta({ maximum: 65535 }).check(cel("self != 0")).nullable();
  assert.deepEqual(specOf(z.object({ port }))?.properties?.["port"], {
    description: "Where it listens.",
    nullable: true,
    maximum: 65535,
    anyOf: [{ type: "integer" }, { type: "string" }],
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-validations": [{ rule: "self != 0" }],
  });
});

const accepted: Readonly<Record<string, readonly [field: SchemaSource & Validating, good: unknown, bad: unknown]>> = {
  intOrString: [intOrString(), "25%", 1.5],
  quantity: [quantity(), "1.5Gi", "1.5 Gi"],
  int64: [int64(), 2n ** 60n, "1"],
  duration: [duration(), "1h30m", "1 hour"],
  time: [time(), "2030-01-02T15:04:05Z", "tomorrow"],
  embeddedResource: [embeddedResource(), { kind: "Pod" }, "Pod"],
  condition: [condition(), {}, []],
  "a list of fields": [quantity().array(), ["1"], ["x"]],
};

interface Validating {
  readonly "~standard": { readonly validate: (value: unknown) => { readonly issues?: readonly object[] | undefined } };
}

for (const [name, [field, good, bad]] of Object.entries(accepted)) {
  test(`${name} accepts what is right and refuses what is wrong`, () => {
    assert.equal(field["~standard"].validate(good).issues, undefined);
    assert.equal(field["~standard"].validate(bad).issues?.length, 1);
    assert.equal(z.object({ value: field as never }).safeParse({ value: bad }).success, false);
  });
}

test("keys of a keyed list are checked by the compiler", () => {
  const Job = z.object({ name: z.string(), size: z.int32().optional() });
  const jobs = listMap(Job, "name").min(1);
  // @ts-expect-error there is no field "title"
  listMap(Job, "title");
  assert.deepEqual(specOf(z.object({ jobs }))?.properties?.["jobs"], {
    type: "array",
    minItems: 1,
    items: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, size: { type: "integer", format: "int32" } },
    },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  });
});

test("lists of fields can be sets", () => {
  const schema = z.object({ ports: listSet(int64()) });
  const output: z.output<typeof schema> = { ports: [1, 2n] };
  assert.equal(output.ports.length, 2);
  assert.equal(specOf(schema)?.properties?.["ports"]?.["x-kubernetes-list-type"], "set");
});

test("schemas of zod/mini come in as JSON Schema", () => {
  const schema = mini.object({
    name: mini.string().check(mini.minLength(1), cel("self != 'x'")),
    memory: mini.optional(quantity()),
  });
  assert.throws(() => specOf(schema as never), /spec does not speak Standard JSON Schema; with zod\/mini pass/);
  assert.deepEqual(specOf(mini.toJSONSchema(schema)), {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, "x-kubernetes-validations": [{ rule: "self != 'x'" }] },
      memory: specOf(z.object({ memory: quantity() }))?.properties?.["memory"],
    },
  });
});

test("any library that speaks Standard JSON Schema works", () => {
  const source: SchemaSource<{ size: number }, { size?: number }> = {
    "~standard": {
      vendor: "another",
      jsonSchema: {
        input: () => ({
          type: "object",
          properties: {
            size: { type: "integer", minimum: 0, default: 1 },
            rest: { anyOf: [{ type: "string" }, { type: "null" }] },
          },
          additionalProperties: false,
        }),
      },
    },
  };
  const Sample = defineResource({ group: "example.com", version: "v1", kind: "Sample", spec: source });
  const size: number = ({} as NonNullable<(typeof Sample)["~types"]>["kind"]).spec?.size;
  assert.equal(size, undefined);
  assert.deepEqual(Sample.schema.properties?.["spec"], {
    type: "object",
    properties: { size: { default: 1, type: "integer", minimum: 0 }, rest: { type: "string", nullable: true } },
  });
});

test("the whole spec can be left open", () => {
  assert.deepEqual(specOf(preserveUnknown<{ replicas: IntOrString }>()), {
    "x-kubernetes-preserve-unknown-fields": true,
  });
});
