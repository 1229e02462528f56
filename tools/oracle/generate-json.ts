/** Random JSON patches and merge patches, valid and not. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { answerCase } from "./answer.ts";
import type { Dice } from "./dice.ts";
import { mutateJson, randomJson, randomList, randomObject } from "./generate-values.ts";
import type { OracleCase } from "./oracle-case.ts";

/** A JSON patch of a few operations, most of which point at something that is there. */
export function jsonPatchCase(dice: Dice): OracleCase {
  const document = dice.chance(0.9) ? randomObject(dice, 4) : randomList(dice, 3);
  const patch = randomOperations(dice, document);
  return { kind: "json-patch", document, patch: dice.chance(0.98) ? patch : randomJson(dice, 2) };
}

/** A merge patch made from the document itself or at random. */
export function mergePatchCase(dice: Dice): OracleCase {
  const document = randomObject(dice, 4);
  const patch = dice.chance(0.6) ? mutateJson(dice, document) : randomObject(dice, 4);
  const isPatch = isJsonObject(patch) && dice.chance(0.97);
  return { kind: "merge-patch", document, patch: isPatch ? patch : dice.pick([null, 1, "x", false]) };
}

/** Two versions of an object. */
export function createMergePatchCase(dice: Dice): OracleCase {
  const document = randomObject(dice, 4);
  const modified = dice.chance(0.8) ? mutateJson(dice, document) : randomObject(dice, 4);
  return { kind: "create-merge-patch", document, patch: isJsonObject(modified) ? modified : {} };
}

/**
 * Each operation is made for the document as the ones before it left it, so that most patches apply to the end. Only the
 * last one writes a bare null: later ones would find Go's answers to depend on how a null came about, ours do not.
 */
function randomOperations(dice: Dice, start: Json): JsonObject[] {
  let document = start;
  const length = 1 + dice.below(5);
  return Array.from({ length }, (_, index) => {
    const random = randomOperation(dice, document);
    const writesNull = random["value"] === null && random["op"] !== "test" && index < length - 1;
    const operation = writesNull ? { ...random, value: [] } : random;
    const { value } = answerCase({ kind: "json-patch", document, patch: [operation] });
    document = value ?? document;
    return operation;
  });
}

function randomOperation(dice: Dice, document: Json): JsonObject {
  const kinds = ["add", "add", "remove", "replace", "move", "copy", "test", "test"];
  const op = dice.chance(0.99) ? dice.pick(kinds) : "bad";
  const path = randomPointer(dice, document);
  const here = valueAt(document, path);
  const value = op === "test" && here !== undefined && dice.chance(0.95) ? here : randomJson(dice, 2);
  const needsFrom = op === "move" || op === "copy" || dice.chance(0.05);
  const operation = { op, path, ...(needsFrom ? { from: randomPointer(dice, document) } : { value }) };
  if (dice.chance(0.98)) return operation;
  return dice.pick([{ op }, { path }, { op, path: 1 }, { ...operation, path: null }] as JsonObject[]);
}

function randomPointer(dice: Dice, document: Json): string {
  const pointers = pointersOf(document, "");
  const pointer = dice.pick(pointers.length > 1 && dice.chance(0.97) ? pointers.slice(1) : pointers);
  if (dice.chance(0.85)) return pointer;
  const tail = ["/new", "/-", "/0", "/1", "/-1", "/01", "/+1", "/99", "/__proto__", "/", "x", "/a~1b", "/~2"];
  return pointer + dice.pick(tail);
}

function pointersOf(value: Json, prefix: string): string[] {
  const below = (key: string, child: Json): string[] => pointersOf(child, `${prefix}/${escapeSegment(key)}`);
  if (isJsonArray(value)) return [prefix, ...value.flatMap((item, index) => below(String(index), item))];
  if (!isJsonObject(value)) return [prefix];
  return [prefix, ...Object.entries(value).flatMap(([key, member]) => below(key, member as Json))];
}

function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const isContainer: boolean = isJsonObject(value) || isJsonArray(value);
    value = isContainer && Object.hasOwn(value as object, key) ? (value as JsonObject)[key] : undefined;
  }
  return value;
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
