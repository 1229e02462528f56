/** The context of a reconcile, whose parts are made when they are first used: most reconciles find nothing to do. */
import type { ReconcileContext } from "./define-controller.ts";

type LazyPart = "client" | "cache" | "events" | "log" | "signal";

/** How the parts are made. */
export type ContextParts = { readonly [Part in LazyPart]: () => ReconcileContext[Part] } & {
  readonly rest: Omit<ReconcileContext, LazyPart>;
};

/** A context that makes its parts when they are first asked for, and once. */
export function lazyContext(parts: ContextParts): ReconcileContext {
  const made: { -readonly [Part in LazyPart]?: ReconcileContext[Part] } = {};
  return {
    ...parts.rest,
    get client() {
      made.client ??= parts.client();
      return made.client;
    },
    get cache() {
      made.cache ??= parts.cache();
      return made.cache;
    },
    get events() {
      made.events ??= parts.events();
      return made.events;
    },
    get log() {
      made.log ??= parts.log();
      return made.log;
    },
    get signal() {
      made.signal ??= parts.signal();
      return made.signal;
    },
  };
}
