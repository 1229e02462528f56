/**
 * Who owns which field, as managedFields tell it. Two corrections are made of it before an apply, so that the apply may remove what it
 * does not name: of entries that took the place of ours (stray-entries.ts), and of a child that was created and not yet applied (here).
 * Pure; child-actions.ts writes the result.
 */
import { type KubernetesObject, type ManagedFieldsEntry, plainManager } from "@kubewright/core/meta";

/** A set of fields as managedFields write it: "f:name" for fields, 'k:{"port":80}' for entries of keyed lists, "." for itself. */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/**
 * The object's managed fields with what `manager` owns by updates owned by its applies instead; undefined when it owns nothing so.
 * Creating is an update to the server, and what updates own no apply removes.
 */
export function takeOverCreated(
  live: KubernetesObject,
  _wanted: KubernetesObject,
  manager: string,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = live.metadata?.managedFields ?? [];
  const created = entries.filter((entry) => isEntryOf(entry, manager, "Update"));
  if (created.length === 0) return undefined;
  const others = entries.filter((entry) => !created.includes(entry));
  return giveToApplies(
    { ...live, metadata: { ...live.metadata, managedFields: others } },
    manager,
    created.map(fieldsOf).reduce(unite),
  );
}

/** The object's managed fields with `fields` owned by the applies of `manager`, too. */
export function giveToApplies(
  live: KubernetesObject,
  manager: string,
  fields: FieldSet,
): readonly ManagedFieldsEntry[] {
  const entries = live.metadata?.managedFields ?? [];
  const isOwn = (entry: ManagedFieldsEntry): boolean => isEntryOf(entry, manager, "Apply");
  const own: ManagedFieldsEntry = entries.find(isOwn) ?? {
    manager,
    operation: "Apply",
    fieldsType: "FieldsV1",
    ...(live.apiVersion === undefined ? {} : { apiVersion: live.apiVersion }),
  };
  const rest = entries.filter((entry) => !isOwn(entry) && !isEmpty(fieldsOf(entry)));
  return [{ ...own, fieldsV1: unite(fieldsOf(own), fields) }, ...rest];
}

/** True for what `manager` owns of the object itself by that operation; its name goes on with what it created. */
export function isEntryOf(entry: ManagedFieldsEntry, manager: string, operation: "Apply" | "Update"): boolean {
  const isOwn = plainManager(entry.manager ?? "") === manager;
  return isOwn && entry.operation === operation && (entry.subresource ?? "") === "";
}

/** The fields of an entry. */
export function fieldsOf({ fieldsV1 = {} }: ManagedFieldsEntry): FieldSet {
  return fieldsV1 as FieldSet;
}

/** Everything that is in one of two sets. */
export function unite(left: FieldSet, right: FieldSet): FieldSet {
  const united: Record<string, FieldSet> = { ...left };
  for (const [element, inner] of Object.entries(right)) united[element] = unite(left[element] ?? {}, inner);
  return united;
}

/** True for a set without fields. */
export function isEmpty(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}
