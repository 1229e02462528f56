/**
 * Who created an object. managedFields tell it, and are as large as many an object, so that caches keep nothing of them but this: the name of a
 * field manager that goes on with what it created: "widget/4f7a/created".
 */
import type { KubernetesObject, ManagedFieldsEntry } from "./object.ts";

/** How the names of such field managers end. */
export const CREATOR_SUFFIX = "/created";

/** The field manager that created the object, if its name tells so. */
export function creatorOf({ metadata }: KubernetesObject): string | undefined {
  return metadata?.managedFields?.find(isCreator)?.manager;
}

/** What caches keep of managedFields, which is the same if it was kept before; undefined when no name tells who created the object. */
export function creatorsAlone(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  const entry = managedFields?.find(isCreator);
  if (entry?.manager === undefined) return undefined;
  const isAlone = managedFields?.length === 1 && entry.fieldsV1 === undefined;
  return isAlone ? managedFields : [{ manager: entry.manager, operation: "Update" }];
}

/** The name of a field manager without what it created. */
export function plainManager(manager: string): string {
  if (!manager.endsWith(CREATOR_SUFFIX)) return manager;
  return manager.slice(0, manager.lastIndexOf("/", manager.length - CREATOR_SUFFIX.length - 1));
}

/** Creating is an update to the server. */
function isCreator({ manager, operation }: ManagedFieldsEntry): boolean {
  return operation === "Update" && manager?.endsWith(CREATOR_SUFFIX) === true;
}
