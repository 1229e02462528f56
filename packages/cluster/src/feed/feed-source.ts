/** A source of keys for controllers that must hear of objects of any kind: from the object feed to their queue. */
import type { ObjectKey, Source } from "@kubewright/runtime";
import { formatKey, parseKey } from "@kubewright/runtime";
import type { FeedEvent, ObjectFeed } from "./object-feed.ts";

/** Yields the keys that `keysOf` finds in each change; many at once come as one. */
export function feedSource(feed: ObjectFeed, name: string, keysOf: (event: FeedEvent) => readonly ObjectKey[]): Source {
  return {
    name,
    async *events({ signal }) {
      const changed = new Set<string>();
      let wake = (): void => {};
      const cancel = feed.watch((event) => {
        const keys = keysOf(event);
        for (const key of keys) changed.add(formatKey(key));
        if (keys.length > 0) wake();
      });
      signal.addEventListener("abort", () => wake(), { once: true });
      try {
        while (!signal.aborted) {
          yield* drain(changed);
          if (changed.size > 0 || signal.aborted) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        cancel();
      }
    },
  };
}

function drain(changed: Set<string>): readonly ObjectKey[] {
  const keys = Array.from(changed, parseKey);
  changed.clear();
  return keys;
}
