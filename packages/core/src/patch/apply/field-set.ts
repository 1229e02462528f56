/**
 * Sets of field paths as tries. `members` are the steps that are in the set at this level, `children` lead to deeper
 * paths; a step may be both. Sets are never changed once built, so operations share what they can and return an operand
 * when the result equals it.
 */
import { compareElements, type PathElement } from "./path-element.ts";

/** A set of field paths. */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A set being built. */
export interface MutableFieldSet extends FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, MutableFieldSet>;
}

/** The set without paths. */
export const emptyFieldSet: FieldSet = { members: new Set(), children: new Map() };

/** Starts a set. */
export function createFieldSet(): MutableFieldSet {
  return { members: new Set(), children: new Map() };
}

/** Adds a path; the empty path stands for the whole object, which nobody owns. */
export function insertPath(set: MutableFieldSet, path: readonly PathElement[]): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let node = set;
  for (let depth = 0; depth < path.length - 1; depth++) node = descend(node, path[depth] as PathElement);
  node.members.add(last);
}

/** A set of these paths. */
export function fieldSetOf(paths: readonly (readonly PathElement[])[]): FieldSet {
  const set = createFieldSet();
  for (const path of paths) insertPath(set, path);
  return set;
}

/** True when no path is in the set. */
export function isEmptySet(set: FieldSet): boolean {
  if (set.members.size > 0) return false;
  for (const child of set.children.values()) if (!isEmptySet(child)) return false;
  return true;
}

/** True when the path is in the set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (let depth = 0; depth < path.length - 1; depth++) node = node?.children.get(path[depth] as PathElement);
  const last = path.at(-1);
  return last !== undefined && node?.members.has(last) === true;
}

/** The paths in either set. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isSubset(right, left)) return left;
  const members = new Set([...left.members, ...right.members]);
  const children = new Map(left.children);
  for (const [element, child] of right.children) {
    const own = children.get(element);
    children.set(element, own === undefined ? child : union(own, child));
  }
  return { members, children };
}

/** The paths in both sets. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const members = new Set([...left.members].filter((element) => right.members.has(element)));
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of left.children) {
    const other = right.children.get(element);
    const common = other === undefined ? emptyFieldSet : intersection(child, other);
    if (!isEmptySet(common)) children.set(element, common);
  }
  return { members, children };
}

/** The paths of `left` that are not in `right`; paths below a removed path stay. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, false);
}

/** The paths of `left` that are neither in `right` nor below a path in it. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, true);
}

/** True when every path of `left` is in `right`. */
export function isSubset(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  for (const element of left.members) if (!right.members.has(element)) return false;
  for (const [element, child] of left.children) {
    if (!isSubset(child, right.children.get(element) ?? emptyFieldSet)) return false;
  }
  return true;
}

/** True when both hold the same paths. */
export function setsEqual(left: FieldSet, right: FieldSet): boolean {
  return isSubset(left, right) && isSubset(right, left);
}

/** Every path, in Kubernetes' order: the members of a level first, then what is below them. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly PathElement[] = [],
): Generator<readonly PathElement[], void, undefined> {
  for (const element of [...set.members].sort(compareElements)) yield [...prefix, element];
  for (const element of [...set.children.keys()].sort(compareElements)) {
    yield* pathsOf(set.children.get(element) as FieldSet, [...prefix, element]);
  }
}

function subtract(left: FieldSet, right: FieldSet, recursive: boolean): FieldSet {
  if (right.members.size === 0 && right.children.size === 0) return left;
  const members = new Set([...left.members].filter((element) => !right.members.has(element)));
  const children = new Map<PathElement, FieldSet>();
  let changed = members.size !== left.members.size;
  for (const [element, child] of left.children) {
    const rest = subtractChild(child, right, { element, recursive });
    changed ||= rest !== child;
    if (rest === child || !isEmptySet(rest)) children.set(element, rest);
  }
  return changed ? { members, children } : left;
}

function subtractChild(
  child: FieldSet,
  right: FieldSet,
  { element, recursive }: { readonly element: PathElement; readonly recursive: boolean },
): FieldSet {
  if (recursive && right.members.has(element)) return emptyFieldSet;
  const other = right.children.get(element);
  return other === undefined ? child : subtract(child, other, recursive);
}

function descend(set: MutableFieldSet, element: PathElement): MutableFieldSet {
  const existing = set.children.get(element);
  if (existing !== undefined) return existing;
  const created = createFieldSet();
  set.children.set(element, created);
  return created;
}
