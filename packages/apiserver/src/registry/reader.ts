/** Reading stored objects from inside the server, for strategies and admission plugins. */

import { type ApiObject, decodeObject } from "../resource/object.ts";
import type { ObjectReader } from "../resource/strategy.ts";
import type { Storage, StoredEntry } from "../storage/storage.ts";

/** How many objects are kept decoded: the same few namespaces, classes and quotas are read at every write. */
const DECODED_MAX = 50;

/** A reader of what is stored, in the stored version. */
export function createObjectReader(storage: Storage): ObjectReader {
  const decoded = new Map<StoredEntry, ApiObject>();
  const decode = (entry: StoredEntry): ApiObject => {
    if (entry.value !== undefined) return storage.objectOf(entry) as ApiObject;
    const known = decoded.get(entry);
    if (known !== undefined) return known;
    const [oldest] = decoded.keys();
    if (decoded.size >= DECODED_MAX && oldest !== undefined) decoded.delete(oldest);
    const object = decodeObject(entry.text);
    decoded.set(entry, object);
    return object;
  };
  return {
    get(resource, namespace, name) {
      const entry = storage.get(resource, namespace === "" ? name : `${namespace}/${name}`);
      return entry === undefined ? undefined : decode(entry);
    },
    list(resource, namespace) {
      const listed = storage.list(resource, { prefix: namespace === "" ? "" : `${namespace}/` });
      return (listed?.entries ?? []).map(decode);
    },
  };
}
