/** What expressions evaluate to, compared with cel-go in Kubernetes' environment (tools/schema-oracle). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Json } from "../../meta/json.ts";
import { formatFloat } from "../../protocol/go-format.ts";
import type { StructuralSchema } from "../../schema/structural.ts";
import { dynType, formatType } from "./cel-type.ts";
import { compileExpression } from "./compile.ts";
import { schemaType } from "./schema-types.ts";
import { schemaValue } from "./schema-values.ts";
import { schemaSizes } from "./static-cost/schema-sizes.ts";
import { formatTimestamp } from "./time.ts";
import { isKind, itemsOf, typeNameOf, type Value } from "./values.ts";

interface GoldenExpression {
  readonly expr: string;
  readonly expected: {
    readonly value?: string;
    readonly error?: string;
    readonly type?: string;
    /** The most that it can cost. */
    readonly estimate?: number;
    readonly compileErrors?: readonly string[];
  };
}

const { schema, object, cases } = JSON.parse(
  readFileSync(new URL("../testdata/cel-cases.json", import.meta.url), "utf8"),
) as { readonly schema: StructuralSchema; readonly object: Json; readonly cases: readonly GoldenExpression[] };

const self = schemaValue(object, schema);
const sizes = schemaSizes(schema, false);
const variables = new Map([["self", schemaType(schema, "selfType", false) ?? dynType]]);

for (const { expr, expected } of cases) {
  test(`cel-go agrees on: ${expr}`, () => {
    const compiled = compileExpression(expr, { variables, ...(sizes && { sizes }) });
    if (compiled.program === undefined) {
      assert.equal(compiled.problem, expected.compileErrors?.[0]);
      return;
    }
    assert.deepEqual(expected.compileErrors, undefined, "cel-go refuses it");
    const outcome = compiled.program.evaluate((name) => (name === "self" ? self : undefined));
    assert.equal(outcome.kind === "value" ? show(outcome.value) : outcome.message, expected.value ?? expected.error);
    assert.equal(compiled.program.costMax, expected.estimate ?? 0);
    if (expected.type !== undefined) assert.equal(formatType(compiled.program.type), wireName(expected.type));
  });
}

function wireName(type: string): string {
  return type.replace("google.protobuf.Timestamp", "timestamp").replace("google.protobuf.Duration", "duration");
}

/** As the oracle shows values. */
function show(value: Value): string {
  if (value === null) return "null_type(NULL_VALUE)";
  if (isKind(value, "list")) return `[${itemsOf(value).map(show).join(", ")}]`;
  if (isKind(value, "map")) {
    const entries = value.keys().map((key) => `${show(key)}: ${show(value.get(key) ?? null)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  if (isKind(value, "optional"))
    return value.value === undefined ? "optional.none()" : `optional.of(${show(value.value)})`;
  return `${typeNameOf(value)}(${showScalar(value)})`;
}

function showScalar(value: Exclude<Value, null>): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return formatFloat(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (isKind(value, "uint")) return String(value.value);
  if (isKind(value, "timestamp")) return formatTimestamp(value);
  if (isKind(value, "duration")) return goDuration(Number(value.nanoseconds / 1_000_000_000n));
  if (isKind(value, "type")) return JSON.stringify(value.name);
  return isKind(value, "opaque") ? value.text : String(value);
}

function goDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours}h${minutes}m${seconds % 60}s`;
}
