/**
 * Field sets seen through a schema: the named fields above owned ones, and sets that were written when a list or object
 * was granular and is atomic now.
 */
import type { FieldSet } from "./field-set.ts";
import { fieldNameOf, type PathElement } from "./path-element.ts";
import type { TypeView } from "./type-view.ts";

/** The set plus every declared field on the way to a path in it. */
export function withNamedFields(set: FieldSet, view: TypeView): FieldSet {
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldNameOf(element);
    if (name !== undefined && view.map?.declares(name) === true) members.add(element);
    children.set(element, withNamedFields(child, typeBelow(view, element)));
  }
  return { members, children };
}

const reconciled = new WeakMap<FieldSet, { readonly view: TypeView; readonly result: FieldSet }>();

/** The set as it stands under the current schema: what is below an atomic list or object becomes that one field. */
export function reconcileWithSchema(set: FieldSet, view: TypeView): FieldSet {
  const known = reconciled.get(set);
  if (known?.view === view) return known.result;
  const result = reconcileChildren(set, view);
  reconciled.set(set, { view, result });
  return result;
}

function reconcileChildren(set: FieldSet, view: TypeView): FieldSet {
  if (view.map !== undefined ? view.map.untyped : view.list === undefined) return set;
  let changed = false;
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const type = view.map === undefined ? view.list?.element() : declaredType(view, element);
    const next = type === undefined ? child : reconcileChild(child, type);
    changed ||= next !== child;
    if (next === undefined) members.add(element);
    else children.set(element, next);
  }
  return changed ? { members, children } : set;
}

/** Undefined when the child's type is atomic now. */
function reconcileChild(child: FieldSet, type: TypeView): FieldSet | undefined {
  const isAtomic =
    type.map !== undefined
      ? type.map.atomic && !type.map.untyped
      : type.scalar === undefined && type.list?.atomic === true;
  return isAtomic ? undefined : reconcileChildren(child, type);
}

function declaredType(view: TypeView, element: PathElement): TypeView | undefined {
  return view.map?.field(fieldNameOf(element) ?? "");
}

function typeBelow(view: TypeView, element: PathElement): TypeView {
  const name = fieldNameOf(element);
  if (name !== undefined) return view.map?.field(name) ?? {};
  return element.startsWith("k:") ? (view.list?.element() ?? {}) : {};
}
