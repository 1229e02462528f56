/**
 * FieldsV1, the form in which managedFields store a set of paths: nested objects whose keys are path steps, `{}` for a
 * leaf, "." for a step that is in the set although it has children. Both directions are remembered by identity, so an
 * entry that nobody changed is neither read twice nor written anew. Objects of a kind mostly have the same fields, so sets
 * are also remembered by their text, the latest few of them: what thousands of objects say is read once.
 */

import { deepEqual } from "../../meta/deep.ts";
import { isJsonObject, type Json, type JsonObject, type MutableJsonObject, setKey } from "../../meta/json.ts";
import { stringifyJson } from "../../meta/json-text.ts";
import { emptyFieldSet, type FieldSet } from "./field-set.ts";
import { compareElements, type PathElement, parseElement } from "./path-element.ts";

const decoded = new WeakMap<object, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/** Sets by their text, in the order in which they were first read. */
const latest = new Map<string, FieldSet>();
const LATEST_MAX = 500;
const LATEST_CHARACTERS_MAX = 10_000;

/** The set that FieldsV1 describes. Throws when a key is malformed. */
export function decodeFields(fields: JsonObject): FieldSet {
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const text = stringifyJson(fields);
  const set = latest.get(text) ?? decodeNode(fields).children ?? emptyFieldSet;
  decoded.set(fields, set);
  if (!latest.has(text)) remember(text, set);
  // What a client wrote in another form (a leaf as `{".":{}}`, say) is stored in the one form, as in Kubernetes.
  const canonical = encoded.get(set) ?? encodeNode(set, false);
  if (!encoded.has(set)) encoded.set(set, deepEqual(canonical, fields) ? fields : canonical);
  return set;
}

function remember(text: string, set: FieldSet): void {
  if (text.length > LATEST_CHARACTERS_MAX) return;
  const [oldest] = latest.keys();
  if (latest.size >= LATEST_MAX && oldest !== undefined) latest.delete(oldest);
  latest.set(text, set);
}

/** The FieldsV1 of a set, its keys in Kubernetes' order. */
export function encodeFields(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields = encodeNode(set, false);
  encoded.set(set, fields);
  decoded.set(fields, set);
  return fields;
}

interface DecodedNode {
  readonly children: FieldSet | undefined;
  readonly isMember: boolean;
}

function decodeNode(node: Json | undefined): DecodedNode {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  let isMember = false;
  for (const key of isJsonObject(node) ? Object.keys(node) : []) {
    if (key === ".") {
      isMember = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const child = decodeNode((node as JsonObject)[key]);
    if (child.isMember) members.add(element);
    if (child.children !== undefined) children.set(element, child.children);
  }
  const isLeaf = members.size === 0 && children.size === 0;
  return { children: isLeaf ? undefined : { members, children }, isMember: isMember || isLeaf };
}

function encodeNode(set: FieldSet, isMember: boolean): JsonObject {
  const node: MutableJsonObject = {};
  const elements = [...set.members];
  for (const element of set.children.keys()) if (!set.members.has(element)) elements.push(element);
  if (isMember && elements.length > 0) node["."] = {};
  for (const element of elements.sort(compareElements)) {
    const child = set.children.get(element);
    setKey(node, element, child === undefined ? {} : encodeNode(child, set.members.has(element)));
  }
  return node;
}
