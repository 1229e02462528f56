/**
 * JSON patch (RFC 6902) as kube-apiserver applies it. Input: a document and the parsed patch; output: the new document,
 * sharing every untouched part, or the API error that the server answers.
 *
 * Where the server's library departs from the RFC, so does this file: "replace" of an absent object key adds it, "copy"
 * of an absent key writes null, negative list indices count from the end, and a pointer's text before the first slash is
 * ignored. Where that library panics (a "test" over lists that hold nulls, writing through a null that was copied, replacing
 * the root without a value) or depends on how a null came about, this file compares values and answers as the RFC would.
 */

import { deepEqual } from "../meta/deep.ts";
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject, setKey } from "../meta/json.ts";
import { apiError } from "../protocol/status.ts";
import { copyJson, jsonByteLength } from "./json-copy.ts";
import {
  createDraft,
  findSlot,
  type JsonDraft,
  listIndex,
  readSlot,
  type Slot,
  writableContainer,
} from "./json-draft.ts";
import { badPatch, patchDoesNotApply } from "./patch-error.ts";

const operationsMax = 10_000;
const copiedBytesMax = 3 * 1024 * 1024;

interface PatchRun extends JsonDraft {
  copiedBytes: number;
}

/**
 * Applies a parsed JSON patch. Throws an `ApiError`: 400 for what is no list of operations, 413 for more than 10 000 of
 * them, 422 when one does not apply.
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  const run: PatchRun = { ...createDraft(document), copiedBytes: 0 };
  if (!isContainer(document)) throw patchDoesNotApply("the document is neither an object nor a list");
  for (const operation of decodeOperations(patch)) applyOperation(run, operation);
  return run.root;
}

function decodeOperations(patch: Json): readonly JsonObject[] {
  if (patch === null) return [];
  if (!isJsonArray(patch) || !patch.every(isJsonObject)) {
    throw badPatch("error decoding patch: a JSON patch is a list of operations, each an object");
  }
  if (patch.length > operationsMax) {
    const text = `The allowed maximum operations in a JSON patch is ${operationsMax}, got ${patch.length}`;
    throw apiError(413, "RequestEntityTooLarge", `Request entity too large: ${text}`);
  }
  return patch;
}

function applyOperation(run: PatchRun, operation: JsonObject): void {
  switch (getKey(operation, "op")) {
    case "add":
      addAt(run, textOf(operation, "path"), getKey(operation, "value") ?? null);
      break;
    case "remove":
      removeAt(run, textOf(operation, "path"));
      break;
    case "replace":
      replaceAt(run, textOf(operation, "path"), getKey(operation, "value") ?? null);
      break;
    case "move":
      move(run, operation);
      break;
    case "copy":
      copy(run, operation);
      break;
    case "test":
      test(run, operation);
      break;
    default:
      throw patchDoesNotApply(`unexpected kind of operation: ${JSON.stringify(getKey(operation, "op") ?? null)}`);
  }
}

function addAt(run: PatchRun, pointer: string, value: Json): void {
  const { container, key } = requireSlot(run, pointer, "add");
  if (!isJsonArray(container)) {
    writeObjectKey(run, pointer, value);
    return;
  }
  const index = key === "-" ? container.length : listIndex(container, key, container.length + 1);
  if (Number.isNaN(index)) throw invalidIndex("add", pointer);
  (writableContainer(run, pointer) as Json[]).splice(index, 0, value);
}

function removeAt(run: PatchRun, pointer: string): void {
  const { container, key } = requireSlot(run, pointer, "remove");
  if (isJsonArray(container)) {
    const index = listIndex(container, key);
    if (Number.isNaN(index)) throw invalidIndex("remove", pointer);
    (writableContainer(run, pointer) as Json[]).splice(index, 1);
    return;
  }
  if (!isJsonObject(container) || !Object.hasOwn(container, key)) {
    throw patchDoesNotApply(`remove operation does not apply: nothing is at ${JSON.stringify(pointer)}`);
  }
  delete (writableContainer(run, pointer) as Record<string, Json>)[key];
}

function replaceAt(run: PatchRun, pointer: string, value: Json): void {
  if (pointer === "") {
    if (!isContainer(value)) throw patchDoesNotApply("replace operation value must be object or array");
    run.root = deepEqual(run.root, value) ? run.root : value;
    return;
  }
  const { container, key } = requireSlot(run, pointer, "replace");
  if (!isJsonArray(container)) {
    writeObjectKey(run, pointer, value);
    return;
  }
  const index = listIndex(container, key);
  if (Number.isNaN(index)) throw invalidIndex("replace", pointer);
  if (!deepEqual(container[index], value)) (writableContainer(run, pointer) as Json[])[index] = value;
}

function move(run: PatchRun, operation: JsonObject): void {
  const from = textOf(operation, "from");
  const value = readSlot(requireSlot(run, from, "move"));
  removeAt(run, from);
  addAt(run, textOf(operation, "path"), value ?? null);
}

function copy(run: PatchRun, operation: JsonObject): void {
  const from = textOf(operation, "from");
  const source = requireSlot(run, from, "copy");
  if (isJsonArray(source.container) && Number.isNaN(listIndex(source.container, source.key))) {
    throw invalidIndex("copy", from);
  }
  const pointer = textOf(operation, "path");
  requireSlot(run, pointer, "copy");
  const value = readSlot(source);
  run.copiedBytes += value === undefined || value === null ? 0 : jsonByteLength(value);
  if (run.copiedBytes > copiedBytesMax) {
    const sizes = `the accumulated size increase of copy is ${run.copiedBytes}, exceeding the limit ${copiedBytesMax}`;
    throw patchDoesNotApply(`Unable to complete the copy, ${sizes}`);
  }
  addAt(run, pointer, copyJson(value ?? null));
}

function test(run: PatchRun, operation: JsonObject): void {
  const pointer = textOf(operation, "path");
  const actual = pointer === "" ? run.root : readSlot(requireTestSlot(run, pointer));
  if (deepEqual(actual ?? null, getKey(operation, "value") ?? null)) return;
  throw patchDoesNotApply(`testing value ${pointer} failed: test failed`);
}

function requireTestSlot(run: PatchRun, pointer: string): Slot {
  const slot = requireSlot(run, pointer, "test");
  if (isJsonArray(slot.container) && Number.isNaN(listIndex(slot.container, slot.key))) {
    throw invalidIndex("test", pointer);
  }
  return slot;
}

function writeObjectKey(run: PatchRun, pointer: string, value: Json): void {
  const { container, key } = requireSlot(run, pointer, "write");
  if (isJsonObject(container) && Object.hasOwn(container, key) && deepEqual(container[key], value)) return;
  setKey(writableContainer(run, pointer) as Record<string, Json>, key, value);
}

function requireSlot(run: PatchRun, pointer: string, kind: string): Slot {
  const slot = findSlot(run, pointer);
  if (slot !== undefined) return slot;
  throw patchDoesNotApply(`${kind} operation does not apply: doc is missing path: ${JSON.stringify(pointer)}`);
}

function textOf(operation: JsonObject, member: "path" | "from"): string {
  const text = getKey(operation, member);
  if (typeof text === "string") return text;
  throw patchDoesNotApply(`operation is missing its ${JSON.stringify(member)} field`);
}

function invalidIndex(kind: string, pointer: string): Error {
  return patchDoesNotApply(`${kind} operation does not apply: ${JSON.stringify(pointer)} is no index of the list`);
}

function isContainer(value: Json): boolean {
  return isJsonObject(value) || isJsonArray(value);
}
