/**
 * FieldsV1, the form in which managedFields store a set of paths: nested objects whose keys are path steps, `{}` for a
 * leaf, "." for a step that is in the set although it has children. Both directions are remembered by identity, so an
 * entry that nobody changed is neither read twice nor written anew.
 */

import { deepEqual } from "../../meta/deep.ts";
import { isJsonObject, type Json, type JsonObject, type MutableJsonObject, setKey } from "../../meta/json.ts";
import { emptyFieldSet, type FieldSet } from "./field-set.ts";
import { compareElements, type PathElement, parseElement } from "./path-element.ts";

const decoded = new WeakMap<object, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/** The set that FieldsV1 describes. Throws when a key is malformed. */
export function decodeFields(fields: JsonObject): FieldSet {
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const set = decodeNode(fields).children ?? emptyFieldSet;
  decoded.set(fields, set);
  // What a client wrote in another form (a leaf as `{".":{}}`, say) is stored in the one form, as in Kubernetes.
  const canonical = encodeNode(set, false);
  if (!encoded.has(set)) encoded.set(set, deepEqual(canonical, fields) ? fields : canonical);
  return set;
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
  const elements = new Set([...set.members, ...set.children.keys()]);
  if (isMember && elements.size > 0) node["."] = {};
  for (const element of [...elements].sort(compareElements)) {
    const child = set.children.get(element);
    setKey(node, element, child === undefined ? {} : encodeNode(child, set.members.has(element)));
  }
  return node;
}
