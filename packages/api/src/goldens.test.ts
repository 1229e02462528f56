/** The decoder and the zero values against objects as Go encodes them; `npm run generate` writes the goldens. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { groupVersionKindOf, type JsonObject, parseJson } from "@kubewright/core/meta";
import { decodeProtobuf } from "@kubewright/core/protocol";
import { protobufMessageOf } from "./protobuf.ts";
import { formsOf, withZeroValues } from "./zero-values.ts";

interface Golden {
  /** The object as somebody wrote it. */
  readonly input: JsonObject;
  /** Its JSON when Go has read it. */
  readonly json: JsonObject;
  /** Its protobuf, in base64. */
  readonly protobuf: string;
  /** The JSON of what Go reads from `protobuf`, where it is not `json`. */
  readonly decoded?: JsonObject;
}

const goldens = parseJson(readFileSync(new URL("testdata/goldens.json", import.meta.url))) as unknown as Golden[];

function asGoWrites(object: JsonObject): JsonObject {
  const { group, version, kind } = groupVersionKindOf(object);
  return withZeroValues({ group, version, kind }, object);
}

for (const { input, json, protobuf, decoded } of goldens) {
  const { apiVersion, kind, metadata } = input as { apiVersion: string; kind: string; metadata?: { name?: string } };
  const name = `${apiVersion} ${kind} ${metadata?.name ?? ""}`.trim();

  test(`${name} is read from protobuf as Go reads it`, () => {
    const object = decodeProtobuf(Buffer.from(protobuf, "base64"), protobufMessageOf);
    assert.deepEqual(asGoWrites(object), decoded ?? json);
  });

  test(`${name} is written as Go writes it`, () => {
    const written = asGoWrites(input);
    assert.deepEqual(written, json);
    assert.deepEqual(Object.keys(written), Object.keys(json));
    assert.deepEqual(asGoWrites(written), written);
  });

  test(`${name} is stored the same whether it is known to be settled or not`, () => {
    const kindOf = groupVersionKindOf(input);
    const settled = formsOf(kindOf).withoutNil(input);
    assert.deepEqual(formsOf(kindOf).asStored(settled, { given: settled }), formsOf(kindOf).asStored(settled));
  });
}

test("there are goldens to compare with", () => assert.ok(goldens.length >= 40));
