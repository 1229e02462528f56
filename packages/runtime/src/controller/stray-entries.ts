/**
 * Entries of keyed lists that took the place of ours. Server-side apply knows the entry of a list by its key (a Service's port by number
 * and protocol): who changes 80 to 8080 by hand removed our entry and made another, and an apply brings ours back *beside* it, or is
 * refused because both have one name. So when one of our entries is missing from a keyed list, the entries that others put there with
 * updates are made ours to drop: their ownership moves to our applied set, and the apply that follows removes what it does not name. In
 * lists where all of ours are there, and in what other appliers declared, nothing is touched. Pure; child-actions.ts writes the result.
 */
import type { KubernetesObject, ManagedFieldsEntry } from "@kubewright/core/meta";
import { type FieldSet, fieldsOf, giveToApplies, isEmpty, isEntryOf, unite } from "./field-ownership.ts";

/** What a set is split into. */
interface Split {
  readonly kept: FieldSet;
  readonly strays: FieldSet;
}

/** The object's managed fields with the strays owned by `manager`'s applies alone; undefined when there is no stray. */
export function claimStrays(
  live: KubernetesObject,
  wanted: KubernetesObject,
  manager: string,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = live.metadata?.managedFields ?? [];
  let claimed: FieldSet = {};
  const others = entries.map((entry) => {
    const isOfOthers = entry.operation === "Update" && !isEntryOf(entry, manager, "Update");
    if (!isOfOthers || (entry.subresource ?? "") !== "") return entry;
    const { kept, strays } = splitFields(fieldsOf(entry), wanted, live);
    claimed = unite(claimed, strays);
    return isEmpty(strays) ? entry : { ...entry, fieldsV1: kept };
  });
  if (isEmpty(claimed)) return undefined;
  return giveToApplies({ ...live, metadata: { ...live.metadata, managedFields: others } }, manager, claimed);
}

function splitFields(set: FieldSet, wanted: unknown, live: unknown): Split {
  const kept: Record<string, FieldSet> = {};
  const strays: Record<string, FieldSet> = {};
  for (const [element, inner] of Object.entries(set)) {
    if (isStray(element, wanted, live)) strays[element] = inner;
    else {
      const below = splitFields(inner, stepInto(wanted, element), stepInto(live, element));
      if (!isEmpty(below.strays)) strays[element] = below.strays;
      if (isEmpty(below.strays) || !isEmpty(below.kept)) kept[element] = below.kept;
    }
  }
  return { kept, strays };
}

/** An entry that we do not name, in a keyed list from which one of ours is missing. */
function isStray(element: string, wanted: unknown, live: unknown): boolean {
  if (!element.startsWith("k:") || !Array.isArray(wanted) || !Array.isArray(live)) return false;
  const key = keyOf(element);
  if (wanted.some((entry) => agrees(entry, key))) return false;
  const names = Object.keys(key);
  return wanted.some((entry) => !live.some((other) => agrees(entry, pick(other, names))));
}

function stepInto(value: unknown, element: string): unknown {
  if (element.startsWith("k:")) {
    const key = keyOf(element);
    return Array.isArray(value) ? value.find((entry) => agrees(entry, key)) : undefined;
  }
  const name = element.slice(2);
  return isFields(value) && element.startsWith("f:") && Object.hasOwn(value, name) ? value[name] : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function keyOf(element: string): Fields {
  return JSON.parse(element.slice(2));
}

/** True when the entry has this key; a field of the key that the entry leaves out has its default, whatever that is. */
function agrees(entry: unknown, key: Fields): boolean {
  if (!isFields(entry)) return false;
  return Object.entries(key).every(([name, value]) => entry[name] === undefined || entry[name] === value);
}

function pick(entry: unknown, names: readonly string[]): Fields {
  return isFields(entry) ? Object.fromEntries(names.map((name) => [name, entry[name]])) : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
