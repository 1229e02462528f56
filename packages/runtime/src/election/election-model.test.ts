/**
 * R32 by exhaustion: every schedule of three candidates that the rules of election-state.ts allow, with up to six faults, explored state by
 * state. Requests are read, sent, applied and answered in separate steps, any of which may be delayed, lost or overtaken, and clocks run at
 * different rates. In no reachable state may two candidates lead.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  candidateState,
  claimed,
  type ElectionState,
  type ElectionTiming,
  isLeading,
  type LeaseRecord,
  nextStep,
  observeRecord,
} from "./election-state.ts";

/** In units of which a slow clock counts two and a fast one three in the same time: the widest rate that is tolerated, 1.5. */
const TIMING: ElectionTiming = { leaseMs: 6, renewDeadlineMs: 4, retryMs: 1 };
const [SLOW, FAST] = [2, 3] as const;

/** A claim on its way. */
interface Claim {
  /** The version that it replaces. */
  readonly base: number;
  readonly sentMs: number;
}

/** One candidate, and what it has under way. */
interface Candidate {
  readonly rate: number;
  readonly nowMs: number;
  readonly state: ElectionState;
  readonly sending: Claim | undefined;
  /** The server stored the claim as this version, and its answer is under way. */
  readonly applied: { readonly version: number; readonly sentMs: number } | undefined;
  /** A claim that the candidate gave up waiting for, and that may still arrive. */
  readonly orphan: Claim | undefined;
}

/** The world: the stored lease and the candidates. */
interface World {
  readonly version: number;
  /** Who holds the lease; -1 for nobody. */
  readonly holder: number;
  readonly candidates: readonly Candidate[];
  readonly faultsLeft: number;
}

function recordOf({ version, holder }: World): LeaseRecord {
  const durationSeconds = TIMING.leaseMs / 1000;
  return {
    holder: holder === -1 ? "" : String(holder),
    durationSeconds,
    transitions: 0,
    resourceVersion: String(version),
  };
}

function replace(world: World, index: number, changes: Partial<Candidate>): World {
  const candidates = world.candidates.map((each, other) => (other === index ? { ...each, ...changes } : each));
  return { ...world, candidates };
}

/** Everything that can happen next. */
function* successors(world: World): Iterable<World> {
  yield {
    ...world,
    candidates: world.candidates.map((each) => ({ ...each, nowMs: each.nowMs + each.rate })),
  };
  for (const index of world.candidates.keys()) {
    yield* attempts(world, index);
    if (world.faultsLeft > 0) yield* faults({ ...world, faultsLeft: world.faultsLeft - 1 }, index);
  }
}

function* attempts(world: World, index: number): Iterable<World> {
  const candidate = world.candidates[index] as Candidate;
  const { sending, applied, orphan, nowMs } = candidate;
  const idle = sending === undefined && applied === undefined;
  if (idle) {
    const state = observeRecord(candidate.state, recordOf(world), nowMs);
    const claims = nextStep(state, String(index), nowMs).kind === "claim";
    yield replace(world, index, {
      state: claims ? state : { ...state, renewedMs: undefined },
      sending: claims ? { base: world.version, sentMs: nowMs } : undefined,
    });
  }
  if (sending !== undefined) {
    if (sending.base !== world.version) yield replace(world, index, { sending: undefined });
    else {
      const version = world.version + 1;
      const next = { ...world, version, holder: index };
      yield replace(next, index, { sending: undefined, applied: { version, sentMs: sending.sentMs } });
    }
  }
  if (applied !== undefined) {
    const record = { ...recordOf(world), holder: String(index), resourceVersion: String(applied.version) };
    yield replace(world, index, { applied: undefined, state: claimed(record, applied.sentMs) });
  }
  if (orphan !== undefined && orphan.base === world.version) {
    yield replace({ ...world, version: world.version + 1, holder: index }, index, { orphan: undefined });
  }
  if (idle && isLeading(candidate.state, TIMING, nowMs) && world.holder === index) {
    yield replace({ ...world, version: world.version + 1, holder: -1 }, index, { state: candidateState });
  }
}

function* faults(world: World, index: number): Iterable<World> {
  const { sending, applied } = world.candidates[index] as Candidate;
  if (sending !== undefined) yield replace(world, index, { sending: undefined, orphan: sending });
  if (sending !== undefined) yield replace(world, index, { sending: undefined });
  if (applied !== undefined) yield replace(world, index, { applied: undefined });
}

/** What matters of a world: versions only as "the stored one or not", times only as ages up to when they stop to matter. */
function keyOf(world: World): string {
  const current = (version: number | string): string => (String(version) === String(world.version) ? "c" : "o");
  let key = `${world.holder} ${world.faultsLeft}`;
  for (const { state, sending, applied, orphan, nowMs } of world.candidates) {
    const age = (atMs: number): number => Math.min(nowMs - atMs, TIMING.leaseMs);
    const { observed, renewedMs } = state;
    const seen = observed === undefined ? "" : current(observed.record.resourceVersion);
    key += `|${seen}${seen === "c" ? age(observed?.atMs ?? 0) : ""}`;
    key += `,${renewedMs === undefined || age(renewedMs) >= TIMING.leaseMs ? "" : age(renewedMs)}`;
    key += `,${sending === undefined ? "" : current(sending.base) + age(sending.sentMs)}`;
    key += `,${applied === undefined ? "" : current(applied.version) + age(applied.sentMs)}`;
    key += `,${orphan === undefined || current(orphan.base) === "o" ? "" : "c"}`;
  }
  return key;
}

/** How many states there are; fails at one with two leaders. */
function explore(rates: readonly number[], timing: ElectionTiming, faultsMax: number): number {
  const fresh = { nowMs: 0, state: candidateState, sending: undefined, applied: undefined, orphan: undefined };
  const first: World = {
    version: 1,
    holder: -1,
    faultsLeft: faultsMax,
    candidates: rates.map((rate) => ({ ...fresh, rate })),
  };
  const seen = new Set([keyOf(first)]);
  const open: World[] = [first];
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    for (const next of successors(world)) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      const leaders = next.candidates.filter(({ state, nowMs }) => isLeading(state, timing, nowMs));
      assert.ok(leaders.length <= 1, `two leaders: ${key}`);
      open.push(next);
    }
  }
  return seen.size;
}

test("R32: three candidates, clocks that differ by half and six faults: two never lead at once, in any schedule", () => {
  const states = explore([SLOW, FAST, FAST], TIMING, 6);
  assert.ok(states > 200_000, `only ${states} states were seen`);
});

test("R32: the same search finds two leaders when the renew deadline is too long for clocks that differ so much", () => {
  assert.throws(() => explore([SLOW, FAST], { ...TIMING, renewDeadlineMs: 5 }, 0), /two leaders/);
});
