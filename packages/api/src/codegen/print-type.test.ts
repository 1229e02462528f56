import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructuralSchema } from "@kubewright/core/schema";
import { printType } from "./print-type.ts";

const cases: readonly (readonly [string, StructuralSchema, string])[] = [
  ["text", { type: "string" }, "string"],
  ["integers", { type: "integer", format: "int64" }, "number"],
  ["enums", { type: "string", enum: ["a", 'b"*/`'] }, '"a" | "b\\"*/`"'],
  ["lists of unions", { type: "array", items: { type: "string", enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
  [
    "lists of lists",
    { type: "array", items: { type: "array", items: { type: "string" } } },
    "readonly (readonly string[])[]",
  ],
  ["maps", { type: "object", additionalProperties: { type: "number" } }, "{ readonly [key: string]: number }"],
  ["int-or-string", { "x-kubernetes-int-or-string": true }, "number | string"],
  ["nullable values", { type: "string", nullable: true }, "string | null"],
  ["anything", { "x-kubernetes-preserve-unknown-fields": true }, "unknown"],
  [
    "objects",
    { type: "object", required: ["a"], properties: { a: { type: "string" }, "b-c": { type: "boolean" } } },
    '{\n  readonly a: string;\n  readonly "b-c"?: boolean;\n}',
  ],
];

for (const [name, schema, expected] of cases) {
  test(`prints ${name}`, () => assert.equal(printType(schema), expected));
}
