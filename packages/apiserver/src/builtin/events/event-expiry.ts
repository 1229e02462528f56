/**
 * Events are kept for an hour after their last write. What is over is removed when the next event is written, not by a
 * timer: nothing has to wake up for events that nobody writes.
 */
import type { Clock } from "@kubewright/core/ports";
import { contentOf } from "../../registry/content.ts";
import type { ApiObject } from "../../resource/object.ts";
import type { Storage } from "../../storage/storage.ts";

const RESOURCE = "events";
const LIFETIME_MS = 60 * 60 * 1000;

interface Written {
  readonly revision: number;
  readonly expiresMs: number;
}

/** Removes events that are over, until the storage closes. */
export function expireEvents(storage: Storage, clock: Clock): () => void {
  const written = new Map<string, Written>();
  const note = (key: string, revision: number): void => {
    written.delete(key); // A later write comes last.
    written.set(key, { revision, expiresMs: clock.now() + LIFETIME_MS });
  };
  for (const { key, revision } of storage.list(RESOURCE, {})?.entries ?? []) note(key, revision);
  let isStopped = false;
  let isRemoving = false;
  let nextMs = 0; // Nothing is over before.
  const watch = storage.watch(RESOURCE, storage.revision, ({ type, entry, revision }) => {
    if (type === "deleted") written.delete(entry.key);
    else note(entry.key, revision);
    const nowMs = clock.now();
    if (isRemoving || nowMs < nextMs) return;
    const [oldest] = written.values();
    nextMs = oldest?.expiresMs ?? nowMs + LIFETIME_MS;
    if (nowMs < nextMs) return;
    isRemoving = true;
    // Not within the write that is being told of.
    queueMicrotask(() => {
      if (!isStopped) removeExpired(storage, written, clock.now());
      isRemoving = false;
    });
  });
  return () => {
    isStopped = true;
    watch?.cancel();
  };
}

function removeExpired(storage: Storage, written: ReadonlyMap<string, Written>, nowMs: number): void {
  for (const [key, { revision, expiresMs }] of written) {
    if (expiresMs > nowMs) return; // The oldest writes come first.
    const entry = storage.get(RESOURCE, key);
    if (entry === undefined) continue;
    const { value } = entry;
    const content = value
      ? contentOf(value.object as ApiObject, { owners: value.owners })
      : { encode: () => entry.text };
    storage.commit({ resource: RESOURCE, key, operation: "delete", expected: revision, ...content });
  }
}
