/** A source of keys for the namespace controller: the namespaces in which an object has just gone. */
import type { Cancel } from "@kubewright/core/ports";
import type { ObjectKey, Source } from "@kubewright/runtime";
import type { ObjectFeed } from "../feed/object-feed.ts";

/** Yields a namespace after each object that goes from it; many at once come as one. */
export function namespacesLosingObjects(feed: ObjectFeed): Source {
  return {
    name: "objects that are gone",
    async *events({ signal }) {
      const changed = new Set<string>();
      let wake = (): void => {};
      const cancel: Cancel = feed.watch((event) => {
        const namespace = event.type === "deleted" ? event.object.metadata?.namespace : undefined;
        if (namespace === undefined) return;
        changed.add(namespace);
        wake();
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
  const keys = Array.from(changed, (name) => ({ name }));
  changed.clear();
  return keys;
}
