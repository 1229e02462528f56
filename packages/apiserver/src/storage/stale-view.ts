/** The storage as it was: reads answer from the state right after a revision, writes and watches are those of today. */
import type { Storage } from "./storage.ts";

/** A view of `storage` at `revision`, or at the oldest state that is still known. */
export function staleView(storage: Storage, revision: number): Storage {
  const at = (resource: string): number =>
    Math.min(Math.max(revision, storage.compactedRevision(resource)), storage.revision);
  const list: Storage["list"] = (resource, range) =>
    storage.list(resource, { ...range, revision: Math.min(range.revision ?? Number.POSITIVE_INFINITY, at(resource)) });
  return {
    revision: Math.min(revision, storage.revision),
    holdsValues: storage.holdsValues,
    list,
    get: (resource, key) => {
      const [entry] = list(resource, { start: key, prefix: key, limit: 1 })?.entries ?? [];
      return entry?.key === key ? entry : undefined;
    },
    objectOf: (entry) => storage.objectOf(entry),
    commit: (write) => storage.commit(write),
    watch: (resource, afterRevision, listener) => storage.watch(resource, afterRevision, listener),
    compactedRevision: (resource) => storage.compactedRevision(resource),
    compact: (to) => storage.compact(to),
    close: () => storage.close(),
  };
}
