/**
 * Leader election as state and pure steps; the loop in leader-election.ts does the I/O. Decisions come from the local monotonic clock
 * and from whether the record on the server *changed*, never from the times written in it: clocks of others may be wrong.
 */

/** What a Lease says about its holder. */
export interface LeaseRecord {
  /** "" when released. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly transitions: number;
  /** Changes with every write. */
  readonly resourceVersion: string;
}

/** How long leadership lasts. */
export interface ElectionTiming {
  /** Others wait this long after the last renewal that they saw. @default 15_000 */
  readonly leaseMs: number;
  /** The leader gives up when it could not renew for this long. @default 10_000 */
  readonly renewDeadlineMs: number;
  /** Between two tries. @default 2_000 */
  readonly retryMs: number;
}

/** The usual timing. */
export const DEFAULT_TIMING: ElectionTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** The timing, if it keeps two from leading at once; throws for one that does not. */
export function checkedTiming(timing: ElectionTiming): ElectionTiming {
  const { leaseMs, renewDeadlineMs, retryMs } = timing;
  if (leaseMs > renewDeadlineMs && renewDeadlineMs > retryMs && retryMs > 0) return timing;
  const given = `leaseMs ${leaseMs}, renewDeadlineMs ${renewDeadlineMs}, retryMs ${retryMs}`;
  throw new TypeError(`with ${given} two could lead at once; let each be longer than the next, and the last above 0`);
}

/** Where one candidate stands. */
export interface ElectionState {
  /** The record last seen, and when it was first seen so. */
  readonly observed: { readonly record: LeaseRecord; readonly atMs: number } | undefined;
  /** When the request of our last successful renewal was sent; undefined while we do not lead. */
  readonly renewedMs: number | undefined;
}

/** The state before anything happened. */
export const candidateState: ElectionState = { observed: undefined, renewedMs: undefined };

/** What a candidate does next. */
export type ElectionStep =
  /** The lease is free, expired or ours: write it. */
  | { readonly kind: "claim"; readonly transitions: number }
  /** Somebody else holds it. */
  | { readonly kind: "wait" };

/** The state after reading the record at `nowMs`. */
export function observeRecord(state: ElectionState, record: LeaseRecord, nowMs: number): ElectionState {
  if (state.observed?.record.resourceVersion === record.resourceVersion) return state;
  return { ...state, observed: { record, atMs: nowMs } };
}

/** What `identity` does now. */
export function nextStep(state: ElectionState, identity: string, nowMs: number): ElectionStep {
  const { observed } = state;
  if (observed === undefined) return { kind: "claim", transitions: 0 };
  const { holder, transitions, durationSeconds } = observed.record;
  if (holder === identity) return { kind: "claim", transitions };
  const free = holder === "" || nowMs >= observed.atMs + durationSeconds * 1000;
  return free ? { kind: "claim", transitions: transitions + 1 } : { kind: "wait" };
}

/** The state after a claim that was sent at `sentMs` and succeeded with `record`. */
export function claimed(record: LeaseRecord, sentMs: number): ElectionState {
  return { observed: { record, atMs: sentMs }, renewedMs: sentMs };
}

/** True while nobody else can be leading: the last renewal was sent less than the renew deadline ago. */
export function isLeading(state: ElectionState, timing: ElectionTiming, nowMs: number): boolean {
  return state.renewedMs !== undefined && nowMs < state.renewedMs + timing.renewDeadlineMs;
}
