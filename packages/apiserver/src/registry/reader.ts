/** Reading stored objects from inside the server, for strategies and admission plugins. */

import { type ApiObject, decodeObject } from "../resource/object.ts";
import type { ObjectReader } from "../resource/strategy.ts";
import type { Storage } from "../storage/storage.ts";

/** A reader of what is stored, in the stored version. */
export function createObjectReader(storage: Storage): ObjectReader {
  return {
    get(resource, namespace, name) {
      const entry = storage.get(resource, namespace === "" ? name : `${namespace}/${name}`);
      return entry === undefined ? undefined : (storage.objectOf(entry) as ApiObject);
    },
    list(resource, namespace) {
      const listed = storage.list(resource, { prefix: namespace === "" ? "" : `${namespace}/` });
      return (listed?.entries ?? []).map((entry) => decodeObject(entry.text));
    },
  };
}
