/** What storage is given of an object: create, update and delete commit it. */
import { type ApiObject, encodeObject, leanObjectAt, withMetadata } from "../resource/object.ts";
import type { FieldOwners, StorageWrite } from "../storage/storage.ts";

/** The content of a write; `owners` where they are known apart from the object, which then does not tell them. */
export function contentOf(
  object: ApiObject,
  owners?: FieldOwners,
): Required<Pick<StorageWrite, "encode" | "value" | "labels">> {
  const { managedFields, labels = {} } = object.metadata;
  const whole = (): ApiObject =>
    owners === undefined ? object : withMetadata(object, { managedFields: owners.managedFields });
  return {
    labels,
    encode: (revision) => encodeObject(whole(), revision),
    value: (revision) => ({ object: leanObjectAt(object, revision), owners: owners ?? { managedFields } }),
  };
}
