/** What storage is given of an object: create, update and delete commit it. */
import type { JsonObject } from "@kubewright/core/meta";
import { type ApiObject, encodeObject, leanObjectAt, withMetadata } from "../resource/object.ts";
import type { FieldOwners, StorageWrite } from "../storage/storage.ts";

/** What is known of an object about to be stored. */
export interface KnownContent {
  /** The owners of its fields, where they are known apart from the object, which then does not tell them. */
  readonly owners?: FieldOwners | undefined;
  /** The object before null was written for what is absent. */
  readonly settled?: JsonObject | undefined;
  /** The object in the version in which it was written, where that is not the stored one and says the same. */
  readonly given?: ApiObject | undefined;
}

/** The content of a write. */
export function contentOf(
  object: ApiObject,
  { owners, settled, given }: KnownContent = {},
): Required<Pick<StorageWrite, "encode" | "value" | "labels">> {
  const { managedFields, labels = {} } = object.metadata;
  const whole = (): ApiObject =>
    owners === undefined ? object : withMetadata(object, { managedFields: owners.managedFields });
  return {
    labels,
    encode: (revision) => encodeObject(whole(), revision),
    value: (revision) => ({
      object: leanObjectAt(object, revision),
      settled,
      given: given && leanObjectAt(given, revision),
      owners: owners ?? { managedFields },
    }),
  };
}
