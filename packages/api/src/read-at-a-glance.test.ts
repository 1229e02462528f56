/** Reading at a glance against the check that takes its time: on the goldens, and on goldens with one wrong value. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  groupVersionKindOf,
  isJsonArray,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
  ownJson,
  parseJson,
} from "@kubewright/core/meta";
import { unknownFieldsOf } from "./check-object.ts";
import { formsOf } from "./zero-values.ts";

const goldens = parseJson(readFileSync(new URL("testdata/goldens.json", import.meta.url))) as unknown as {
  readonly input: JsonObject;
}[];

const OTHER_VALUES: readonly Json[] = ["", "x", 0, 1.5, 2 ** 40, 2n ** 70n, true, [], [""], {}, { x: 1 }, [{}]];

/** The value with one place changed, once for each place and each other value. */
function* changed(value: Json): Generator<Json> {
  yield* OTHER_VALUES;
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) for (const other of changed(item)) yield value.with(index, other);
  } else if (isJsonObject(value)) {
    yield { ...value, unheardOf: 1 };
    for (const key of Object.keys(value)) {
      if (key === "apiVersion" || key === "kind") continue;
      for (const other of changed(value[key] ?? null)) yield { ...value, [key]: other };
    }
  }
}

/** Whether the check has nothing against the object. */
function isRight(object: JsonObject): boolean {
  try {
    return unknownFieldsOf(groupVersionKindOf(object), object).length === 0;
  } catch (error) {
    if (isMalformed(error)) return false;
    throw error;
  }
}

for (const { input } of goldens) {
  const kind = groupVersionKindOf(input);
  const { read: readAtAGlance, withoutNil } = formsOf(kind);
  test(`${kind.version} ${kind.kind} is read at a glance only when it is right`, () => {
    for (const object of changed(input)) {
      if (!isJsonObject(object) || object["kind"] === undefined) continue;
      const read = readAtAGlance(object);
      if (read === undefined) continue;
      assert.ok(
        isRight(object),
        JSON.stringify(object, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
      );
      assert.deepEqual(read, withoutNil(object));
    }
  });
}

/** Values that JSON does not have, or spells in another way. */
const NO_JSON: readonly unknown[] = [undefined, Number.NaN, 7n, new Date(0), () => {}, { a: undefined }, [undefined]];

/** The value with one place changed to what is no JSON, once for each place and each such value. */
function* strange(value: Json): Generator<unknown> {
  yield* NO_JSON;
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const other of strange(item)) yield value.with(index, other as Json);
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      for (const other of strange(value[key] ?? null)) yield { ...value, [key]: other };
    }
  }
}

for (const { input } of goldens) {
  const kind = groupVersionKindOf(input);
  const { read, readGiven } = formsOf(kind);
  test(`${kind.version} ${kind.kind} that is given away is read as JSON of it would be, or not at all`, () => {
    for (const object of [...changed(input), ...strange(input)]) {
      if (!isJsonObject(object)) continue;
      const given = readGiven(object);
      if (given === undefined) continue;
      assert.deepEqual(given, read(ownJson(object, { depthMax: 500, charactersMax: 1e6 }) as JsonObject));
    }
  });
}

test("what is right is read at a glance", () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "b", image: "c" }] },
  };
  const { read, withoutNil } = formsOf(groupVersionKindOf(pod));
  const known = read(pod);
  assert.deepEqual(known, withoutNil(pod));
  assert.equal(read({ ...pod, spec: { ...pod.spec } }, known), known);
});
