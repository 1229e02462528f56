/** What zod can say and Kubernetes cannot is refused when the resource is defined, with the path and a remedy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import { exactlyOneOf, format } from "./marks.ts";
import type { SchemaSource } from "./schema-source.ts";

function define(spec: SchemaSource) {
  return defineResource({ group: "example.com", version: "v1", kind: "Sample", spec });
}

function field(schema: z.ZodType) {
  return define(z.object({ field: schema })).schema.properties?.["spec"]?.properties?.["field"];
}

interface Category {
  children: Category[];
}
const Category: z.ZodType<Category> = z.object({
  get children() {
    return z.array(Category);
  },
});

const refused: Readonly<Record<string, readonly [schema: z.ZodType, message: RegExp]>> = {
  "a transform": [z.string().transform(Number), /spec\.field: transforms, codecs and preprocessing are code/],
  "a refinement": [z.string().refine((text) => text !== "x"), /spec\.field: refine\(\) .* \.check\(cel\(…\)\)/],
  "a change of the value": [z.string().trim(), /spec\.field: trim\(\).*\.regex/],
  coercion: [z.coerce.number(), /spec\.field: coercion/],
  "a tuple": [z.tuple([z.string(), z.int()]), /spec\.field: a tuple .* z\.object/],
  "a date": [z.date(), /spec\.field: a Date .* time\(\)/],
  "a map": [z.map(z.string(), z.string()), /spec\.field: a Map .* z\.record/],
  "a set": [z.set(z.string()), /spec\.field: a Set .* listSet/],
  "a bigint": [z.bigint().max(2n ** 70n), /spec\.field: a bigint .* int64\(\)/],
  "a 64-bit bigint": [z.int64(), /spec\.field: a bigint .* int64\(\)/],
  "a fallback for bad values": [z.string().catch("x"), /spec\.field: .* \.default\(\)/],
  "code of the user's": [z.custom<string>(() => true), /spec\.field: .* cel\(\) rule/],
  "a recursive schema": [Category, /spec\.field\.children\[\]: a schema that contains itself .* preserveUnknown\(\)/],
  "a mixed union": [z.union([z.boolean(), z.string()]), /spec\.field: a union of different types .* exactlyOneOf/],
  "a union of objects without a tag": [
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    /spec\.field: objects of a union .*\(z\.discriminatedUnion\)/,
  ],
  "lookaround in a pattern": [z.string().regex(/^(?!x)/), /spec\.field: pattern .* lookaround: API servers use RE2/],
  "a backreference in a pattern": [z.string().regex(/(a)\1/), /spec\.field: pattern .* backreference/],
  "flags of a pattern": [z.string().regex(/a/i), /spec\.field: pattern \/a\/i has flags/],
  "a property of Unicode that RE2 lacks": [z.string().regex(/^\p{Emoji}$/u), /spec\.field: pattern .* uses \\p/],
  "an ISO duration": [z.iso.duration(), /spec\.field: ISO 8601 durations .* duration\(\)/],
  "a format that is code": [z.jwt(), /spec\.field: format jwt/],
  "constrained keys": [z.record(z.string().max(3), z.string()), /spec\.field: keys of a record .* cel\("self\.all/],
  "keys out of an enum": [z.record(z.enum(["a", "b"]), z.string()), /spec\.field: keys of a record .* z\.object/],
  "named fields with a catchall": [
    z.object({ a: z.string() }).catchall(z.int()),
    /spec\.field: named fields and a catchall/,
  ],
  "an enum of several types": [z.literal(["a", 1]), /spec\.field: /],
  "an enum with null": [z.enum(["a", "b"]).nullable(), /spec\.field: API servers never find null .* \.optional\(\)/],
  "a URL with a fixed protocol": [z.httpUrl(), /spec\.field: hostname and protocol/],
  "integer or string out of an enum": [z.union([z.literal(80), z.string()]), /spec\.field: integer \| string may only/],
  "a default inside a union": [
    z.union([z.string().default("x"), z.string().min(2)]),
    /spec\.field: default stands on one member/,
  ],
  "a field with two schemas": [
    z.intersection(z.object({ a: z.string() }).describe("x"), z.object({ a: z.int32() })),
    /spec\.field\.a: intersected objects give this field two schemas/,
  ],
  "a value that can never be": [z.never(), /spec\.field: a value that can never be there/],
  "a rule about a field that is not there": [
    z.object({ a: z.string().optional() }).check(exactlyOneOf("a", "b")),
    /spec\.field: a rule speaks of b, but there is no such field/,
  ],
  "a rule about a field without a type": [
    z.object({ a: z.string().optional(), b: z.unknown().optional() }).check(exactlyOneOf("a", "b")),
    /spec\.field\.b: rules cannot see a field without a type .* z\.looseObject/,
  ],
  "an unknown Kubernetes keyword": [z.string().meta({ "x-kubernetes-magic": true }), /spec\.field: x-kubernetes-magic/],
};

for (const [what, [schema, message]] of Object.entries(refused)) {
  test(`${what} is refused`, () => {
    assert.throws(() => field(schema), message);
    assert.throws(() => field(schema), /^TypeError: cannot define Sample \(example\.com\/v1\): /);
  });
}

test("all problems of a definition are told at once", () => {
  assert.throws(
    () => define(z.object({ a: z.date(), b: z.array(z.object({ c: z.string().trim() })) })),
    /spec\.a: .*\n {2}spec\.b\[\]\.c: /,
  );
});

test("a spec that is not an object is refused", () => {
  assert.throws(() => define(z.string()), /spec: must be an object/);
});

test("a user's pattern stays beside a format", () => {
  assert.deepEqual(field(z.string().regex(/^a/).check(format("email"))), {
    type: "string",
    format: "email",
    pattern: "^a",
  });
});

test("several divisors must all divide", () => {
  assert.deepEqual(field(z.number().multipleOf(2).multipleOf(3)), {
    type: "number",
    multipleOf: 2,
    allOf: [{ multipleOf: 3 }],
  });
});

test("a UUID of one version is told by format or pattern", () => {
  assert.deepEqual(field(z.uuidv4()), { type: "string", format: "uuid4" });
  assert.match(field(z.uuidv7())?.pattern ?? "", /-7/);
});

test("several patterns must all match", () => {
  assert.deepEqual(field(z.string().regex(/^a/).regex(/z$/)), {
    type: "string",
    allOf: [{ pattern: "^a" }, { pattern: "z$" }],
  });
});

test("escapes of JavaScript are written as RE2 knows them", () => {
  assert.deepEqual(field(z.string().regex(/^\u00e9$/u)), { type: "string", pattern: "^\\x{00e9}$" });
});

test("a union of integer and string is int-or-string", () => {
  assert.deepEqual(field(z.union([z.int32().min(1), z.string().max(5)])), {
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    minimum: 1,
    maxLength: 5,
  });
});

test("null in a union makes the rest nullable", () => {
  assert.deepEqual(field(z.union([z.string(), z.null()])), { type: "string", nullable: true });
});

test("literals of a union join to one enum", () => {
  assert.deepEqual(field(z.union([z.literal("a"), z.enum(["b", "c"])])), { type: "string", enum: ["a", "b", "c"] });
});

test("an exclusive union stays exclusive", () => {
  assert.deepEqual(field(z.xor([z.string().min(2), z.string().regex(/^a/)])), {
    type: "string",
    oneOf: [{ minLength: 2 }, { pattern: "^a" }],
  });
});

test("a union inside a union keeps what is said about it", () => {
  const inner = z.union([z.literal("a"), z.literal("b")]);
  assert.deepEqual(field(z.union([inner, z.literal("c")])), { type: "string", enum: ["a", "b", "c"] });
  const nullable = z.union([z.string().min(3), z.string().regex(/^x/)]).nullable();
  assert.equal(field(z.union([nullable, z.string().max(1)]))?.nullable, true);
});

test("tagged unions can be nested", () => {
  const inner = z.discriminatedUnion("type", [
    z.object({ type: z.literal("a"), one: z.string() }),
    z.object({ type: z.literal("b"), two: z.string() }),
  ]);
  const schema = field(z.discriminatedUnion("type", [inner, z.object({ type: z.literal("c"), three: z.string() })]));
  assert.deepEqual(schema?.properties?.["type"]?.enum, ["a", "b", "c"]);
  assert.deepEqual(Object.keys(schema?.properties ?? {}), ["type", "one", "two", "three"]);
});

test("intersected objects become one", () => {
  const schema = field(z.intersection(z.object({ a: z.string() }), z.object({ b: z.int32().optional() })));
  assert.deepEqual(schema, {
    type: "object",
    required: ["a"],
    properties: { a: { type: "string" }, b: { type: "integer", format: "int32" } },
  });
});

test("schemas with an id are written out in place", () => {
  const Shared = z.object({ name: z.string() }).meta({ id: "refusals-test-shared" });
  const schema = define(z.object({ one: Shared, two: Shared.optional() })).schema.properties?.["spec"];
  assert.deepEqual(schema?.properties?.["one"], schema?.properties?.["two"]);
  assert.deepEqual(schema?.properties?.["one"]?.properties, { name: { type: "string" } });
});

test("a tagged union becomes one object with a rule per variant", () => {
  const schema = field(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("Git"), url: z.string(), depth: z.int32().optional() }),
      z.object({ type: z.literal("Image"), image: z.string() }),
    ]),
  );
  assert.deepEqual(schema, {
    type: "object",
    required: ["type"],
    properties: {
      type: { type: "string", enum: ["Git", "Image"] },
      url: { type: "string" },
      depth: { type: "integer", format: "int32" },
      image: { type: "string" },
    },
    "x-kubernetes-validations": [
      { rule: '!(self.type in ["Git"]) || has(self.url)', message: 'url is required when type is "Git"' },
      { rule: '!(self.type in ["Git"]) || !has(self.image)', message: 'image may not be set when type is "Git"' },
      { rule: '!(self.type in ["Image"]) || !has(self.url)', message: 'url may not be set when type is "Image"' },
      { rule: '!(self.type in ["Image"]) || !has(self.depth)', message: 'depth may not be set when type is "Image"' },
      { rule: '!(self.type in ["Image"]) || has(self.image)', message: 'image is required when type is "Image"' },
    ],
  });
});
