/**
 * Where one list+watch stands, and what follows what. Pure: the loop in reflector.ts does what `state` asks for and
 * feeds back what came of it.
 */
import type { Random } from "@kubewright/core/ports";

/** How the initial objects are fetched. */
export type InitialFetch =
  /** One watch that begins with all objects (KEP-3157): consistent, and never the whole list in memory. */
  | "stream"
  /** Lists in pages at the newest version, for servers without the above. */
  | "pages"
  /** One list of everything, for when the pages' version expired half-way. */
  | "whole";

/** Where one list+watch stands. */
export type ReflectorState =
  /** Nothing certain is known: the next step fetches everything. */
  | {
      readonly phase: "empty";
      readonly fetch: InitialFetch;
      readonly failures: number;
      /** Versions in a row that expired before they led to anything. @default 0 */
      readonly expiries?: number;
    }
  /** Following changes newer than `resourceVersion`. */
  | {
      readonly phase: "watching";
      readonly fetch: InitialFetch;
      readonly resourceVersion: string;
      readonly failures: number;
      readonly expiries?: number;
    };

/** What the loop found out. */
export type ReflectorInput =
  /** All objects at this version are known. */
  | { readonly kind: "listed"; readonly resourceVersion: string }
  /** The watch brought a change or a bookmark at this version. */
  | { readonly kind: "progress"; readonly resourceVersion: string }
  /** The watch ended as watches do, after a while. */
  | { readonly kind: "ended" }
  /** 410, or a version that the server does not have: only a new list is safe. */
  | { readonly kind: "expired" }
  /** The server knows no initial events on watches. */
  | { readonly kind: "unsupported" }
  /** Anything else went wrong. */
  | { readonly kind: "failed" };

/** The state before anything happened. */
export const emptyState: ReflectorState = { phase: "empty", fetch: "stream", failures: 0 };

/** The state before anything happened, of a server in the same process: lists cost no more than a stream there. */
export const emptyInProcessState: ReflectorState = { phase: "empty", fetch: "whole", failures: 0 };

/** What follows `state` when `input` arrives. */
export function nextState(state: ReflectorState, input: ReflectorInput): ReflectorState {
  switch (input.kind) {
    case "listed": {
      const { expiries = 0 } = state;
      const watching = { phase: "watching", fetch: restoredFetch(state), failures: 0 } as const;
      const { resourceVersion } = input;
      return expiries === 0 ? { ...watching, resourceVersion } : { ...watching, resourceVersion, expiries };
    }
    case "progress": {
      if (state.phase === "empty") return state;
      return { phase: "watching", fetch: state.fetch, resourceVersion: input.resourceVersion, failures: 0 };
    }
    case "ended":
      return state.expiries === undefined ? state : { ...state, expiries: 0 };
    case "expired": {
      // A list that expired between its pages is fetched whole, or a busy kind would never be listed.
      const fetch = state.phase === "empty" ? "whole" : state.fetch;
      return { phase: "empty", fetch, failures: state.failures, expiries: (state.expiries ?? 0) + 1 };
    }
    case "unsupported":
      return { phase: "empty", fetch: "pages", failures: 0 };
    case "failed":
      return { ...state, failures: state.failures + 1 };
  }
}

/**
 * How long to wait before the next request: nothing at first, then at most 0.8 s doubling to 30 s, at least half of it. A version that
 * expired is listed anew at once, one that expired again as after a failure.
 */
export function delayBeforeMs(state: ReflectorState, random: Random): number {
  const { phase, failures, expiries = 0 } = state;
  const attempts = phase === "empty" ? Math.max(failures, expiries - 1) : failures;
  if (attempts === 0) return 0;
  const baseMs = Math.min(30_000, 800 * 2 ** (attempts - 1));
  return baseMs * (0.5 + 0.5 * random.next());
}

function restoredFetch(state: ReflectorState): InitialFetch {
  return state.fetch === "whole" ? "pages" : state.fetch;
}
